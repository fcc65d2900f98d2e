package main

import (
	"bytes"
	"fmt"
	"slices"
)

// agree asks all engines for all kinds of list, and for random ones, in process and over HTTP, and notes where one differs from the first SQL engine.
// Of PocketBase only totals are compared: it orders addresses by bytes.
func (b *bench) agree(r *results, full, _ *environment) error {
	servers, err := serveAll(full.engines)
	if err != nil {
		return err
	}
	defer closeAll(servers)
	kinds := append(mix(full.set), randomLists(full.set, 60)...)
	for _, k := range kinds {
		answers, err := askAll(servers, k)
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		r.differences = append(r.differences, differences(k, answers)...)
	}
	say("%d kinds of list compared, %d differences", len(kinds), len(r.differences))
	return nil
}

// namedAnswer is an answer and who gave it.
type namedAnswer struct {
	from       string
	totalsOnly bool
	answer
}

// askAll returns the answers of all servers, each over HTTP and, where it can, in process. The oracle, SQLite where it takes part, is
// the first.
func askAll(servers []*server, k kind) ([]namedAnswer, error) {
	var answers []namedAnswer
	for _, s := range servers {
		body, err := s.body(k)
		if err != nil {
			return nil, err
		}
		a, err := readAnswer(body)
		if err != nil {
			return nil, fmt.Errorf("%s: %w in %s", s.engine.name(), err, body)
		}
		answers = append(answers, namedAnswer{s.engine.name() + " over HTTP", s.engine.name() == "pocketbase", a})
		if l, ok := s.engine.(lister); ok {
			if a, err = l.list(k); err != nil {
				return nil, fmt.Errorf("%s: %w", s.engine.name(), err)
			}
			answers = append(answers, namedAnswer{s.engine.name(), false, a})
		}
	}
	if i := slices.IndexFunc(answers, func(a namedAnswer) bool { return a.from == "sqlite" }); i > 0 {
		answers[0], answers[i] = answers[i], answers[0]
	}
	return answers, nil
}

// differences says which answers are not like the first.
func differences(k kind, answers []namedAnswer) []string {
	var found []string
	oracle := answers[0]
	for _, a := range answers[1:] {
		if a.total != oracle.total {
			found = append(found, fmt.Sprintf("%s: %s has a total of %d, %s of %d", k.name, oracle.from, oracle.total, a.from, a.total))
		}
		if !a.totalsOnly && !slices.Equal(a.ids, oracle.ids) {
			found = append(found, fmt.Sprintf("%s: %s gives %v, %s %v", k.name, oracle.from, oracle.ids, a.from, a.ids))
		}
	}
	return found
}

// body returns the body of the answer to one request.
func (s *server) body(k kind) ([]byte, error) {
	c, err := s.dial()
	if err != nil {
		return nil, err
	}
	defer c.conn.Close()
	var body bytes.Buffer
	if err := c.get(s.request(k), &body); err != nil {
		return nil, err
	}
	return body.Bytes(), nil
}
