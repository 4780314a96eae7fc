#!/usr/bin/env node
/**
 * The executable of the `lectern` command. Node caches the compiled code of all modules that it loads. The imports of this
 * file exist in all versions of Node, so that an old one reports its version instead of a missing module.
 */
import * as nodeModule from "node:module"
import { currentBundle } from "./bundle.ts"
import { describeOldNode } from "./nodeVersion.ts"

const { engines } = nodeModule.createRequire(import.meta.url)("../../package.json") as {
  readonly engines: { readonly node: string }
}
const problem = describeOldNode(process.versions.node, engines.node)
if (problem === undefined) {
  nodeModule.enableCompileCache()
  const bundle = currentBundle()
  // A static import would be compiled before the cache is enabled.
  const { runLectern } = (await (bundle === undefined
    ? import("./lectern.ts")
    : import(bundle))) as typeof import("./lectern.ts")
  runLectern()
} else {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}
