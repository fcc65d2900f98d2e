package page

// collectItems counts the structured data in attributes: microdata and RDFa.
func collectItems(d *Document) collector {
	return collector{enter: func(e Element, _ scope) {
		rdfa := false
		for i := range e.node.Attr {
			switch e.node.Attr[i].Key {
			case "itemscope":
				d.Itemscopes++
			case "typeof", "vocab":
				rdfa = true
			}
		}
		if rdfa {
			d.RDFaElements++
		}
	}}
}
