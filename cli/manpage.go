package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// manPage prints the manual page in roff, for man(1). It is written from the tables of commands and options alone, so that the two cannot
// differ, and has no date, so that the same version has the same page.
func manPage(_ context.Context, c *console, args []string) error {
	operands, err := c.parse(c.flags(), args)
	if err != nil {
		return err
	}
	if err := c.noOperands(operands); err != nil {
		return err
	}
	all, err := describeAll()
	if err != nil {
		return err
	}
	var page strings.Builder
	fmt.Fprintf(&page, ".TH SITEGRADE 1 \"\" \"Sitegrade %s\" \"User Commands\"\n", roff(buildVersion()))
	page.WriteString(manualBegin)
	writeManualCommands(&page, all)
	writeManualOptions(&page, all)
	page.WriteString(manualEnd)
	_, err = io.WriteString(c.stdout, page.String())
	return err
}

// roff returns a text in which nothing is a request or an escape of roff.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`).Replace(text)
	if strings.HasPrefix(text, ".") {
		return `\&` + text
	}
	return text
}

func writeManualCommands(w io.Writer, all []described) {
	fmt.Fprint(w, ".SH COMMANDS\n")
	for _, d := range all {
		fmt.Fprintf(w, ".SS \"sitegrade %s\"\n%s.\n", strings.TrimSpace(roff(d.name+" "+d.operands)), roff(d.summary))
		configured := false
		for _, f := range d.flags {
			if f.isOption {
				configured = true
				continue
			}
			writeManualFlag(w, f)
		}
		if configured {
			fmt.Fprint(w, ".PP\nIt takes options of the configuration too.\n")
		}
	}
}

func writeManualFlag(w io.Writer, f describedFlag) {
	fmt.Fprintf(w, ".TP\n.B \\-%s", roff(f.name))
	if f.value != "" {
		fmt.Fprintf(w, " \\fI%s\\fR", roff(f.value))
	}
	fmt.Fprintf(w, "\n%s\n", roff(f.doc))
}

// writeManualOptions writes the options of the configuration, each once, with the commands that take it as a flag.
func writeManualOptions(w io.Writer, all []described) {
	fmt.Fprint(w, ".SH CONFIGURATION\n", manualConfiguration)
	takers := map[string][]string{}
	flags := map[string]describedFlag{}
	for _, d := range all {
		for _, f := range d.flags {
			takers[f.name] = append(takers[f.name], d.name)
			flags[f.name] = f
		}
	}
	for _, o := range defaultSettings().options() {
		name := strings.ReplaceAll(o.name, "_", "-")
		writeManualFlag(w, flags[name])
		fmt.Fprintf(w, ".br\nTaken by %s.\n", roff(strings.Join(takers[name], ", ")))
	}
}

const manualBegin = `.SH NAME
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

const manualConfiguration = `No option is needed. Each has one name in three spellings:
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

const manualEnd = `.SH ENVIRONMENT
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
