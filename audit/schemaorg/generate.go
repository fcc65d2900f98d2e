//go:build ignore

// This program writes vocabulary.txt from the declarations of the npm package schema-dts, which are generated from schema.org:
//
//	npm pack schema-dts@2.1.0 && tar xzf schema-dts-2.1.0.tgz
//	go run generate.go package/dist/schema.d.ts >vocabulary.txt
package main

import (
	"fmt"
	"log"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

var (
	declared = regexp.MustCompile(`(?m)^export type ([A-Z_]\w*)\b.* = `)
	extends  = regexp.MustCompile(`(?m)^(?:export )?interface (\w+?)(?:Base|Leaf) extends ([^{]+) \{`)
	property = regexp.MustCompile(`(?m)^    "([a-z]\w*)"\?: `)
	helpers  = regexp.MustCompile(`Leaf$|^With`)
)

func main() {
	source, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	types := map[string]map[string]bool{}
	for _, m := range declared.FindAllSubmatch(source, -1) {
		if name := string(m[1]); !helpers.MatchString(name) {
			types[name] = map[string]bool{}
		}
	}
	for _, m := range extends.FindAllSubmatch(source, -1) {
		for parent := range strings.SplitSeq(string(m[2]), ", ") {
			parent = strings.TrimSuffix(parent, "Base")
			if name := string(m[1]); types[parent] != nil && types[name] != nil && parent != name {
				types[name][parent] = true
			}
		}
	}
	fmt.Println("# The types of schema.org with those that they are kinds of, and its properties. From the npm package schema-dts 2.1.0.")
	for _, name := range slices.Sorted(maps.Keys(types)) {
		words := append([]string{"type", name}, slices.Sorted(maps.Keys(types[name]))...)
		fmt.Println(strings.ReplaceAll(strings.Join(words, " "), "_3D", "3D"))
	}
	properties := map[string]bool{}
	for _, m := range property.FindAllSubmatch(source, -1) {
		properties[string(m[1])] = true
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		fmt.Println("property", name)
	}
}
