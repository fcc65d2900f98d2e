package mcp

import (
	"context"
	"fmt"
	"strings"

	"sitegrade/audit"
)

type checkArgs struct {
	Check string `json:"check"`
}

// explanation is what is written about a check.
type explanation struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Category string `json:"category"`
	Severity string `json:"severity"`
	Retired  string `json:"retired,omitempty"`
	Looks    string `json:"looks"`
	Why      string `json:"why"`
	Mend     string `json:"mend"`
	Passes   string `json:"passes"`
	Fails    string `json:"fails"`
	Source   string `json:"source"`
	Link     string `json:"link"`
}

func (s *Server) explainCheck(_ context.Context, _ string, in checkArgs) (answer, error) {
	e, ok := audit.Explain(in.Check)
	if !ok {
		return answer{}, noCheck(in.Check)
	}
	shown := explanation{
		e.ID, e.Name, e.Category, string(e.Severity), e.Retired, e.Looks, e.Why, e.Mend, short(e.Passes, maxExample), short(e.Fails, maxExample), e.Source, e.Link,
	}
	text := fmt.Sprintf("%s (%s, %s, severity %s)\n", shown.Name, shown.ID, e.CategoryTitle, shown.Severity)
	if e.Retired != "" {
		text = fmt.Sprintf("%s (%s, retired: %s)\n", shown.Name, shown.ID, e.Retired)
	}
	for _, part := range [][2]string{
		{"What it looks at", shown.Looks}, {"Why it matters", shown.Why}, {"How to mend it", shown.Mend}, {"Passes", shown.Passes}, {"Fails", shown.Fails},
	} {
		text += "\n" + part[0] + ":\n" + strings.TrimSpace(part[1]) + "\n"
	}
	return answer{shown, text + "\n" + lines(shown.Source, shown.Link)}, nil
}

// maxExample is how many bytes of JSON an example may have.
const maxExample = 2500

// noCheck is the error of an id that no check has.
func noCheck(id string) mistake {
	near := audit.NearestChecks(id)
	if len(near) == 0 {
		return "There is no such check. The checks of a report, as get_report shows them, have their ids."
	}
	return mistake("There is no such check; near to it: " + strings.Join(near, ", ") + ".")
}
