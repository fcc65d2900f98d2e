package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// hangups returns the signals SIGHUP from now on.
func hangups() chan os.Signal {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP)
	return signals
}

// reloadOn does what a signal asks for whenever one comes, until ctx ends.
func (s *server) reloadOn(ctx context.Context, signals chan os.Signal) {
	defer signal.Stop(signals)
	for {
		select {
		case <-ctx.Done():
			return
		case <-signals:
			s.reload()
		}
	}
}

// reload reads the configuration and the certificate again, and takes the log level and the certificate from it. What cannot be read
// leaves the server as it was.
func (s *server) reload() {
	fresh, err := s.reread()
	if err != nil {
		s.log.Error("the configuration cannot be read again", "error", err)
	} else {
		s.level.Set(fresh.LogLevel)
	}
	if s.certificate != nil {
		if err := s.certificate.load(); err != nil {
			s.log.Error("the earlier certificate stays", "error", err)
		}
	}
	s.log.Info("read the configuration again", "log_level", s.level.Level().String())
}
