package cli

import (
	"log/slog"
	"math"
	"net/netip"
	"time"

	"golang.org/x/crypto/acme/autocert"

	"sitegrade/api"
	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/fetch"
	"sitegrade/httpx"
	"sitegrade/notify"
	"sitegrade/worker"
)

// settings is the whole configuration. options gives each its name and its meaning.
type settings struct {
	file  string // that the rest was read from; "" for none
	guest bool   // this process is no server, and does none of the work

	Listen           string
	BaseURL          string
	Data             string
	Database         string
	MaxSize          int64
	TrustedProxies   []netip.Prefix
	ForwardedHeaders []string
	CORSOrigins      []string
	IndexShared      bool
	Wait             time.Duration
	RateLimit        int
	MaxConnections   int
	LogLevel         slog.Level
	MetricsListen    string
	TLSCert          string
	TLSKey           string
	ACMEHosts        []string
	ACMEDirectory    string
	ACMEEmail        string
	Keep             retention
	KeepFindings     int
	SMTPURL          string
	SMTPFrom         string
	ScheduleSpread   time.Duration
	UpdateURL        string

	Workers            int
	AllowNetworks      []netip.Prefix
	AuditTimeout       time.Duration
	AuditMaxSize       int64
	AuditSamples       int
	AuditSiteRequests  int
	AuditExternalLinks bool
	MaxRedirects       int
}

func defaultSettings() *settings {
	audits := audit.DefaultOptions()
	return &settings{
		Listen:            "127.0.0.1:8080",
		Data:              "./data",
		ForwardedHeaders:  httpx.XForwarded,
		Wait:              api.DefaultWait,
		RateLimit:         50,
		MaxConnections:    4096,
		LogLevel:          slog.LevelInfo,
		ACMEDirectory:     autocert.DefaultACMEDirectory,
		KeepFindings:      db.DefaultKeepFindings,
		ScheduleSpread:    worker.DefaultSpread,
		Workers:           4,
		AuditTimeout:      audits.Timeout,
		AuditMaxSize:      audits.MaxSize,
		AuditSamples:      audits.Samples,
		AuditSiteRequests: audits.SiteRequests,
		MaxRedirects:      audits.MaxRedirects,
	}
}

// optionGroup says which commands take an option as a flag. The environment and the file may hold all options for all commands.
type optionGroup uint8

const (
	dataOptions   optionGroup = 1 << iota // where the database is: all commands that use it
	auditOptions                          // the limits of an audit: audit and serve
	serverOptions                         // serve alone

	noFlag     optionGroup = 0 // for commands that have a flag of their own for it
	allOptions             = dataOptions | auditOptions | serverOptions
)

// option is one setting with its one name: rate_limit in the file, SITEGRADE_RATE_LIMIT in the environment, -rate-limit as a flag.
type option struct {
	group    optionGroup
	name     string
	doc      string // with the name of its value in backquotes, as package flag has it
	value    value
	isSwitch bool // the flag alone means true
}

// options is the table of the configuration, bound to s. Its order is that of config.example.toml.
func (s *settings) options() []option {
	return append(s.servingOptions(), s.workOptions()...)
}

// servingOptions are those of the server and of its data.
func (s *settings) servingOptions() []option {
	return []option{
		{group: serverOptions, name: "listen", value: listenValue(&s.Listen),
			doc: "`address` and port to serve on"},
		{group: serverOptions, name: "base_url", value: baseURLValue(&s.BaseURL),
			doc: "`address` that links in responses start with; empty: where the request was sent to"},
		{group: dataOptions, name: "data", value: textValue(&s.Data),
			doc: "`directory` of the database, of the first key and of the control socket"},
		{group: dataOptions, name: "database", value: databaseValue(&s.Database),
			doc: "`address` of a PostgreSQL database that servers share, postgres://user@host/name; empty: a file in the data directory"},
		{group: dataOptions, name: "max_size", value: sizeValue(&s.MaxSize, 0),
			doc: "`size` that the database file may grow to, such as 20GiB; 0: no limit"},
		{group: serverOptions, name: "trusted_proxies", value: networksValue(&s.TrustedProxies),
			doc: "`networks` of proxies whose forwarded_headers count, comma separated"},
		{group: serverOptions, name: "forwarded_headers", value: forwardedValue(&s.ForwardedHeaders),
			doc: "`headers` that the trusted proxies set: Forwarded, or some of X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host"},
		{group: serverOptions, name: "cors_origins", value: listValue(&s.CORSOrigins),
			doc: "`origins` whose scripts may use the API in a browser, comma separated; empty: none"},
		{group: serverOptions, name: "index_shared", value: switchValue(&s.IndexShared), isSwitch: true,
			doc: "let search engines list the pages of public reports"},
		{group: serverOptions, name: "wait", value: durationValue(&s.Wait, 0, api.MaxWait),
			doc: "`time` that a create waits for its report where the request does not say"},
		{group: serverOptions, name: "rate_limit", value: countValue(&s.RateLimit, 0, 1_000_000),
			doc: "`number` of requests a second with a key, sessions included, with bursts of twice that; 0: no limit"},
		{group: serverOptions, name: "max_connections", value: countValue(&s.MaxConnections, 1, 1_000_000),
			doc: "`number` of connections that may be open; further ones wait until another ends"},
		{group: serverOptions, name: "log_level", value: levelValue(&s.LogLevel),
			doc: "`level` of the log: debug, info, warn or error"},
		{group: serverOptions, name: "metrics_listen", value: optionalListenValue(&s.MetricsListen),
			doc: "`address` and port of the metrics for Prometheus; empty: none"},
		{group: serverOptions, name: "tls_cert", value: textValue(&s.TLSCert),
			doc: "`file` with the certificate and its chain (PEM), for HTTPS"},
		{group: serverOptions, name: "tls_key", value: textValue(&s.TLSKey),
			doc: "`file` with the private key of tls_cert (PEM)"},
		{group: serverOptions, name: "acme_hosts", value: certifiedHostsValue(&s.ACMEHosts),
			doc: "`hosts` to get certificates for from Let's Encrypt, comma separated; serve on port 443 then"},
		{group: serverOptions, name: "acme_directory", value: authorityValue(&s.ACMEDirectory),
			doc: "`address` of the directory of the authority (ACME) that certifies acme_hosts; the system, or SSL_CERT_FILE, must trust its certificate"},
		{group: serverOptions, name: "acme_email", value: emailValue(&s.ACMEEmail),
			doc: "e-mail `address` that the authority may write to about the certificates; empty: none"},
		{group: dataOptions, name: "keep", value: keepValue(&s.Keep),
			doc: "`limit` of what is kept: days such as 90d, or a number of reports for each address; empty: everything"},
		{group: dataOptions, name: "keep_findings", value: countValue(&s.KeepFindings, 1, 1000),
			doc: "`number` of generations of each report whose whole findings are kept; of older ones the outcomes stay"},
	}
}

