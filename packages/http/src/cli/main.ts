#!/usr/bin/env node
/** The executable of the `lectern` command. Node caches the compiled code of all modules that it loads. */
import { enableCompileCache } from "node:module"

enableCompileCache()
// A static import would be compiled before the cache is enabled.
const { runLectern } = await import("./lectern.ts")
runLectern()
