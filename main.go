// Command sitegrade is a self-hosted HTTP API for website analysis in one binary.
package main

import (
	"os"

	"sitegrade/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
