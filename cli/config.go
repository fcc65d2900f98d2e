package cli

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// assignment is a setting as one of the sources spells it.
type assignment struct {
	name   string // of the option: "rate_limit"
	text   string
	origin string // for errors: "-rate-limit", "SITEGRADE_RATE_LIMIT", "sitegrade.toml:12: rate_limit"
}

// configure adds the options of these groups and -config to fs, reads all sources and gives the settings and the operands.
// Flags beat the environment, which beats the file, which beats the defaults.
func (c *console) configure(fs *flag.FlagSet, groups optionGroup, args []string) (*settings, []string, error) {
	read, operands, err := c.configuration(fs, groups, args)
	if err != nil {
		return nil, nil, err
	}
	s, err := read()
	return s, operands, err
}

// configuration is configure for a command that does not always need the settings: environment and file are read when read is called.
func (c *console) configuration(fs *flag.FlagSet, groups optionGroup, args []string) (read func() (*settings, error), operands []string, err error) {
	s := defaultSettings()
	options := s.options()
	var flags []assignment
	for _, o := range options {
		if o.group&groups != 0 {
			o.addFlag(fs, &flags)
		}
	}
	fs.StringVar(&s.file, "config", os.Getenv("SITEGRADE_CONFIG"), "TOML `file` with options (config.example.toml explains them)")
	if operands, err = c.parse(fs, args); err != nil {
		return nil, nil, err
	}
	return func() (*settings, error) { return s, s.read(options, flags) }, operands, nil
}

// read takes the settings from all sources. options are those of s.
func (s *settings) read(options []option, flags []assignment) error {
	var fromFile []assignment
	if s.file != "" {
		var err error
		if fromFile, err = readConfigFile(s.file); err != nil {
			return err
		}
	}
	for _, source := range [][]assignment{fromFile, environment(options), flags} {
		if err := assign(options, source); err != nil {
			return err
		}
	}
	return nil
}

// configureAlone is configure for a command that takes no operands.
func (c *console) configureAlone(fs *flag.FlagSet, groups optionGroup, args []string) (*settings, error) {
	s, operands, err := c.configure(fs, groups, args)
	if err != nil {
		return nil, err
	}
	return s, c.noOperands(operands)
}

// addFlag makes the option a flag that notes what it was given.
func (o *option) addFlag(fs *flag.FlagSet, given *[]assignment) {
	name := strings.ReplaceAll(o.name, "_", "-")
	note := func(text string) error {
		*given = append(*given, assignment{o.name, text, "-" + name})
		return nil
	}
	doc := o.doc
	if def := o.value.get(); def != "" {
		doc += " (default " + def + ")"
	}
	if o.isSwitch {
		fs.BoolFunc(name, doc, note)
		return
	}
	fs.Func(name, doc, note)
}

// environment returns what SITEGRADE_... variables say. An empty variable counts as absent.
func environment(options []option) []assignment {
	var found []assignment
	for _, o := range options {
		name := "SITEGRADE_" + strings.ToUpper(o.name)
		if text := os.Getenv(name); text != "" {
			found = append(found, assignment{o.name, text, name})
		}
	}
	return found
}

// assign returns the options their texts.
func assign(options []option, assignments []assignment) error {
	for _, a := range assignments {
		o := findOption(options, a.name)
		if o == nil {
			return &usageError{detail: a.origin + ": there is no such option"}
		}
		if err := o.value.set(a.text); err != nil {
			return &usageError{detail: a.origin + ": " + err.Error()}
		}
	}
	return nil
}

func findOption(options []option, name string) *option {
	for i := range options {
		if options[i].name == name {
			return &options[i]
		}
	}
	return nil
}

// readConfigFile returns the settings of a TOML file in their order.
func readConfigFile(path string) ([]assignment, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, &usageError{detail: "the configuration cannot be read: " + err.Error()}
	}
	return parseConfig(path, b)
}

// parseConfig reads TOML. The name of the file goes into the errors.
func parseConfig(path string, b []byte) ([]assignment, error) {
	values := map[string]any{}
	if err := toml.Unmarshal(b, &values); err != nil {
		return nil, &usageError{detail: configSyntax(path, err)}
	}
	var assignments []assignment
	for _, key := range configKeys(b) {
		a := assignment{name: key.name, origin: path + ":" + strconv.Itoa(key.line) + ": " + key.name}
		text, err := configText(values[key.name])
		if err != nil {
			return nil, &usageError{detail: a.origin + ": " + err.Error()}
		}
		a.text = text
		assignments = append(assignments, a)
	}
	return assignments, nil
}

func configSyntax(path string, err error) string {
	var syntax *toml.DecodeError
	if !errors.As(err, &syntax) {
		return path + ": " + err.Error()
	}
	line, column := syntax.Position()
	return fmt.Sprintf("%s:%d:%d: %s", path, line, column, strings.TrimPrefix(syntax.Error(), "toml: "))
}

type configKey struct {
	name string
	line int
}

// configKeys returns the top-level keys of a valid TOML document with their lines. The decoder tells lines only of keys that
// it finds no place for, so it is given a struct without any.
func configKeys(b []byte) []configKey {
	decoder := toml.NewDecoder(strings.NewReader(string(b)))
	decoder.DisallowUnknownFields()
	var unknown *toml.StrictMissingError
	if err := decoder.Decode(&struct{}{}); !errors.As(err, &unknown) {
		return nil
	}
	var keys []configKey
	for i := range unknown.Errors {
		line, _ := unknown.Errors[i].Position()
		keys = append(keys, configKey{unknown.Errors[i].Key()[0], line})
	}
	return keys
}

// configText writes a TOML value as a flag would spell it.
func configText(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case bool:
		return strconv.FormatBool(v), nil
	case []any:
		words := make([]string, len(v))
		for i, element := range v {
			word, ok := element.(string)
			if !ok || strings.Contains(word, ",") {
				return "", fmt.Errorf("element %d of the list is not a text without commas", i+1)
			}
			words[i] = word
		}
		return strings.Join(words, ","), nil
	case map[string]any:
		return "", errors.New("options stand at the top of the file, not in tables")
	default:
		return "", errors.New("the value must be a text, a whole number, true, false or a list of texts")
	}
}
