package manual

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Page returns the manual page in roff, for man. It has no date, so that the same version has the same page.
func Page(version string, all []Command) string {
	var page strings.Builder
	fmt.Fprintf(&page, ".TH SITEGRADE 1 \"\" \"Sitegrade %s\" \"User Commands\"\n", roff(version))
	page.WriteString(pageBegin)
	writeCommands(&page, all)
	writeOptions(&page, all)
	page.WriteString(pageEnd)
	return page.String()
}

// roff returns a text in which nothing is a request or an escape of roff.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`).Replace(text)
	if strings.HasPrefix(text, ".") {
		return `\&` + text
	}
	return text
}

func writeCommands(w io.Writer, all []Command) {
	fmt.Fprint(w, ".SH COMMANDS\n")
	for _, d := range all {
		fmt.Fprintf(w, ".SS \"sitegrade %s\"\n%s.\n", strings.TrimSpace(roff(d.Name+" "+d.Operands)), roff(d.Summary))
		configured := false
		for _, f := range d.Flags {
			if f.Configured {
				configured = true
				continue
			}
			writeFlag(w, f)
		}
		if configured {
			fmt.Fprint(w, ".PP\nIt takes options of the configuration too.\n")
		}
	}
}

func writeFlag(w io.Writer, f Flag) {
	fmt.Fprintf(w, ".TP\n.B \\-%s", roff(f.Name))
	if f.Value != "" {
		fmt.Fprintf(w, " \\fI%s\\fR", roff(f.Value))
	}
	fmt.Fprintf(w, "\n%s\n", roff(f.Doc))
}

// writeOptions writes the options of the configuration, each once, with the commands that take it as a flag.
func writeOptions(w io.Writer, all []Command) {
	fmt.Fprint(w, ".SH CONFIGURATION\n", pageConfiguration)
	takers := map[string][]string{}
	var options []Flag
	for _, c := range all {
		for _, f := range c.Flags {
			if !f.Configured {
				continue
			}
			if takers[f.Name] == nil {
				options = append(options, f)
			}
			takers[f.Name] = append(takers[f.Name], c.Name)
		}
	}
	slices.SortFunc(options, func(a, b Flag) int { return cmp.Compare(a.Name, b.Name) })
	for _, f := range options {
		writeFlag(w, f)
		fmt.Fprintf(w, ".br\nTaken by %s.\n", roff(strings.Join(takers[f.Name], ", ")))
	}
}

const pageBegin = `.SH NAME
sitegrade \- audit web pages and sites, and keep their reports
.SH SYNOPSIS
.B sitegrade
.I COMMAND
.RI [ OPTIONS ]
.SH DESCRIPTION
Sitegrade fetches a page or a whole site, runs its checks, rates it good, decent or bad, and keeps the report.
.B sitegrade serve
serves an HTTP API and a dashboard from one file of a database;
.B sitegrade audit
makes a report without a server.
.PP
While a server runs, the commands that work on its data talk to it through its control socket, which only its user can open. With no server
running they open the database themselves.
`

const pageConfiguration = `No option is needed. Each has one name in three spellings:
.B \-rate\-limit
as a flag,
.B SITEGRADE_RATE_LIMIT
in the environment,
.B rate_limit
in the TOML file that
.B \-config
or
.B SITEGRADE_CONFIG
names. A flag beats the environment, which beats the file.
`

const pageEnd = `.SH ENVIRONMENT
.TP
.B SITEGRADE_CONFIG
The file of the configuration.
.TP
.B SITEGRADE_API_KEY
The key that the first start of a server takes for its first one, in place of making it up.
.TP
.B NO_COLOR
Where it is set, nothing is printed in colours.
.SH FILES
.TP
.I data/sitegrade.db
The database. A backup is restored by putting it there while no server runs.
.TP
.I data/first\-key
The key that the first start of a server has made.
.TP
.I data/sitegrade.sock
The control socket of the server that runs.
.TP
.I /etc/sitegrade/sitegrade.toml
The configuration of the service that a package has installed, whose data is in
.IR /var/lib/sitegrade .
.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
Failed; of audit: a condition of the command line does not hold; of check: there is a difference.
.TP
.B 2
The command line or the configuration is wrong.
.TP
.B 3
Of audit: a page could not be audited.
.SH EXAMPLES
.nf
sitegrade audit \-fail\-under 80 http://localhost:3000/
sitegrade audit \-crawl \-output html=site.html https://example.com/
sitegrade serve \-data /srv/sitegrade
sitegrade keys create \-name dashboard \-scopes read
.fi
.SH SEE ALSO
The documentation of the API is at /docs of a running server.
`
