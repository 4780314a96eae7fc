/**
 * Properties of the documents of pages: of generated pages with every construct, and of the pages in the folder that
 * `LECTERN_TEST_CORPUS` names, recursively.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { runs } from "@lectern/harness"
import { fromMarkdown } from "@lectern/markdown/document"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { countBlocks, opaqueTags, pageProblems } from "./support/pageChecks.ts"
import { constructOf, constructs, page } from "./support/pages.ts"

describe("a generated page", () => {
  it.each(constructs)("has a document that is stable, valid and accepted: %s", (name) => {
    fc.assert(
      fc.property(constructOf(name), (markdown) => {
        expect(pageProblems(markdown)).toEqual([])
        expect(opaqueTags(markdown)).toEqual([])
      }),
      runs(25)
    )
  })

  it("has a document that is stable, valid and accepted", () => {
    fc.assert(
      fc.property(page, (markdown) => {
        expect(pageProblems(markdown)).toEqual([])
        expect(opaqueTags(markdown)).toEqual([])
      }),
      runs(200)
    )
  })

  it("contains tags of all kinds", () => {
    const counts = new Map<string, number>()
    for (const markdown of fc.sample(page, { numRuns: 300, seed: 1 })) countBlocks(markdown, counts)
    expect([...counts.keys()].sort()).toEqual(
      expect.arrayContaining([
        "hint",
        "tabs-item",
        "stepper-step",
        "column",
        "update",
        "if",
        "embed",
        "integration"
      ])
    )
  })
})

const corpus = process.env.LECTERN_TEST_CORPUS

const pagesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? pagesIn(path) : entry.name.endsWith(".md") ? [path] : []
  })

const withoutFrontMatter = (text: string): string => text.replace(/^---\r?\n[\s\S]*?\n---\r?\n/, "")

describe.skipIf(corpus === undefined)("a page of the corpus", () => {
  it("has a document that is stable, valid and accepted", { timeout: 600_000 }, () => {
    const counts = new Map<string, number>()
    const problems: Record<string, ReadonlyArray<string>> = {}
    const paths = pagesIn(corpus!)
    for (const path of paths) {
      const markdown = withoutFrontMatter(readFileSync(path, "utf8"))
      const found = pageProblems(markdown)
      if (found.length > 0) problems[path] = found
      countBlocks(markdown, counts)
    }
    const blocks = [...counts].sort(([, a], [, b]) => b - a).map(([type, count]) => `${type} ${count}`)
    process.stdout.write(
      `\n${paths.length} pages, altered: ${Object.keys(problems).length}\n${blocks.join(", ")}\n\n`
    )
    expect(problems).toEqual({})
    expect(paths.length).toBeGreaterThan(0)
  })
})

describe("the checks of pages", () => {
  it("find a tag in text", () => {
    expect(pageProblems("a\n")).toEqual([])
    expect(fromMarkdown("{% hint\n").nodes).toMatchObject([{ type: "paragraph" }])
    expect(pageProblems("{% hint\n")).toEqual(["text has a tag: {% hint"])
  })
})
