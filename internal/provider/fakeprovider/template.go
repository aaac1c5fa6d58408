package fakeprovider

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const templatePattern = `\{\{(HTTP_DATE|RFC3339|UNIX|UNIX_MS)\+(\d+)s\}\}|\{\{(BASE|ALT_BASE|CLIENT_KEY|LAST_USER)\}\}`

// expand replaces the time, address and request templates of a case.
func (s *Server) expand(text string, r *http.Request, q question) string {
	if !strings.Contains(text, "{{") {
		return text
	}
	pattern := regexp.MustCompile(templatePattern)
	return pattern.ReplaceAllStringFunc(text, func(match string) string {
		groups := pattern.FindStringSubmatch(match)
		if groups[1] != "" {
			seconds, _ := strconv.Atoi(groups[2])
			return timeText(groups[1], time.Now().UTC().Add(time.Duration(seconds)*time.Second))
		}
		return s.requestText(groups[3], r, q)
	})
}

func timeText(form string, at time.Time) string {
	switch form {
	case "HTTP_DATE":
		return at.Format(http.TimeFormat)
	case "RFC3339":
		return at.Format(time.RFC3339)
	case "UNIX":
		return strconv.FormatInt(at.Unix(), 10)
	default:
		return strconv.FormatInt(at.UnixMilli(), 10)
	}
}

// requestText echoes a part of the request; ALT_BASE is the same server under its
// other loopback name, so that it is another host to the client.
func (s *Server) requestText(name string, r *http.Request, q question) string {
	switch name {
	case "BASE":
		return "http://" + r.Host
	case "ALT_BASE":
		if strings.HasPrefix(r.Host, "localhost") {
			return "http://127.0.0.1:" + s.port
		}
		return "http://localhost:" + s.port
	case "CLIENT_KEY":
		return escaped(clientKey(r))
	default:
		_, user, _ := q.texts()
		return escaped(user)
	}
}

func clientKey(r *http.Request) string {
	for _, key := range []string{
		strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), r.Header.Get("X-Api-Key"), r.Header.Get("Api-Key"),
	} {
		if key != "" {
			return key
		}
	}
	return ""
}

// escaped writes text as it stands inside a JSON string.
func escaped(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted[1 : len(quoted)-1])
}
