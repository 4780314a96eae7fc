#!/usr/bin/env node
// The executable of the `lectern` command. npm links it when it installs a checkout, whose `dist` is built only afterwards.
import "../dist/cli/main.js"
