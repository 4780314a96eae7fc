/** Alerts of GitHub are hints, and keep their form. */

import { runs } from "@lectern/harness"
import { fromMarkdown, toMarkdown, updateMarkdown } from "@lectern/markdown/document"
import { outlineOf } from "@lectern/markdown/outline"
import type { JsonDocument } from "@lectern/model/document"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { documentEssence } from "./support/documentEssence.ts"

const edited = (markdown: string, from: string, to: string): string =>
  updateMarkdown(markdown, JSON.parse(JSON.stringify(fromMarkdown(markdown)).replaceAll(from, to)))

const alert = "Before\n\n>  [!warning]  \n> First __text__\n> line.\n>\n> * one\n> * two\n\nAfter\n"

describe("an alert of GitHub", () => {
  it.each([
    ["NOTE", "info"],
    ["TIP", "success"],
    ["IMPORTANT", "warning"],
    ["WARNING", "warning"],
    ["CAUTION", "danger"]
  ])("of the kind %s is a hint of the style %s", (kind, style) => {
    const { nodes } = fromMarkdown(`> [!${kind}]\n> Text\n`)
    expect(nodes).toMatchObject([
      { type: "hint", data: { style, alert: kind.toLowerCase() }, nodes: [{ type: "paragraph" }] }
    ])
    expect(toMarkdown({ object: "document", data: {}, nodes })).toBe(`> [!${kind}]\n> Text\n`)
  })

  it.each([
    ["an unknown kind", "> [!HINT]\n> Text\n"],
    ["text after the kind", "> [!NOTE] Title\n> Text\n"],
    ["no content", "> [!NOTE]\n"],
    ["only a footnote", "> [!NOTE]\n> [^1]: x\n"],
    ["an escape", "> \\[!NOTE]\n> Text\n"],
    ["text before the kind", "> a\n> [!NOTE]\n> Text\n"],
    ["a definition of a link with this label", "> [!NOTE]\n> Text\n\n[!NOTE]: a.md\n"]
  ])("is a quote with %s", (_, markdown) => {
    expect(fromMarkdown(markdown).nodes[0]).toMatchObject({ type: "blockquote" })
  })

  it.each([
    ["text", "line", "row", alert.replace("line", "row")],
    ["its first word", "First", "1st", alert.replace("First", "1st")],
    ["an item of a list", "two", "2nd", alert.replace("two", "2nd")],
    ["text after it", "After", "Then", alert.replace("After", "Then")]
  ])("keeps its bytes when an edit changes %s", (_, from, to, expected) => {
    expect(edited(alert, from, to)).toBe(expected)
  })

  it("has the kind of a changed style, and is a tag with an icon", () => {
    const markdown = "> [!IMPORTANT]\n> Text\n"
    expect(edited(markdown, '"style":"warning"', '"style":"danger"')).toBe("> [!CAUTION]\n> Text\n")
    expect(edited(markdown, '"style":"warning"', '"style":"warning","icon":"gear"')).toBe(
      '{% hint style="warning" icon="gear" %}\nText\n{% endhint %}\n'
    )
  })

  it("is a tag without blocks", () => {
    const { nodes } = fromMarkdown("> [!NOTE]\n> Text\n")
    const document = { object: "document", data: {}, nodes: [{ ...nodes[0], nodes: [] }] }
    expect(toMarkdown(document as unknown as JsonDocument)).toBe('{% hint style="info" %}\n{% endhint %}\n')
  })

  it("has no marker in outlines, which search reads", () => {
    expect(JSON.stringify(outlineOf("> [!NOTE]\n> Text\n"))).not.toContain("!NOTE")
  })

  const block = fc.constantFrom(
    "Text",
    "**a** b",
    "<b>a</b> b",
    "![](a.png)",
    "* a\n* b",
    "2. a",
    "```js\nx\n```",
    "# Heading",
    "| a |\n| - |\n| b |",
    "> quote",
    '<p align="center">a</p>',
    "$$\nx\n$$",
    "---",
    '{% hint style="danger" %}\na\n{% endhint %}',
    "<details>\n<summary>a</summary>\n\nb\n\n</details>",
    "a\\\nb",
    "[!NOTE]"
  )

  it("means the same after it is written, with any blocks", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("NOTE", "tip", "Important", "WARNING", "CAUTION"),
        fc.array(block, { minLength: 1, maxLength: 3 }),
        fc.constantFrom("", "\n", "  \n\n"),
        fc.constantFrom("", "- ", "> "),
        (kind, blocks, separator, prefix) => {
          const inner = `[!${kind}]\n${separator}${blocks.join("\n\n")}`
          const quote = inner.replaceAll(/^/gm, "> ").replaceAll(/ +$/gm, "")
          const markdown = `${prefix}${quote.replaceAll("\n", `\n${prefix.replace("-", " ")}`)}\n\nEnd\n`
          const document = fromMarkdown(markdown)
          expect(documentEssence(fromMarkdown(toMarkdown(document)))).toEqual(documentEssence(document))
          expect(updateMarkdown(markdown, document)).toBe(markdown)
          expect(edited(markdown, "End", "Last")).toBe(markdown.replace("End", "Last"))
        }
      ),
      runs(60)
    )
  })
})
