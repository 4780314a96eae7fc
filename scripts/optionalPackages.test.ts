/** Entries that load an optional package are found. */
import { describe, expect, it } from "vitest"
import { findEagerPackages } from "./imports/optionalPackages.ts"

const manifest = {
  exports: { ".": { "@lectern/source": "./src/index.ts" }, "./package.json": "./package.json" },
  peerDependenciesMeta: { engine: { optional: true } }
}

const problemsOf = (files: Readonly<Record<string, string>>) =>
  findEagerPackages("p", manifest, (path) => files[path.slice("p/src/".length)] ?? "")

describe("the check of optional packages", () => {
  it.each([
    'import { run } from "engine"',
    'import "engine/register"',
    'export { run } from "engine"',
    'import { type Options } from "engine"'
  ])("finds `%s` in a module that an entry loads", (text) => {
    expect(problemsOf({ "index.ts": 'export { a } from "./a.ts"', "a.ts": text })).toHaveLength(1)
  })

  it("accepts types, and modules that are imported dynamically", () => {
    const files = {
      "index.ts": 'import type { Options } from "engine"\nconst load = () => import("./a.ts")',
      "a.ts": 'import { run } from "engine"'
    }
    expect(problemsOf(files)).toEqual([])
  })
})
