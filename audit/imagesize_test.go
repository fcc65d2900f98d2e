package audit

import (
	"testing"

	"sitegrade/audit/page"
)

func TestSizeRules(t *testing.T) {
	const image = `<img src=a.png id=logo class="wide hero">`
	sized := page.Room{HasWidth: true, HasHeight: true}
	for source, want := range map[string]struct{ certain, possible page.Room }{
		"":                                            {},
		"img{width:1px;height:2px}":                   {sized, sized},
		"IMG.wide{width:1px;height:2px}":              {sized, sized},
		"a, .hero.wide{width:1px;height:2px}":         {sized, sized},
		"#logo{width:1px} img{height:2px}":            {sized, sized},
		"*{width:1px;height:2px}":                     {sized, sized},
		"img{max-width:100%;height:auto}":             {},
		".other{width:1px;height:2px}":                {},
		"#wide{width:1px;height:2px}":                 {},
		"svg{width:1px;height:2px}":                   {},
		"img .wide{color:red}":                        {},
		".card img{width:1px;height:2px}":             {possible: sized},
		".card>img{width:1px;height:2px}":             {possible: sized},
		"img:first-child{width:1px;height:2px}":       {possible: sized},
		"@media print{img{width:1px;height:2px}}":     {possible: sized},
		"@media print{a{}} img{width:1px;height:2px}": {sized, sized},
		"img{aspect-ratio:1;width:9px}":               {page.Room{HasWidth: true, HasRatio: true}, page.Room{HasWidth: true, HasRatio: true}},
		"img{position:absolute}":                      {page.Room{Unplaced: true}, page.Room{Unplaced: true}},
	} {
		d := page.Parse([]byte(image), nil)
		certain, possible := roomBy(sizeRules([]byte(source)), d.Images[0])
		if certain != want.certain || possible != want.possible {
			t.Errorf("%s: %+v and perhaps %+v", source, certain, possible)
		}
	}
}
