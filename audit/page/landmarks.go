package page

import "golang.org/x/net/html/atom"

// collectLandmarks counts the main landmarks that assistive technology meets: main elements without another role, and elements with
// the role main.
func collectLandmarks(d *Document) collector {
	return collector{enter: func(e Element, in scope) {
		if in.unexposed || in.role != "main" && e.node.DataAtom != atom.Main {
			return
		}
		if in.role == "main" || in.role == "" && e.node.Namespace == "" {
			d.Mains++
		}
	}}
}
