package cli

import (
	"net"
	"os"
	"strings"
)

// The words that systemd understands (sd_notify(3)).
const (
	serviceReady    = "READY=1"
	serviceStopping = "STOPPING=1"
)

// notifyService tells the service manager how the server is, where one has asked to be told by NOTIFY_SOCKET.
func notifyService(state string) error {
	address := os.Getenv("NOTIFY_SOCKET")
	if address == "" {
		return nil
	}
	if name, abstract := strings.CutPrefix(address, "@"); abstract {
		address = "\x00" + name
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: address, Net: "unixgram"})
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = conn.Write([]byte(state))
	return err
}
