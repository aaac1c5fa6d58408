package provider

import (
	"fmt"
	"net/url"
	"strings"
)

// JoinURL appends a dialect's path to a base URL. The base may have a path and a
// query, which stay; when it already ends in the path, nothing is appended.
func JoinURL(base, path string) (string, error) {
	u, err := ParseBaseURL(base)
	if err != nil {
		return "", err
	}
	if !strings.HasSuffix(u.Path, path) {
		u = u.JoinPath(path)
	}
	return u.String(), nil
}

// ParseBaseURL checks a base URL: http or https, with a host. The error names what
// is wrong and repeats nothing of the URL, which may hold a credential.
func ParseBaseURL(base string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(base))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the base URL cannot be parsed; write it like https://host/v1")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("the base URL must begin with http:// or https://")
	case u.Host == "":
		return nil, fmt.Errorf("the base URL names no host; write it like https://host/v1")
	}
	u.Path = strings.TrimRight(u.Path, "/")
	u.RawPath = ""
	u.Fragment = ""
	return u, nil
}
