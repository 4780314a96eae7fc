/**
 * The start of the `lectern` command, which `bin/lectern.js` imports. Node caches the compiled code of all modules that it
 * loads. The imports of this file exist in all versions of Node, so that an old one reports its version instead of a
 * missing module.
 */
import * as nodeModule from "node:module"
import { setFlagsFromString } from "node:v8"
import { currentBundle } from "./bundle.ts"
import { describeOldNode } from "./nodeVersion.ts"

const { engines } = nodeModule.createRequire(import.meta.url)("../../package.json") as {
  readonly engines: { readonly node: string }
}
const problem = describeOldNode(process.versions.node, engines.node)
if (problem === undefined) {
  // V8 allocates the objects of some lines in the old generation if the objects of the first seconds survived. In a server they are
  // objects of requests, which then retain the rest of their request until the next major collection.
  setFlagsFromString("--no-allocation-site-pretenuring")
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
