package audit

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"sitegrade/audit/header"
	"sitegrade/locale"
)

func checkRSL(f *facts) finding {
	licenses := f.licenses()
	for _, s := range f.doc.Scripts {
		if s.MIME == rslType {
			at := []Evidence{evidenceOf(f.doc, s.Element)}
			if problem := rslProblem([]byte(s.Text())); !problem.IsZero() {
				return fail(at, "rsl.inline-unreadable", locale.PhraseOf(problem))
			}
			if len(licenses) == 0 {
				return pass("rsl.inline")
			}
		}
	}
	if len(licenses) == 0 {
		return notApplicable("common.no-license")
	}
	for _, l := range licenses {
		if l.url == nil {
			return fail([]Evidence{l.at}, "rsl.relative")
		}
	}
	at, file := []Evidence{licenses[0].at}, f.site.license
	switch {
	case file == nil || file.Failure != nil:
		return notApplicable("rsl.unfetched")
	case file.Status != 200:
		return fail(at, "rsl.status", locale.Code(file.Status))
	case looksLikeHTML(file.Body):
		return fail(at, "rsl.html")
	case !file.whole:
		return notApplicable("rsl.too-large", locale.KiB(agentFileRead>>10)).without(UnseenSize)
	}
	if problem := rslProblem(file.Body); !problem.IsZero() {
		return fail(at, "rsl.unreadable", locale.PhraseOf(problem))
	}
	return pass("rsl.readable")
}

// rslNamespace is that of Really Simple Licensing 1.0.
const rslNamespace = "https://rslstandard.org/rsl"

// rslProblem says what is wrong with a license, nothing when nothing is. Licenses may also be in a feed (rss), beside its items.
func rslProblem(body []byte) (none locale.Sentence) {
	decoder := xml.NewDecoder(bytes.NewReader(body))
	decoder.CharsetReader = asASCII
	root, contents, unnamed := "", 0, 0
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return locale.Say("rsl.not-xml")
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if root == "" {
			if root = e.Name.Local; root != "rsl" && root != "rss" {
				return locale.Say("rsl.other-root", locale.Text(cutText(root, 40)))
			}
			if root == "rsl" && e.Name.Space != rslNamespace {
				return locale.Say("rsl.other-namespace", locale.Text(rslNamespace))
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
		return locale.Say("rsl.empty")
	case contents == 0:
		return locale.Say("rsl.no-content")
	case unnamed > 0:
		return locale.Say("rsl.content-without-url")
	}
	return none
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
		return notApplicable("api-catalog.missing")
	}
	at := []Evidence{{URL: shownAddress(file.URL)}}
	media := header.MIMEType(file.Header)
	links, problem := linksetProblem(file)
	switch {
	case !problem.IsZero():
		return fail(at, "api-catalog.unreadable", locale.PhraseOf(problem))
	case media != "application/linkset+json":
		return fail(at, "api-catalog.type", typeOf(media))
	}
	return pass("api-catalog.found", locale.Count(links))
}

// linksetProblem counts the links of a set of links in JSON (RFC 9264, section 4.2), or says what is wrong with it.
func linksetProblem(file *siteFile) (links int, problem locale.Sentence) {
	set, problem := objectIn(file)
	if !problem.IsZero() {
		return 0, problem
	}
	contexts, ok := set["linkset"].([]any)
	if !ok {
		return 0, locale.Say("api-catalog.no-linkset")
	}
	for _, entry := range contexts {
		context, ok := entry.(map[string]any)
		if !ok {
			return 0, locale.Say("api-catalog.no-object")
		}
		for relation, value := range context {
			if relation == "anchor" {
				continue
			}
			targets, ok := value.([]any)
			if !ok {
				return 0, locale.Say("api-catalog.no-list", locale.Quoted(cutText(relation, 40)))
			}
			for _, target := range targets {
				link, _ := target.(map[string]any)
				if href, _ := link["href"].(string); href == "" {
					return 0, locale.Say("api-catalog.no-href", locale.Quoted(cutText(relation, 40)))
				}
				links++
			}
		}
	}
	if links == 0 {
		return 0, locale.Say("api-catalog.no-links")
	}
	return links, problem
}

// objectIn returns the JSON object that a file is, or says why it is none.
func objectIn(file *siteFile) (object map[string]any, problem locale.Sentence) {
	if !file.whole {
		return nil, locale.Say("common.file-too-large", locale.KiB(agentFileRead>>10))
	}
	var value any
	if err := json.Unmarshal(bytes.TrimPrefix(file.Body, []byte("\xef\xbb\xbf")), &value); err != nil {
		return nil, locale.Say("common.file-not-json")
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, locale.Say("common.file-no-object")
	}
	return object, problem
}

// agentCard is the index of the card of A2A in cardKinds.
const agentCard = 0

// cardKinds are the cards that agents look for. A card needs one of each group of properties.
var cardKinds = []struct {
	name, path string // name is what its words are called in the catalogues
	required   [][]string
}{
	{"agent-card", "/.well-known/agent-card.json", [][]string{
		{"name"}, {"description"}, {"version"}, {"url", "supportedInterfaces"}, {"capabilities"}, {"defaultInputModes"}, {"defaultOutputModes"}, {"skills"},
	}},
	{"mcp-card", "/.well-known/mcp/server-card.json", [][]string{{"name", "serverInfo"}}},
	{"mcp-card", "/.well-known/mcp.json", nil}, // an older place, of several forms
}

func checkCards(f *facts) finding {
	var found []locale.Arg
	var at []Evidence
	for i, card := range f.site.cards {
		if !card.exists() {
			continue
		}
		here := Evidence{URL: shownAddress(card.URL)}
		object, problem := objectIn(card)
		if missing := lackingProperties(object, cardKinds[i].required); problem.IsZero() && len(missing) > 0 {
			problem = locale.Say("well-known-cards.lacks", locale.List(missing))
		}
		if problem.IsZero() && i == agentCard {
			problem = skillProblem(object)
		}
		if !problem.IsZero() {
			return fail([]Evidence{here}, "well-known-cards."+cardKinds[i].name+"-unusable", locale.PhraseOf(problem))
		}
		found, at = append(found, locale.Phrase("well-known-cards."+cardKinds[i].name)), append(at, here)
	}
	if len(found) == 0 {
		return notApplicable("well-known-cards.missing")
	}
	told := pass("well-known-cards.found", locale.ListOf(found))
	told.evidence = at
	return told
}

// lackingProperties returns the groups of properties that an object has not one of, each as people read it.
func lackingProperties(object map[string]any, required [][]string) (missing []string) {
	for _, group := range required {
		has := false
		for _, name := range group {
			value, ok := object[name]
			has = has || ok && value != nil && value != ""
		}
		if !has {
			missing = append(missing, strings.Join(group, " / "))
		}
	}
	return missing
}

// skillProblem says what is wrong with the skills of an agent card, nothing when nothing is or there are none.
func skillProblem(object map[string]any) (none locale.Sentence) {
	value, ok := object["skills"]
	if !ok {
		return none
	}
	skills, ok := value.([]any)
	if !ok {
		return locale.Say("well-known-cards.no-list")
	}
	for _, entry := range skills {
		skill, ok := entry.(map[string]any)
		if !ok {
			return locale.Say("well-known-cards.no-object")
		}
		if missing := lackingProperties(skill, [][]string{{"id"}, {"name"}, {"description"}, {"tags"}}); len(missing) > 0 {
			return locale.Say("well-known-cards.incomplete-skill", locale.List(missing))
		}
	}
	return none
}
