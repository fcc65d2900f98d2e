package manual

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// shells are the shells that completions are written for.
var shells = []struct {
	name  string
	write func(w io.Writer, all []Command)
}{
	{"bash", writeBash},
	{"zsh", writeZsh},
	{"fish", writeFish},
}

// Shells returns the names of the shells that completions are written for.
func Shells() []string {
	var names []string
	for _, s := range shells {
		names = append(names, s.name)
	}
	return names
}

// Completion returns a script that completes the command lines of these commands in a shell; ok is false for a shell that Shells does not name.
func Completion(shell string, all []Command) (script string, ok bool) {
	for _, s := range shells {
		if s.name == shell {
			var b strings.Builder
			s.write(&b, all)
			return b.String(), true
		}
	}
	return "", false
}

func writeBash(w io.Writer, all []Command) {
	fmt.Fprintf(w, `# The completion of sitegrade in bash, as "sitegrade completion bash" prints it.
_sitegrade() {
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
	local flags= paths= values= operands= IFS=$' \t\n'
	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W '%s' -- "$current"))
		return
	fi
`, strings.Join(firstWords(all), " "))
	for _, group := range groups(all) {
		fmt.Fprintf(w, `	if [ "$command" = %s ]; then
		if [ "$COMP_CWORD" -eq 2 ]; then
			COMPREPLY=($(compgen -W '%s' -- "$current"))
			return
		fi
		command="$command ${COMP_WORDS[2]}"
	fi
`, group, strings.Join(secondWords(all, group), " "))
	}
	fmt.Fprintln(w, "\tcase $command in")
	for _, d := range all {
		operands := strings.Join(d.Choices, " ")
		if d.takesPath() {
			operands = "FILE"
		}
		fmt.Fprintf(w, "\t'%s')\n\t\tflags='%s'\n\t\tpaths='%s'\n\t\tvalues='%s'\n\t\toperands='%s'\n\t\t;;\n", d.Name,
			d.names(func(Flag) bool { return true }), d.names(Flag.takesPath),
			d.names(func(f Flag) bool { return f.Value != "" }), operands)
	}
	fmt.Fprint(w, `	esac
	case " $paths " in *" $previous "*) operands=FILE values= ;; esac
	case " $values " in *" $previous "*) return ;; esac # a value that nobody can guess
	case $current in
	-*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
	*)
		if [ "$operands" = FILE ]; then
			IFS=$'\n'
			compopt -o filenames 2>/dev/null # which bash has since version 4
			COMPREPLY=($(compgen -f -- "$current"))
		else
			COMPREPLY=($(compgen -W "$operands" -- "$current"))
		fi
		;;
	esac
}
complete -F _sitegrade sitegrade
`)
}

// groups returns the first words of commands that consist of two.
func groups(all []Command) []string {
	return slices.DeleteFunc(firstWords(all), func(word string) bool { return len(secondWords(all, word)) == 0 })
}

// inSingleQuotes returns a text as zsh and fish read it between single quotes.
func inSingleQuotes(text string, escape *strings.Replacer) string {
	return "'" + escape.Replace(text) + "'"
}

