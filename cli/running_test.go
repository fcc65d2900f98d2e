package cli

import "testing"

func TestRestartOf(t *testing.T) {
	tests := map[string]string{
		"0::/system.slice/sitegrade.service\n":                                          "sudo systemctl restart sitegrade.service",
		"12:pids:/x\n0::/system.slice/system-site.slice/site@a b.service":               "sudo systemctl restart 'site@a b.service'",
		"0::/user.slice/user-1000.slice/user@1000.service/app.slice/sitegrade.service":  "systemctl --user restart sitegrade.service",
		"0::/user.slice/user-1000.slice/user@1000.service/app.slice/terminal-1.scope\n": "",
		"0::/\n": "",
		"":       "",
	}
	for groups, want := range tests {
		if got := restartOf(groups); got != want {
			t.Errorf("%q: %q, want %q", groups, got, want)
		}
	}
}
