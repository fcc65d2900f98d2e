package audit

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"sitegrade/audit/header"
)

func checkRSL(f *facts) finding {
	licenses := f.licenses()
	for _, s := range f.doc.Scripts {
		if s.MIME == rslType {
			at := []Evidence{evidenceOf(f.doc, s.Element)}
			if problem := rslProblem([]byte(s.Text())); problem != "" {
				return failText(at, "The license in the page cannot be read: %s.", problem)
			}
			if len(licenses) == 0 {
				return passText("The page has a license for machines.")
			}
		}
	}
	if len(licenses) == 0 {
		return notApplicableText("Neither robots.txt nor the page names a license for machines.")
	}
	for _, l := range licenses {
		if l.url == nil {
			return failText([]Evidence{l.at}, "The address of the license is not an absolute URL.")
		}
	}
	at, file := []Evidence{licenses[0].at}, f.site.license
	switch {
	case file == nil || file.Failure != nil:
		return notApplicableText("The license was not fetched, or did not answer.")
	case file.Status != 200:
		return failText(at, "The license answers with status %d.", file.Status)
	case looksLikeHTML(file.Body):
		return failText(at, "The license is an HTML page.")
	case !file.whole:
		return notApplicableText("The license is too large to be read: over %d KiB.", agentFileRead>>10).without(UnseenSize)
	}
	if problem := rslProblem(file.Body); problem != "" {
		return failText(at, "The license cannot be read: %s.", problem)
	}
	return passText("The site names a license for machines, which can be read.")
}

// rslNamespace is that of Really Simple Licensing 1.0.
const rslNamespace = "https://rslstandard.org/rsl"

// rslProblem says what is wrong with a license, "" when nothing is. Licenses may also be in a feed (rss), beside its items.
func rslProblem(body []byte) string {
	decoder := xml.NewDecoder(bytes.NewReader(body))
	decoder.CharsetReader = asASCII
	root, contents, unnamed := "", 0, 0
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "it is not well-formed XML"
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if root == "" {
			if root = e.Name.Local; root != "rsl" && root != "rss" {
				return fmt.Sprintf("its root element is %.40s, not rsl", root)
			}
			if root == "rsl" && e.Name.Space != rslNamespace {
				return "its root element is not in the namespace " + rslNamespace
			}
		}
		if e.Name.Space == rslNamespace && e.Name.Local == "content" {
			contents++
			if !hasAttribute(e, "url") && root == "rsl" {
				unnamed++
			}
		}
	}
	switch {
	case root == "":
		return "it is empty"
	case contents == 0:
		return "it has no content element, which says what it is for"
	case unnamed > 0:
		return "a content element has no url"
	}
	return ""
}

// asASCII reads a file in another encoding than UTF-8 as far as that matters here: the names of RSL are in ASCII.
func asASCII(_ string, r io.Reader) (io.Reader, error) {
	body, err := io.ReadAll(r) // what was received is bounded
	for i, c := range body {
		if c >= 0x80 {
			body[i] = '?'
		}
	}
	return bytes.NewReader(body), err
}

func hasAttribute(e xml.StartElement, name string) bool {
	for _, a := range e.Attr {
		if a.Name.Space == "" && a.Name.Local == name && a.Value != "" {
			return true
		}
	}
	return false
}

func checkAPICatalog(f *facts) finding {
	file := f.site.apiCatalog
	if !file.exists() {
		return notApplicableText("The site has no /.well-known/api-catalog.")
	}
	at := []Evidence{{URL: shownAddress(file.URL)}}
	media := header.MIMEType(file.Header)
	links, problem := linksetProblem(file)
	switch {
	case problem != "":
		return failText(at, "The catalogue of APIs cannot be read: %s.", problem)
	case media != "application/linkset+json":
		return failText(at, "The catalogue of APIs comes as %s, not as application/linkset+json.", cutText(orUnknown(media), 100))
	}
	return passText("The site has a catalogue of APIs with %s.", plural(links, "link", "links"))
}

