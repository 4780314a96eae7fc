/** Properties of random edits of documents: the result has their meaning, and only the edited block changes its bytes. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { runs } from "@lectern/harness"
import {
  fromMarkdown,
  SourceRanges,
  toMarkdown,
  updateMarkdown,
  wellFormed
} from "@lectern/markdown/document"
import type { Block, JsonDocument } from "@lectern/model/document"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { documentEssence } from "./support/documentEssence.ts"
import { corpus } from "./support/markdown.ts"
import { page } from "./support/pages.ts"
import { applyEdit, type RandomEdit, randomEdit } from "./support/randomEdits.ts"

const essenceOf = (document: JsonDocument): string => JSON.stringify(documentEssence(document))

/** The meaning of a block without the ids of its headings, which depend on the other headings of the page. */
const essenceOfBlock = (block: Block): string =>
  essenceOf({ object: "document", data: {}, nodes: [block] }).replaceAll(/"id":"[^"]*",?/g, "")

/** Returns the range that differs between two strings, in the first one. */
const changedRange = (before: string, after: string) => {
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  let end = before.length
  const surplus = after.length - before.length
  while (end > start && end + surplus > start && before[end - 1] === after[end + surplus - 1]) end--
  return { start, end }
}

const isBlank = (text: string): boolean => text.trim() === ""

/**
 * Returns the problems of writing an edited document over its Markdown: other blocks with another meaning, or changed
 * bytes outside of the edited block, except for whitespace and for the bodies of its annotations.
 */
const problemsOf = (markdown: string, edit: RandomEdit): ReadonlyArray<string> => {
  const ranges = new SourceRanges()
  const before = fromMarkdown(markdown, ranges)
  const edited = applyEdit(before, edit)
  if (edited === undefined) return []
  const updated = updateMarkdown(markdown, edited.document)
  const result = fromMarkdown(updated)
  const problems: Array<string> = []
  const accepted = [edited.document, fromMarkdown(toMarkdown(edited.document))].map(essenceOf)
  if (!accepted.includes(essenceOf(result))) {
    // An edit without a form in Markdown, such as an empty item, is normalized. Other blocks are unchanged.
    const found = new Set(result.nodes.map(essenceOfBlock))
    const others = before.nodes.filter((_, index) => index !== edited.index).map(essenceOfBlock)
    if (others.some((essence) => !found.has(essence))) problems.push("another block changed its meaning")
  }
  const block = before.nodes[edited.index]!
  const range = ranges.of(block)!
  if (updated === markdown) return problems
  const changed = changedRange(markdown, updated)
  const isLocal =
    isBlank(markdown.slice(Math.min(changed.start, range.start), range.start)) &&
    isBlank(markdown.slice(range.end, Math.max(changed.end, range.end)))
  const hasAnnotation = JSON.stringify(block).includes('"annotation"')
  if (!isLocal && !hasAnnotation) {
    problems.push(`other bytes changed: ${JSON.stringify(markdown.slice(changed.start, changed.end))}`)
  }
  return problems
}

/** The Markdown of the pages in the folder that `LECTERN_TEST_CORPUS` names. */
const corpusPages = (): ReadonlyArray<string> => {
  const folder = process.env.LECTERN_TEST_CORPUS
  if (folder === undefined) return []
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => wellFormed(readFileSync(join(folder, path), "utf8")))
    .map((text) => text.replace(/^---\n[\s\S]*?\n---\n/, ""))
}

/** Returns a document in which other text replaces the first text of a block. */
const withText = (markdown: string, index: number, text: string): JsonDocument => {
  const document = fromMarkdown(markdown)
  const [, first] = JSON.stringify(document.nodes[index]).match(/"text":("(?:[^"\\]|\\.)*")/)!
  const nodes = document.nodes.map((block, at) =>
    at === index
      ? (JSON.parse(JSON.stringify(block).replace(first!, () => JSON.stringify(text))) as Block)
      : block
  )
  return { ...document, nodes }
}

describe("an edit that opens HTML", () => {
  it.each([
    ["<!--a-->", "<!--a-b->", "<!--a-b->\n-->"],
    ["<?a?>", "<?a", "<?a\n?>"],
    ["<!A>", "<!A", "<!A\n>"],
    ["<![CDATA[a]]>", "<![CDATA[a]>", "<![CDATA[a]>\n]]>"],
    ["<script>a</script>", "<script>a", "<script>a\n</script>"],
    ["<!--a-->", "```", "````html\n```\n````"]
  ])("does not include the blocks after it: %j as %j", (before, text, after) => {
    const rest = "* One\n* Two [b][]\n\n[b]: c"
    const markdown = `${before}\n\n${rest}`
    const updated = updateMarkdown(markdown, withText(markdown, 0, text))
    expect(updated).toBe(`${after}\n\n${rest}`)
    expect(fromMarkdown(updated).nodes.slice(1)).toEqual(fromMarkdown(markdown).nodes.slice(1))
    expect(fromMarkdown(toMarkdown(fromMarkdown(updated)))).toEqual(fromMarkdown(updated))
  })

  it("leaves HTML open at the end", () => {
    expect(updateMarkdown("a\n\n<!--b-->", withText("a\n\n<!--b-->", 1, "<!--b"))).toBe("a\n\n<!--b")
  })

  it("includes no closing tag", () => {
    const markdown = "{% hint %}\n<!--a-->\n{% endhint %}\n\nb\n"
    const document = JSON.parse(
      JSON.stringify(fromMarkdown(markdown)).replace("<!--a-->", "<!--a")
    ) as JsonDocument
    expect(updateMarkdown(markdown, document)).toBe("{% hint %}\n<!--a\n-->\n{% endhint %}\n\nb\n")
    expect(toMarkdown(document)).toContain("<!--a\n-->\n{% endhint %}\n\nb\n")
  })
})

describe("a random edit of a block", () => {
  it("has its meaning and changes only the bytes of the block, on generated pages", () => {
    fc.assert(
      fc.property(page, randomEdit, (markdown, edit) => {
        expect(problemsOf(markdown, edit)).toEqual([])
      }),
      runs(400)
    )
  })

  it("has its meaning and changes only the bytes of the block, on real pages", { timeout: 600_000 }, () => {
    const pages = [...corpus(20).map(({ text }) => wellFormed(text)), ...corpusPages()]
    fc.assert(
      fc.property(fc.constantFrom(...pages), randomEdit, (markdown, edit) => {
        expect(problemsOf(markdown, edit)).toEqual([])
      }),
      runs(corpusPages().length > 0 ? 3000 : 100)
    )
  })
})
