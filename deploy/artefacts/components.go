package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
)

// writeComponents writes what the program of a target was linked from (a software bill of materials), as the program itself tells it.
func (r *release) writeComponents(t target, program string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	binary, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(binary)
	main := module("sitegrade", r.version)
	main.Type = cyclonedx.ComponentTypeApplication
	main.Hashes = &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: hex.EncodeToString(sum[:])}}
	main.Licenses = &cyclonedx.Licenses{{License: &cyclonedx.License{ID: "MIT"}}}

	linked := []cyclonedx.Component{module("std", strings.TrimPrefix(info.GoVersion, "go"))}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		c := module(m.Path, m.Version)
		c.Properties = &[]cyclonedx.Property{{Name: "go:sum", Value: m.Sum}}
		linked = append(linked, c)
	}
	needs := cyclonedx.Dependency{Ref: main.BOMRef, Dependencies: &[]string{}}
	for _, c := range linked {
		*needs.Dependencies = append(*needs.Dependencies, c.BOMRef)
	}
	list := cyclonedx.NewBOM()
	list.SerialNumber = "urn:uuid:" + numberOf(sum)
	list.Metadata = &cyclonedx.Metadata{
		Timestamp:  r.source.time.Format(time.RFC3339),
		Component:  &main,
		Properties: &[]cyclonedx.Property{{Name: "sitegrade:target", Value: t.String()}, {Name: "sitegrade:commit", Value: r.source.commit}},
	}
	list.Components = &linked
	list.Dependencies = &[]cyclonedx.Dependency{needs}
	var text bytes.Buffer
	if err := cyclonedx.NewBOMEncoder(&text, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(list); err != nil {
		return err
	}
	return r.write(r.name(t.platform()+".sbom.json"), text.Bytes())
}

// module returns a component for a module of Go.
func module(path, version string) cyclonedx.Component {
	purl := "pkg:golang/" + path + "@" + version
	return cyclonedx.Component{Type: cyclonedx.ComponentTypeLibrary, BOMRef: purl, Name: path, Version: version, PackageURL: purl}
}

// numberOf returns a UUID (version 8, RFC 9562) that a program always has.
func numberOf(sum [32]byte) string {
	b := sum[:16]
	b[6] = b[6]&0x0f | 0x80
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