// linksetProblem counts the links of a set of links in JSON (RFC 9264, section 4.2), or says what is wrong with it.
func linksetProblem(file *siteFile) (links int, problem string) {
	set, problem := objectIn(file)
	if problem != "" {
		return 0, problem
	}
	contexts, ok := set["linkset"].([]any)
	if !ok {
		return 0, "it has no list named linkset"
	}
	for _, entry := range contexts {
		context, ok := entry.(map[string]any)
		if !ok {
			return 0, "an entry of linkset is not an object"
		}
		for relation, value := range context {
			if relation == "anchor" {
				continue
			}
			targets, ok := value.([]any)
			if !ok {
				return 0, fmt.Sprintf("%.40q is not a list of links", relation)
			}
			for _, target := range targets {
				link, _ := target.(map[string]any)
				if href, _ := link["href"].(string); href == "" {
					return 0, fmt.Sprintf("a link of %.40q has no href", relation)
				}
				links++
			}
		}
	}
	if links == 0 {
		return 0, "it has no links"
	}
	return links, ""
}

// objectIn returns the JSON object that a file is, or says why it is none.
func objectIn(file *siteFile) (object map[string]any, problem string) {
	if !file.whole {
		return nil, fmt.Sprintf("it is over %d KiB", agentFileRead>>10)
	}
	var value any
	if err := json.Unmarshal(bytes.TrimPrefix(file.Body, []byte("\xef\xbb\xbf")), &value); err != nil {
		return nil, "it is not JSON"
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, "it is not a JSON object"
	}
	return object, ""
}

// agentCard is the index of the card of A2A in cardKinds.
const agentCard = 0

// cardKinds are the cards that agents look for. A card needs one of each group of properties.
var cardKinds = []struct {
	name, path string
	required   [][]string
}{
	{"agent card (A2A)", "/.well-known/agent-card.json", [][]string{
		{"name"}, {"description"}, {"version"}, {"url", "supportedInterfaces"}, {"capabilities"}, {"defaultInputModes"}, {"defaultOutputModes"}, {"skills"},
	}},
	{"MCP server card", "/.well-known/mcp/server-card.json", [][]string{{"name", "serverInfo"}}},
	{"MCP server card", "/.well-known/mcp.json", nil}, // an older place, of several forms
}

func checkCards(f *facts) finding {
	var found []string
	var at []Evidence
	for i, card := range f.site.cards {
		if !card.exists() {
			continue
		}
		here := Evidence{URL: shownAddress(card.URL)}
		object, problem := objectIn(card)
		if problem == "" {
			problem = lackingProperties(object, cardKinds[i].required)
		}
		if problem == "" && i == agentCard {
			problem = skillProblem(object)
		}
		if problem != "" {
			return failText([]Evidence{here}, "The %s cannot be used: %s.", cardKinds[i].name, problem)
		}
		found, at = append(found, cardKinds[i].name), append(at, here)
	}
	if len(found) == 0 {
		return notApplicableText("The site has neither an agent card nor an MCP server card.")
	}
	told := passText("The site has: %s.", strings.Join(found, ", "))
	told.evidence = at
	return told
}

// lackingProperties says which groups of properties an object has not one of, "" when it has one of each.
func lackingProperties(object map[string]any, required [][]string) string {
	var missing []string
	for _, group := range required {
		has := false
		for _, name := range group {
			value, ok := object[name]
			has = has || ok && value != nil && value != ""
		}
		if !has {
			missing = append(missing, strings.Join(group, " or "))
		}
	}
	if len(missing) == 0 {
		return ""
	}
	return "it lacks " + strings.Join(missing, ", ")
}

// skillProblem says what is wrong with the skills of an agent card, "" when nothing is or there are none.
func skillProblem(object map[string]any) string {
	value, ok := object["skills"]
	if !ok {
		return ""
	}
	skills, ok := value.([]any)
	if !ok {
		return "its skills are not a list"
	}
	for _, entry := range skills {
		skill, ok := entry.(map[string]any)
		if !ok {
			return "a skill is not an object"
		}
		if missing := lackingProperties(skill, [][]string{{"id"}, {"name"}, {"description"}, {"tags"}}); missing != "" {
			return "a skill is incomplete, " + missing
		}
	}
	return ""
}
