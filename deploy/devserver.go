package deploy

import (
	_ "embed" // for the configuration file below
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/goccy/go-yaml"
)

//go:embed devserver.yaml
var devServerFile []byte

// Config is the development server's configuration, as devserver.yaml explains it.
type Config struct {
	CLIPackage string `yaml:"cliPackage"`
	CLIVersion string `yaml:"cliVersion"`
	IP         string `yaml:"ip"`
	Port       int    `yaml:"port"`
	UIPort     int    `yaml:"uiPort"`
	LogLevel   string `yaml:"logLevel"`
	// DynamicConfig holds booleans and numbers only: the server wants JSON, and these read the same.
	DynamicConfig    map[string]any    `yaml:"dynamicConfig"`
	SQLitePragmas    map[string]string `yaml:"sqlitePragmas"`
	SearchAttributes map[string]string `yaml:"searchAttributes"`
}

// DevServer returns the configuration that every development server is started with.
func DevServer() (Config, error) {
	var config Config
	if err := yaml.UnmarshalWithOptions(devServerFile, &config, yaml.Strict()); err != nil {
		return Config{}, fmt.Errorf("reading the embedded devserver.yaml: %w", err)
	}
	return config, nil
}

// InstallCommand builds the pinned CLI; it is the next step where no `temporal` is found.
func (c Config) InstallCommand() string {
	return "go install " + c.CLIPackage + "@" + c.CLIVersion
}

// DevServerOptions is what one start of a development server chooses for itself.
type DevServerOptions struct {
	// Port is the frontend's; 0 means the configuration's.
	Port int
	// UIPort is the Web UI's; 0 means the configuration's.
	UIPort int
	// Headless leaves the Web UI out.
	Headless bool
	// DBFile keeps the server's state in this file; empty keeps it in memory only.
	DBFile string
	// Namespaces are made at the start, besides `default`, which always is.
	Namespaces []string
}

// Args returns the arguments of the `temporal` command that starts the server, in a fixed order.
func (c Config) Args(options DevServerOptions) []string {
	args := []string{
		"server", "start-dev",
		"--ip", c.IP,
		"--port", strconv.Itoa(orDefault(options.Port, c.Port)),
		"--log-level", c.LogLevel,
	}
	if options.Headless {
		args = append(args, "--headless")
	} else {
		args = append(args, "--ui-port", strconv.Itoa(orDefault(options.UIPort, c.UIPort)))
	}
	args = appendPairs(args, "--dynamic-config-value", c.DynamicConfig)
	args = appendPairs(args, "--search-attribute", c.SearchAttributes)
	if options.DBFile != "" {
		args = append(args, "--db-filename", options.DBFile)
		args = appendPairs(args, "--sqlite-pragma", c.SQLitePragmas)
	}
	for _, namespace := range options.Namespaces {
		args = append(args, "--namespace", namespace)
	}
	return args
}

// appendPairs adds one flag for each entry, as key=value and in the order of the keys.
func appendPairs[V any](args []string, flag string, pairs map[string]V) []string {
	for _, key := range slices.Sorted(maps.Keys(pairs)) {
		args = append(args, flag, fmt.Sprintf("%s=%v", key, pairs[key]))
	}
	return args
}

func orDefault(value, otherwise int) int {
	if value == 0 {
		return otherwise
	}
	return value
}
