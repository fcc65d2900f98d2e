package header

// Framing says who may show a page in a frame.
type Framing uint8

// What X-Frame-Options may say.
const (
	FramedByAnyone    Framing = iota // no value, or none that browsers know
	FramedByOwnOrigin                // SAMEORIGIN
	FramedByNobody                   // DENY, or several values of which at least one is known: browsers then refuse every frame
)

// FrameOptions reads the lines of X-Frame-Options (HTML, "check a navigation response's adherence to X-Frame-Options").
func FrameOptions(lines []string) Framing {
	var first string
	several, known := false, false
	for i, value := range split(lines) {
		value = lower(value)
		if i == 0 {
			first = value
		}
		several = several || value != first
		known = known || value == "deny" || value == "sameorigin" || value == "allowall"
	}
	switch {
	case several && known, !several && first == "deny":
		return FramedByNobody
	case !several && first == "sameorigin":
		return FramedByOwnOrigin
	}
	return FramedByAnyone
}
