package app

import (
	"net"
	"net/url"
	"strconv"
	"strings"
)

// WebUI is the address at which Temporal's Web UI usually shows a run, or "" for
// a server about which nothing is usual. The development server's UI listens
// 1000 ports above the server; Temporal Cloud has one address for all.
func (a *App) WebUI(runID, temporalRunID string) string {
	options, err := a.temporalOptions()
	if err != nil {
		return ""
	}
	host, port, err := net.SplitHostPort(options.HostPort)
	if err != nil {
		return ""
	}
	page := "/namespaces/" + url.PathEscape(options.Namespace) + "/workflows/" + url.PathEscape(runID) +
		"/" + url.PathEscape(temporalRunID) + "/history"
	number, err := strconv.Atoi(port)
	switch {
	case strings.HasSuffix(host, ".tmprl.cloud"), strings.HasSuffix(host, ".api.temporal.io"):
		return "https://cloud.temporal.io" + page
	case err == nil && (host == "localhost" || net.ParseIP(host).IsLoopback()):
		return "http://" + net.JoinHostPort(host, strconv.Itoa(number+1000)) + page
	}
	return ""
}
