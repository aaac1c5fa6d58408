package app

import (
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// WebUI is the address at which Temporal's Web UI usually shows a run, or "" for
// a server about which nothing is usual. `tutti dev` writes down where its UI
// listens; another local server's UI listens 1000 ports above the server, as the
// development server does unasked; Temporal Cloud has one address for all.
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
	case err != nil || (host != "localhost" && !net.ParseIP(host).IsLoopback()):
		return ""
	}
	if ui := a.recordedUI(port); ui != "" {
		return "http://" + ui + page
	}
	return "http://" + net.JoinHostPort(host, strconv.Itoa(number+1000)) + page
}

// webUIFile is where `tutti dev` writes down, while it runs, the port of its
// server and the address of its UI.
func (a *App) webUIFile() string { return filepath.Join(a.Config.DataDir, "webui") }

// recordUI writes down where the UI of the server at a port listens. Only a link
// is wrong without it, so that an error is worth no more than a line in the log.
func (a *App) recordUI(port int, ui string) (forget func()) {
	path := a.webUIFile()
	if err := os.WriteFile(path, []byte(strconv.Itoa(port)+" "+ui+"\n"), 0o600); err != nil {
		a.env.Log.Debug("the Web UI's address was not written down", "error", err)
		return func() {}
	}
	return func() { _ = os.Remove(path) }
}

// recordedUI is the UI of the server at this port, if `tutti dev` wrote it down.
func (a *App) recordedUI(port string) string {
	raw, err := os.ReadFile(a.webUIFile())
	if err != nil {
		return ""
	}
	served, ui, found := strings.Cut(strings.TrimSpace(string(raw)), " ")
	if _, _, err := net.SplitHostPort(ui); !found || served != port || err != nil || strings.ContainsAny(ui, "/ \t\n") {
		return ""
	}
	return ui
}
