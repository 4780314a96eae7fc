/** Documents that are too large to be sent: code blocks with Markdown replace the blocks that do not fit. */

import { runs } from "@lectern/harness"
import { boundedFromMarkdown, fromMarkdown, toMarkdown, updateMarkdown } from "@lectern/markdown/document"
import { JsonDocument } from "@lectern/model/document"
import { Result, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const decode = Schema.decodeUnknownResult(JsonDocument)
const typesOf = (markdown: string) => boundedFromMarkdown(markdown).nodes.map(({ type }) => type)

const tableOf = (rows: number) => `| a | b |\n| - | - |\n${"| *a* | b |\n".repeat(rows)}`
const listOf = (items: number) => "* a\n  * b\n".repeat(items)
const intro = "Title\n=====\n\nSee [a] and note[^n].\n"
const outro = "The *end*.\n"

/** Blocks of all sizes, in another style than that of the writer. */
const block = fc.oneof(
  fc.integer({ min: 1, max: 1800 }).map(tableOf),
  fc.integer({ min: 1, max: 1800 }).map(listOf),
  fc.integer({ min: 1, max: 900 }).map((count) => "Text __a__\n\n".repeat(count)),
  fc.constantFrom(intro, outro, "    code\n    more\n", "[a]: https://a.example\n", "[^n]: A note.\n"),
  fc.constantFrom(
    '{% hint style="info" %}\nText.\n{% endhint %}\n',
    "<details>\n\n<summary>a</summary>\n\nb\n\n</details>\n"
  )
)
const page = fc.array(block, { minLength: 1, maxLength: 8 }).map((blocks) => blocks.join("\n"))

describe("the document of long Markdown", () => {
  it("has all blocks that fit, and the Markdown of the others", () => {
    const markdown = [intro, tableOf(3000), outro, tableOf(10), "[a]: b\n"].join("\n")
    const { nodes, data } = boundedFromMarkdown(markdown)
    expect(nodes.map(({ type }) => type)).toEqual(["heading-1", "paragraph", "code", "paragraph", "table"])
    expect(nodes[2]).toMatchObject({
      data: { markdown: "verbatim" },
      nodes: [{ nodes: [{ leaves: [{ text: tableOf(3000).trimEnd() }] }] }]
    })
    expect(data.definitions).toMatchObject([{ label: "a", url: "b" }])
    // Small blocks that do not fit are replaced together.
    expect(typesOf("a\n\n".repeat(5000)).slice(-2)).toEqual(["paragraph", "code"])
    expect(typesOf("a\n\n".repeat(5000)).filter((type) => type === "code")).toHaveLength(1)
  })

  it("is accepted in a request, and changes no byte of the page", () => {
    fc.assert(
      fc.property(page, (markdown) => {
        const document = JSON.parse(JSON.stringify(boundedFromMarkdown(markdown)))
        const decoded = decode(document)
        expect(Result.isSuccess(decoded)).toBe(true)
        expect(updateMarkdown(markdown, Result.getOrThrow(decoded))).toBe(markdown)
      }),
      runs(8)
    )
  }, 240_000)

  it("can be edited around the blocks that are code, which keep their bytes", () => {
    const added = fromMarkdown("Added.\n").nodes
    fc.assert(
      fc.property(page, fc.boolean(), (markdown, isFirst) => {
        const before = `${intro}\n${markdown}`
        const document = boundedFromMarkdown(before)
        const { nodes } = document
        const edited = isFirst ? [...added, ...nodes] : [...nodes, ...added]
        const updated = updateMarkdown(before, { ...document, nodes: edited })
        if (isFirst) expect(updated).toBe(`Added.\n\n${before}`)
        else {
          // Definitions and footnotes can follow the last block.
          expect(updated.replace("Added.\n", "").replaceAll(/\s+/g, " ").trim()).toBe(
            before.replaceAll(/\s+/g, " ").trim()
          )
        }
      }),
      runs(12)
    )
  }, 240_000)

  it("that a change extends beyond the cost of parsing keeps the bytes of its other blocks", () => {
    const affordable = "- __a__\n".repeat(4500)
    const tooMany = fromMarkdown("* b\n".repeat(3000)).nodes
    for (const markdown of [affordable, affordable.repeat(2)]) {
      const before = `${intro}\n${markdown}\n\n`
      const document = boundedFromMarkdown(before)
      const updated = updateMarkdown(before, { ...document, nodes: [...tooMany, ...document.nodes] })
      expect(updated.endsWith(before)).toBe(true)
      expect(fromMarkdown(updated).nodes).toMatchObject([{ type: "code" }])
    }
  }, 240_000)

  it("is written as another page with the same meaning", () => {
    const markdown = [intro, tableOf(3000), outro, "[a]: b\n\n[^n]: c\n"].join("\n")
    const written = toMarkdown(boundedFromMarkdown(markdown))
    expect(toMarkdown(fromMarkdown(written))).toBe(toMarkdown(fromMarkdown(markdown)))
  })
})