var (
	zshEscapes  = strings.NewReplacer(`\`, `\\`, `'`, `'\''`, `[`, `\[`, `]`, `\]`, `:`, `\:`)
	fishEscapes = strings.NewReplacer(`\`, `\\`, `'`, `\'`)
)

func writeZsh(w io.Writer, all []Command) {
	fmt.Fprint(w, `#compdef sitegrade
# The completion of sitegrade in zsh, as "sitegrade completion zsh" prints it.
_sitegrade() {
	local command=$words[2]
	local -a found
	if (( CURRENT == 2 )); then
`)
	writeZshWords(w, "\t\t", "command", firstWords(all), all)
	fmt.Fprint(w, "\t\treturn\n\tfi\n")
	for _, group := range groups(all) {
		fmt.Fprintf(w, "\tif [[ $command == %s ]]; then\n\t\tif (( CURRENT == 3 )); then\n", group)
		writeZshWords(w, "\t\t\t", group, secondWords(all, group), all)
		fmt.Fprint(w, "\t\t\treturn\n\t\tfi\n\t\tcommand=\"$command $words[3]\"\n\t\tshift words\n\t\t(( CURRENT-- ))\n\tfi\n")
	}
	fmt.Fprint(w, "\tshift words\n\t(( CURRENT-- ))\n\tcase $command in\n")
	for _, d := range all {
		fmt.Fprintf(w, "\t'%s')\n\t\t_arguments -S", d.Name)
		for _, f := range d.Flags {
			fmt.Fprintf(w, " \\\n\t\t\t%s", zshFlag(f))
		}
		switch choices := d.Choices; {
		case choices != nil:
			fmt.Fprintf(w, " \\\n\t\t\t'1:%s:(%s)'", strings.ToLower(strings.Trim(d.Operands, "[]")), strings.Join(choices, " "))
		case d.takesPath():
			fmt.Fprint(w, " \\\n\t\t\t'1:file:_files'")
		}
		fmt.Fprint(w, "\n\t\t;;\n")
	}
	fmt.Fprint(w, "\tesac\n}\nif [ \"$funcstack[1]\" = _sitegrade ]; then\n\t_sitegrade \"$@\"\nelse\n\tcompdef _sitegrade sitegrade\nfi\n")
}

// writeZshWords writes the lines that offer words, each with the summary of its command where it is one.
func writeZshWords(w io.Writer, indent, what string, words []string, all []Command) {
	fmt.Fprintf(w, "%sfound=(", indent)
	for _, word := range words {
		name := word
		if what != "command" {
			name = what + " " + word
		}
		for _, d := range all {
			if d.Name == name {
				word += ":" + d.Summary
			}
		}
		fmt.Fprintf(w, "\n%s\t'%s'", indent, strings.ReplaceAll(word, "'", `'\''`))
	}
	fmt.Fprintf(w, "\n%s)\n%s_describe '%s' found\n", indent, indent, what)
}

func zshFlag(f Flag) string {
	entry := "-" + f.Name + "[" + zshEscapes.Replace(f.short()) + "]"
	switch {
	case f.takesPath():
		entry += ":" + strings.ToLower(f.Value) + ":_files"
	case f.Value != "":
		entry += ":" + zshEscapes.Replace(strings.ToLower(f.Value)) + ": "
	}
	return "'" + entry + "'"
}

func writeFish(w io.Writer, all []Command) {
	fmt.Fprint(w, `# The completion of sitegrade in fish, as "sitegrade completion fish" prints it.
function __sitegrade_follows --description 'whether the command line begins with these words'
	set -l words (commandline -opc)
	set -l last (math (count $argv) + 1)
	test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
end
function __sitegrade_nothing --description 'whether only the name of the program is there, and these words'
	test (count (commandline -opc)) -eq (math (count $argv) + 1)
end
complete -c sitegrade -f
`)
	for _, d := range all {
		words := strings.Fields(d.Name)
		condition := "__sitegrade_nothing"
		if len(words) == 2 {
			condition = "__sitegrade_follows " + words[0] + "; and __sitegrade_nothing " + words[0]
			fmt.Fprintf(w, "complete -c sitegrade -n __sitegrade_nothing -a %s\n", words[0])
		}
		fmt.Fprintf(w, "complete -c sitegrade -n '%s' -a %s -d %s\n", condition, words[len(words)-1], inSingleQuotes(d.Summary, fishEscapes))
		follows := "-n '__sitegrade_follows " + d.Name + "'"
		for _, f := range d.Flags {
			line := fmt.Sprintf("complete -c sitegrade %s -o %s -d %s", follows, f.Name, inSingleQuotes(f.short(), fishEscapes))
			switch {
			case f.takesPath():
				line += " -r -F"
			case f.Value != "":
				line += " -x"
			}
			fmt.Fprintln(w, line)
		}
		switch choices := d.Choices; {
		case choices != nil:
			fmt.Fprintf(w, "complete -c sitegrade %s -a '%s'\n", follows, strings.Join(choices, " "))
		case d.takesPath():
			fmt.Fprintf(w, "complete -c sitegrade %s -F\n", follows)
		}
	}
}