// workOptions are those of what the server does by itself, and of audits.
func (s *settings) workOptions() []option {
	return []option{
		{group: serverOptions, name: "smtp_url", value: textValue(&s.SMTPURL),
			doc: "`address` of the server that mails go out through, such as smtp://user:password@mail.example.com:587 or smtps://...; empty: no mail"},
		{group: serverOptions, name: "smtp_from", value: textValue(&s.SMTPFrom),
			doc: "`mailbox` that mails come from, such as \"Sitegrade <reports@example.com>\""},
		{group: serverOptions, name: "schedule_spread", value: durationValue(&s.ScheduleSpread, 0, time.Hour),
			doc: "`time` within which schedules of the same moment begin, each always at the same part of it"},
		{group: serverOptions, name: "workers", value: countValue(&s.Workers, 1, 1000),
			doc: "`number` of audits that use the processor at the same time; eight times as many may wait for a network"},
		{group: serverOptions, name: "allow_networks", value: networksValue(&s.AllowNetworks),
			doc: "`networks` that may be audited beside public addresses, comma separated, such as 127.0.0.0/8"},
		{group: noFlag, name: "update_url", value: textValue(&s.UpdateURL),
			doc: "`folder` of a release, or its URL (file:///, https://), that update and version look at where -from names no other"},
		{group: auditOptions, name: "audit_timeout", value: durationValue(&s.AuditTimeout, time.Second, 10*time.Minute),
			doc: "`time` that an audit may take"},
		{group: auditOptions, name: "audit_max_size", value: sizeValue(&s.AuditMaxSize, 1),
			doc: "`size` that a document may have, decoded"},
		{group: auditOptions, name: "audit_samples", value: countValue(&s.AuditSamples, 0, 1000),
			doc: "`number` of linked resources that are looked at; 0: none"},
		{group: auditOptions, name: "audit_site_requests", value: countValue(&s.AuditSiteRequests, 0, 100),
			doc: "`number` of kinds of requests that may go to the site beside the page (robots.txt, sitemap, ...); 0: none"},
		{group: auditOptions, name: "audit_external_links", value: switchValue(&s.AuditExternalLinks), isSwitch: true,
			doc: "look at links to other hosts too"},
		{group: auditOptions, name: "max_redirects", value: countValue(&s.MaxRedirects, 1, 50),
			doc: "`number` of redirects that a page may take"},
	}
}

// auditsPerWorker is how many audits may be under way for each of Workers. An audit uses the processor for a few hundredths of a second and waits
// for a network for a second or more. Many more would be no faster, and each takes up to two megabytes (rooms.go in audit).
const auditsPerWorker = 8

// auditor returns an auditor with the limits of s that may dial these networks beside public addresses.
func (s *settings) auditor(allow []netip.Prefix) *audit.Auditor {
	return audit.New(fetch.New(fetch.Options{AllowNetworks: allow}), audit.Options{
		Timeout:       s.AuditTimeout,
		MaxSize:       s.AuditMaxSize,
		MaxRedirects:  s.MaxRedirects,
		SiteRequests:  noneAsNegative(s.AuditSiteRequests),
		Samples:       noneAsNegative(s.AuditSamples),
		CheckExternal: s.AuditExternalLinks,
		Workers:       s.Workers,
	})
}

// sender returns what delivers to webhooks. The error names the option that is wrong.
func (s *settings) sender() (*notify.Sender, error) {
	var mailer *notify.Mailer
	if s.SMTPURL != "" {
		var err error
		if mailer, err = notify.NewMailer(s.SMTPURL, s.SMTPFrom); err != nil {
			return nil, err
		}
	}
	return notify.New(fetch.New(fetch.Options{AllowNetworks: s.AllowNetworks}), mailer), nil
}

// noneAsNegative spells "none" as the packages below do, where 0 means the default.
func noneAsNegative[N int | time.Duration](n N) N {
	if n == 0 {
		return -1
	}
	return n
}

// fileLimit returns max_size as the database takes it.
func (s *settings) fileLimit() int64 { return min(s.MaxSize, math.MaxInt) }
