package audit

import (
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"

	"sitegrade/audit/page"
)

// sizeRule is what a rule of CSS says about the room that images take.
type sizeRule struct {
	page.Room
	compound
	certain bool // it holds for every image that the compound fits; not so within a query, or after a combinator
}

// maxSizeRules is how many rules are compared with each image.
const maxSizeRules = 5000

// compound is the last part of a selector, which is about the element itself.
type compound struct {
	element, id string
	classes     []string
}

// sizeRules returns the rules of a stylesheet that may say how large images are.
func sizeRules(source []byte) []sizeRule {
	var found, open []sizeRule
	conditions := 0
	p := css.NewParser(parse.NewInputBytes(slices.Clone(source)), false)
	for {
		switch grammar, _, data := p.Next(); grammar {
		case css.ErrorGrammar:
			if !p.HasParseError() {
				return found
			}
		case css.BeginAtRuleGrammar:
			conditions++
		case css.EndAtRuleGrammar:
			conditions--
		case css.QualifiedRuleGrammar, css.BeginRulesetGrammar:
			for selector := range strings.SplitSeq(textOfTokens(p.Values()), ",") {
				own, whole := lastCompound(selector)
				open = append(open, sizeRule{compound: own, certain: whole && conditions == 0})
			}
		case css.DeclarationGrammar:
			value := textOfTokens(p.Values())
			for i := range open {
				open[i].Declare(string(data), value)
			}
		case css.EndRulesetGrammar:
			for _, rule := range open {
				if rule.Room != (page.Room{}) && (rule.element == "" || rule.element == "img") {
					found = append(found, rule)
				}
			}
			open = nil
		}
	}
}

func textOfTokens(tokens []css.Token) string {
	var b strings.Builder
	for _, t := range tokens {
		b.Write(t.Data)
	}
	return b.String()
}

// lastCompound reads the last part of a selector, and reports whether that is all that the selector asks for.
func lastCompound(selector string) (own compound, whole bool) {
	selector = strings.TrimSpace(selector)
	start := strings.LastIndexAny(selector, " \t\n>+~") + 1
	whole = start == 0
	if end := strings.IndexAny(selector[start:], ":["); end >= 0 {
		selector, whole = selector[:start+end], false
	}
	rest := selector[start:]
	for rest != "" {
		end := strings.IndexAny(rest[1:], ".#") + 1
		if end == 0 {
			end = len(rest)
		}
		switch part := rest[:end]; part[0] {
		case '.':
			own.classes = append(own.classes, part[1:])
		case '#':
			own.id = part[1:]
		case '*':
		default:
			own.element = strings.ToLower(part)
		}
		rest = rest[end:]
	}
	return own, whole
}

// fits reports whether the compound is about an image.
func (c compound) fits(id string, classes []string) bool {
	if c.id != "" && c.id != id {
		return false
	}
	return !slices.ContainsFunc(c.classes, func(class string) bool { return !slices.Contains(classes, class) })
}

// imageRules returns what the style elements and the fetched stylesheets say about the room of images, and whether every stylesheet of
// the page was read.
func (f *facts) imageRules() (rules []sizeRule, all bool) {
	for _, source := range f.doc.Styles {
		rules = append(rules, sizeRules([]byte(source))...)
	}
	all = true
	read := map[string]bool{}
	for _, r := range answered(f.sampled(stylesheetResource)) {
		rules = append(rules, sizeRules(r.Body)...)
		read[r.evidence.URL] = !r.truncated
	}
	for _, s := range f.doc.Stylesheets {
		if media, _ := s.Attribute("media"); s.Disabled || strings.EqualFold(media, "print") {
			continue
		}
		if s.URL == nil || !read[shownAddress(s.URL)] {
			all = false
		}
	}
	if len(rules) > maxSizeRules {
		return rules[:maxSizeRules], false
	}
	return rules, all
}

// roomBy returns what is certain of the room of an image by these rules, and what may be true of it.
func roomBy(rules []sizeRule, i page.Image) (certain, possible page.Room) {
	id, _ := i.Attribute("id")
	class, _ := i.Attribute("class")
	classes := strings.Fields(class)
	certain, possible = i.Room, i.Room
	for _, r := range rules {
		if !r.fits(id, classes) {
			continue
		}
		possible = possible.And(r.Room)
		if r.certain {
			certain = certain.And(r.Room)
		}
	}
	return certain, possible
}
