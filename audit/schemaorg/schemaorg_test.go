package schemaorg

import (
	"slices"
	"testing"
)

func TestNames(t *testing.T) {
	for _, name := range []string{"Product", "3DModel", "NewsArticle", "Role", "DayOfWeek", "Text"} {
		if !IsType(name) {
			t.Errorf("%s is no type", name)
		}
	}
	for _, name := range []string{"name", "offers", "query-input", "hasMemberProgram", "isicV4"} {
		if !IsProperty(name) {
			t.Errorf("%s is no property", name)
		}
	}
	for _, name := range []string{"product", "name", "", "Produkt", "www_omg_org"} {
		if IsType(name) {
			t.Errorf("%s is a type", name)
		}
	}
	if IsProperty("Name") || IsProperty("") || IsProperty("Product") {
		t.Error("names that are no properties count as properties")
	}
	kinds := Kinds("Restaurant")
	for _, kind := range []string{"Restaurant", "LocalBusiness", "Organization", "Place", "Thing"} {
		if !slices.Contains(kinds, kind) {
			t.Errorf("a restaurant is no %s", kind)
		}
	}
}

func TestNearest(t *testing.T) {
	for wrong, want := range map[string]string{"Prodct": "Product", "product": "Product", "Artcile": "Article", "Xyzzy": "", "Qq": ""} {
		if got := NearestType(wrong); got != want {
			t.Errorf("%s: %q, want %q", wrong, got, want)
		}
	}
	for wrong, want := range map[string]string{"nmae": "name", "Name": "name", "agregateRating": "aggregateRating", "frobnicate": ""} {
		if got := NearestProperty(wrong); got != want {
			t.Errorf("%s: %q, want %q", wrong, got, want)
		}
	}
}

func TestVocabulary(t *testing.T) {
	for _, url := range []string{
		"http://schema.org", "https://schema.org/", "https://www.schema.org", "HTTPS://Schema.org/", "https://pending.schema.org/",
		"//schema.org", "https://schema.org/docs/jsonldcontext.jsonld", "https://schema.org/#",
	} {
		if !Is(url) || IsMisspelt(url) {
			t.Errorf("%s: %t, misspelt %t", url, Is(url), IsMisspelt(url))
		}
	}
	for _, url := range []string{
		"https://schema.og", "schema.org", "http:/schema.org", "https://schema.com/", "http://shema.org", "https://schema.org/Product", "http://schemas.org", "ftp://schema.org",
	} {
		want := url != "http:/schema.org" && url != "ftp://schema.org"
		if Is(url) || IsMisspelt(url) != want {
			t.Errorf("%s: %t, misspelt %t", url, Is(url), IsMisspelt(url))
		}
	}
	for _, url := range []string{"", "https://www.w3.org/ns/activitystreams", "http://ogp.me/ns#", "https://w3id.org/security/v1", "http://purl.org/goodrelations/v1#"} {
		if Is(url) || IsMisspelt(url) {
			t.Errorf("%s: %t, misspelt %t", url, Is(url), IsMisspelt(url))
		}
	}
}
