package header

import "strings"

// A structured value is what is left to read of a structured field (RFC 9651 section 4.2).
type structured struct{ rest string }

// tokenItem reads an item that is a token, to the very end. Its parameters may be any.
func (p *structured) tokenItem() (token string, ok bool) {
	p.spaces()
	if token, ok = p.token(); !ok || !p.parameters() {
		return "", false
	}
	p.spaces()
	return token, p.rest == ""
}

// dictionary reads the keys of a dictionary, to the very end.
func (p *structured) dictionary() (keys []string, ok bool) {
	for p.spaces(); p.rest != ""; {
		key, ok := p.key()
		if !ok || p.take('=') && !p.member() || !p.parameters() {
			return nil, false
		}
		keys = append(keys, key)
		p.blanks()
		if p.rest == "" {
			return keys, true
		}
		if !p.take(',') {
			return nil, false
		}
		if p.blanks(); p.rest == "" { // a comma at the end
			return nil, false
		}
	}
	return keys, true
}

// member reads an item or an inner list, without its parameters.
func (p *structured) member() bool {
	if !p.take('(') {
		return p.bareItem()
	}
	for p.spaces(); !p.take(')'); {
		if !p.bareItem() || !p.parameters() {
			return false
		}
		if p.rest == "" || p.rest[0] != ' ' && p.rest[0] != ')' {
			return false
		}
		p.spaces()
	}
	return true
}

// parameters reads what follows an item: ";name" or ";name=value", any number of times.
func (p *structured) parameters() bool {
	for p.take(';') {
		p.spaces()
		if _, ok := p.key(); !ok || p.take('=') && !p.bareItem() {
			return false
		}
	}
	return true
}

// key reads the name of a member or parameter.
func (p *structured) key() (string, bool) {
	if p.rest == "" || p.rest[0] != '*' && (p.rest[0] < 'a' || p.rest[0] > 'z') {
		return "", false
	}
	return p.while(func(c byte) bool {
		return 'a' <= c && c <= 'z' || isDigit(c) || strings.IndexByte("_-.*", c) >= 0
	}), true
}

func (p *structured) token() (string, bool) {
	if p.rest == "" || p.rest[0] != '*' && !isLetter(p.rest[0]) {
		return "", false
	}
	return p.while(func(c byte) bool { return isTokenByte(c) || c == ':' || c == '/' }), true
}

// bareItem reads a number, string, token, byte sequence, boolean, date or display string.
func (p *structured) bareItem() bool {
	if p.rest == "" {
		return false
	}
	switch c := p.rest[0]; {
	case c == '-' || isDigit(c):
		return p.number()
	case c == '"':
		return p.text()
	case c == ':':
		return p.bytes()
	case c == '?':
		p.rest = p.rest[1:]
		return p.take('0') || p.take('1')
	case c == '@':
		p.rest = p.rest[1:]
		before := p.rest
		return p.number() && !strings.Contains(before[:len(before)-len(p.rest)], ".")
	case c == '%':
		p.rest = p.rest[1:]
		return p.displayText()
	}
	_, ok := p.token()
	return ok
}

// number reads an integer of up to 15 digits, or a decimal of up to 12 and 3.
func (p *structured) number() bool {
	p.take('-')
	whole := p.while(isDigit)
	if whole == "" || !p.take('.') {
		return whole != "" && len(whole) <= 15
	}
	fraction := p.while(isDigit)
	return len(whole) <= 12 && fraction != "" && len(fraction) <= 3
}

func (p *structured) text() bool {
	for i := 1; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == '"':
			p.rest = p.rest[i+1:]
			return true
		case c == '\\':
			if i++; i == len(p.rest) || p.rest[i] != '"' && p.rest[i] != '\\' {
				return false
			}
		case c < ' ' || c > '~':
			return false
		}
	}
	return false
}

func (p *structured) bytes() bool {
	p.take(':')
	p.while(func(c byte) bool { return isLetter(c) || isDigit(c) || c == '+' || c == '/' || c == '=' })
	return p.take(':')
}

// displayText reads a quoted string with escapes of two lower-case hexadecimal digits.
func (p *structured) displayText() bool {
	if !p.take('"') {
		return false
	}
	for p.rest != "" {
		c := p.rest[0]
		p.rest = p.rest[1:]
		switch {
		case c == '"':
			return true
		case c < ' ' || c > '~':
			return false
		case c == '%':
			if len(p.rest) < 2 || strings.Trim(p.rest[:2], "0123456789abcdef") != "" {
				return false
			}
			p.rest = p.rest[2:]
		}
	}
	return false
}

func (p *structured) take(c byte) bool {
	if p.rest == "" || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

func (p *structured) while(kind func(byte) bool) string {
	n := 0
	for n < len(p.rest) && kind(p.rest[n]) {
		n++
	}
	taken := p.rest[:n]
	p.rest = p.rest[n:]
	return taken
}

// spaces goes past spaces, blanks past spaces and tabs: the standard allows tabs around commas alone.
func (p *structured) spaces() { p.rest = strings.TrimLeft(p.rest, " ") }

func (p *structured) blanks() { p.rest = strings.TrimLeft(p.rest, " \t") }
