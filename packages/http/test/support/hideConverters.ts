/** Simulates a missing `@lectern/converters` in a process that loads this file with `--import`. */
import { registerHooks } from "node:module"

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    nextResolve(
      specifier,
      specifier.startsWith("@lectern/converters")
        ? { ...context, parentURL: "file:///nothing-installed/index.js" }
        : context
    )
})
