package audit

// seoIndexing are the checks of whether search engines may have the page at all.
var seoIndexing = []check{
	{
		id: "http-status", severity: High,
		title:  "Status of the page",
		advice: "Answer pages that exist with status 200, or redirect to where the content is now.",
		source: "Lighthouse http-status-code",
		run:    checkHTTPStatus,
	},
}

// The scores that the gates leave: nothing for an error page, not even decent for a page that search engines may not index.
const (
	errorPageLimit     = 0
	notIndexableLimit  = 49
	googleBlockedLimit = 79
)

func checkHTTPStatus(f *facts) finding {
	status := f.response.status
	if status >= 400 {
		return fail([]Evidence{{URL: f.final.String()}}, "The page answers with status %d.", status).cap(errorPageLimit)
	}
	return pass("The page answers with status %d.", status)
}
