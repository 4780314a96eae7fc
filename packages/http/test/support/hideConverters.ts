/** Loaded with `--import`: resolves `@lectern/converters` from a folder in which nothing is installed. */
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
