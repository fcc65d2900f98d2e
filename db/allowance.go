package db

import (
	"context"
	"time"
)

// Allowance names how often something may be done. What is used of it comes back with time.
type Allowance struct {
	Kind string // what may be done; a store remembers thousands of each kind, and may forget some beyond
	Of   string // by whom or to what
}

// fleet are the methods of a Store for what all servers must know of each other. Where only one process can have the store open, that is what
// the process knows.
type fleet interface {
	// Servers returns how many servers have the store open, this one among them, as far as this one has seen. A server that is killed counts for
	// some seconds.
	Servers() int
	// Server returns the name of this server among them, "" where there can be no others.
	Server() string
	// UseAllowances calls use with how long it takes until all is back of each of these allowances, 0 for one of which nothing is used, and
	// keeps what use makes of that. Nobody else sees or changes any of them meanwhile. use may run twice. A store may forget what was used when
	// it is closed.
	UseAllowances(ctx context.Context, of []Allowance, use func(back []time.Duration)) error
	// Serve has this process serve the create with the idempotency key of n, until end is called. The error is ErrBeingServed while another
	// request does, of this server or of another that lives, and ErrIdempotencyMismatch if that one asks for something else.
	Serve(ctx context.Context, account string, n NewReport) (end func(), err error)
}
