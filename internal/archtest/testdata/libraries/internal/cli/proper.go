package cli

import _ "github.com/spf13/cobra"
