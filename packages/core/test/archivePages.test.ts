/** Archives of other tools with more pages than the limit are rejected by the names of their files. */
import type { OtherSource } from "@lectern/model/imports"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import type { ImportContext } from "../src/features/imports/ImportContext.ts"
import { openSource } from "../src/features/imports/repository/archive.ts"

const limit = 3

/** Opens an archive of a tool with a number of pages. Returns the error, and how many files were loaded. */
const open = async (source: OtherSource, paths: ReadonlyArray<string>) => {
  let loaded = 0
  const context: ImportContext = {
    fetch: () => Effect.die("fetches nothing"),
    read: () => Effect.die("The files are read."),
    processPack: undefined,
    limits: { archivePages: limit, archiveBytes: 1, websitePages: 1 },
    mark: "mark",
    run: undefined
  }
  const archive = {
    files: paths.map((path) => [path, 1] as const),
    skipped: [],
    transferSize: 1,
    load: () => Effect.sync(() => new Uint8Array(++loaded))
  }
  const exit = await Effect.runPromiseExit(openSource(context, archive, undefined, source))
  return { text: JSON.stringify(exit), loaded }
}

const pages = (count: number, extension: string): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `docs/page-${index}${extension}`)

describe("an archive of another tool", () => {
  it.each<readonly [OtherSource, string]>([
    ["docusaurus", ".mdx"],
    ["mkdocs", ".md"],
    ["mintlify", ".mdx"],
    ["notion", ".html"],
    ["outline", ".md"]
  ])(
    "of %s with more pages than the limit is rejected before its files are loaded",
    async (source, extension) => {
      const rejected = await open(source, pages(limit + 1, extension))
      expect(rejected.text).toContain(`points to an archive of more than ${limit} pages`)
      expect(rejected.loaded).toBe(0)
      const admitted = await open(source, pages(limit, extension))
      expect(admitted.text).toContain("The files are read.")
      expect(admitted.loaded).toBe(limit)
    }
  )

  it("is not rejected for its earlier versions and translations, which are not imported", async () => {
    const others = ["versioned_docs/version-1/a.md", "i18n/de/docs/a.md", "node_modules/x/readme.md"]
    const { text } = await open("docusaurus", [...pages(limit, ".md"), ...others])
    expect(text).toContain("The files are read.")
  })
})
