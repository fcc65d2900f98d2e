package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"text/template"
)

// formula is what Homebrew installs an archive by. It is for a tap: a repository of formulae of one's own.
var formula = template.Must(template.New("formula").Parse(`# Sitegrade for Homebrew: put this file into Formula/ of a tap, then "brew install OWNER/TAP/sitegrade".
class Sitegrade < Formula
  desc "Self-hosted analysis of web pages and sites"
  homepage "{{.URL}}"
  version "{{.Version}}"
  license "MIT"
{{range .Systems}}
  on_{{.Name}} do
{{- range .Archives}}
    on_{{.Processor}} do
      url "{{$.URL}}/{{.Name}}"
      sha256 "{{.Sum}}"
    end
{{- end}}
  end
{{end}}
  def install
    bin.install "sitegrade"
    man1.install "sitegrade.1"
    bash_completion.install "completions/sitegrade.bash" => "sitegrade"
    zsh_completion.install "completions/_sitegrade"
    fish_completion.install "completions/sitegrade.fish"
    doc.install Dir["*.md"], "LICENSES", "config.example.toml"
    (etc/"sitegrade").install "config.example.toml" => "sitegrade.toml" unless (etc/"sitegrade/sitegrade.toml").exist?
  end

  def post_install
    (var/"sitegrade").mkpath
    (var/"sitegrade").chmod 0700
  end

  service do
    run [opt_bin/"sitegrade", "serve", "-config", etc/"sitegrade/sitegrade.toml", "-data", var/"sitegrade"]
    keep_alive crashed: true
    log_path var/"log/sitegrade.log"
    error_log_path var/"log/sitegrade.log"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/sitegrade version")
  end
end
`))

type formulaSystem struct {
	Name     string // as Homebrew has it
	Archives []formulaArchive
}

type formulaArchive struct{ Processor, Name, Sum string }

// writeFormula writes the formula for those systems of Homebrew that the release has archives for; for none of them it writes nothing.
func (r *release) writeFormula() error {
	var systems []formulaSystem
	for _, system := range []struct{ name, goos string }{{"macos", "darwin"}, {"linux", "linux"}} {
		found := formulaSystem{Name: system.name}
		for _, processor := range []struct{ name, arch string }{{"arm", "arm64"}, {"intel", "amd64"}} {
			name := r.name(system.goos + "_" + processor.arch + ".tar.gz")
			content, err := os.ReadFile(filepath.Join(r.out, name))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			} else if err != nil {
				return err
			}
			found.Archives = append(found.Archives, formulaArchive{processor.name, name, fmt.Sprintf("%x", sha256.Sum256(content))})
		}
		if len(found.Archives) > 0 {
			systems = append(systems, found)
		}
	}
	if len(systems) == 0 {
		return nil
	}
	var text bytes.Buffer
	if err := formula.Execute(&text, map[string]any{"URL": r.url, "Version": r.version, "Systems": systems}); err != nil {
		return err
	}
	return r.write("sitegrade.rb", text.Bytes())
}
