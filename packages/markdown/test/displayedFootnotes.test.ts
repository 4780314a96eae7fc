/** Footnotes in documents that are displayed: as annotations, which renderers of the public contract display. */

import { runs } from "@lectern/harness"
import { displayFootnotes, fromMarkdown } from "@lectern/markdown/document"
import { JsonDocument } from "@lectern/model/document"
import { Result, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { page } from "./support/pages.ts"

const decode = Schema.decodeUnknownResult(JsonDocument, { errors: "all" })

const displayed = (markdown: string) => displayFootnotes(fromMarkdown(markdown))

/** The text of leaves in a part of a document. */
const textIn = (part: unknown): string => {
  if (typeof part !== "object" || part === null) return ""
  const { object, text } = part as { readonly object?: string; readonly text?: string }
  return object === "leaf" ? (text ?? "") : Object.values(part).map(textIn).join(" ")
}

describe("a footnote of a displayed document", () => {
  it("is an annotation with a number, whose body is the footnote", () => {
    const { data, nodes } = displayed("A fact[^source] and more.\n\n[^source]: The *book*.\n")
    expect(data).toEqual({})
    expect(nodes).toMatchObject([
      {
        type: "paragraph",
        nodes: [
          { object: "text", leaves: [{ text: "A fact" }] },
          {
            type: "annotation",
            nodes: [{ leaves: [{ text: "1", marks: [{ type: "superscript" }] }] }],
            fragments: [
              {
                type: "annotation-body",
                nodes: [{ nodes: [{ leaves: [{ text: "The " }, { text: "book" }, { text: "." }] }] }]
              }
            ]
          },
          { object: "text", leaves: [{ text: " and more." }] }
        ]
      }
    ])
  })

  it("follows the last block if an annotation cannot contain it, or its references are in a link", () => {
    const list = displayed("Fact[^a]\n\n[^a]: One\n\n    * an item\n")
    expect(list.nodes.map(({ type }) => type)).toEqual([
      "paragraph",
      "paragraph",
      "paragraph",
      "list-unordered"
    ])
    expect(textIn(list.nodes[0])).toMatch(/Fact.*1/)
    const link = displayed("A [link[^a]](https://a.example)\n\n[^a]: Note\n")
    expect(textIn(link.nodes)).toContain("Note")
    const nested = displayed("Fact[^a]\n\n[^a]: See[^b]\n\n[^b]: Second\n")
    expect(textIn(nested.nodes.at(-1)).trim()).toBe("Second")
  })

  it("is copied to each of its references, within the maximum size of documents", () => {
    const twice = displayed("One[^a] two[^a]\n\n[^a]: Note\n")
    expect(textIn(twice.nodes).match(/Note/g)).toHaveLength(2)
    const many = displayed(`${"x[^a] ".repeat(2000)}\n\n[^a]: ${"*n* ".repeat(50)}\n`)
    expect(Result.isSuccess(decode(many))).toBe(true)
    expect(textIn(many.nodes).includes("[^a]")).toBe(false)
  })

  it("is displayed in any page, and other parts of the page are unchanged", () => {
    const notes = fc.constantFrom(
      "",
      "Text[^q] and [a[^q] link](b.md).\n\n[^q]: Quoted[^r] note\n\n[^r]: Remark\n"
    )
    fc.assert(
      fc.property(page, notes, (content, note) => {
        const document = fromMarkdown(`${content}\n${note}`)
        const shown = displayFootnotes(document)
        const found = decode(shown)
        expect(Result.isFailure(found) ? found.failure.message : undefined).toBeUndefined()
        expect(JSON.stringify(shown)).not.toMatch(/"markdown":"footnote".*\[\^[qr]\]/)
        if (note !== "") expect(textIn(shown.nodes)).toMatch(/Quoted.*note.*Remark/s)
        if (document.data.footnotes === undefined) expect(shown).toBe(document)
      }),
      runs(200)
    )
  })
})
