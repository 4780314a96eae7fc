/** Edits inside of tables, tabs and annotations preserve the rest of the block. */

import { fromMarkdown, updateMarkdown } from "@lectern/markdown/document"
import type { JsonDocument } from "@lectern/model/document"
import { describe, expect, it } from "vitest"

/** Writes a document over its Markdown, after text of its JSON is replaced. */
const replaceText = (markdown: string, from: string, to: string): string =>
  updateMarkdown(markdown, JSON.parse(JSON.stringify(fromMarkdown(markdown)).replaceAll(from, to)))

interface AnyNode {
  data: Record<string, never>
  nodes: Array<AnyNode>
  fragments: Array<AnyNode & { fragment: string }>
}

/** Writes a document over its Markdown, after its first block is changed in place. */
const change = (markdown: string, edit: (block: AnyNode) => void): string => {
  const document = JSON.parse(JSON.stringify(fromMarkdown(markdown))) as { nodes: Array<AnyNode> }
  edit(document.nodes[0]!)
  return updateMarkdown(markdown, document as unknown as JsonDocument)
}

const removeFirstRow = ({ data }: AnyNode) => {
  delete (data as Record<string, Record<string, never>>).records!.r0
}

const pipes =
  "| Name   | __Value__ |\n|:-------|----------:|\n| one    | `1`       |\n| two    | _2_       |\n"
const html =
  '<table>\n  <thead><tr><th width="100">A</th><th>B</th></tr></thead>\n' +
  "  <tbody><tr><td>one</td><td><b>x</b> &amp; y</td></tr>\n  <tr><td>two</td><td><p>z</p></td></tr></tbody>\n</table>\n"
const tabs =
  "{%tabs%}\n{% tab title='One' %}\n\n* star\n{% endtab %}\n{% tab title='Two' %}\nsecond\n{% endtab %}\n{%endtabs%}\n"
const note =
  "Some [text](#user-content-fn-1)[^1] and __more__.\n\n[^1]:   The body\n\n* star\n\n[a]: <b.md>\n"

describe("an edit inside of a block", () => {
  it.each([
    ["a cell", pipes, "two", "2nd"],
    ["a title of a column", pipes, '"Value"', '"Amount"'],
    ["a paragraph of a cell", "| A   |\n|:---:|\n| <p>one</p><p>two</p> |\n", "two", "2nd"],
    ["a cell of HTML", html, "one", "1st"],
    ["a tab", tabs, "second", "other"],
    ["the title of a tab", tabs, '"Two"', '"2nd"'],
    ["text with an annotation", note, "more", "less"],
    ["the body of an annotation", note, "The body", "Other words"],
    ["a list after the body of an annotation", note, "star", "other"]
  ])("changes only the bytes of %s", (_, markdown, from, to) => {
    const plain = (text: string) => text.replaceAll('"', "")
    expect(replaceText(markdown, from, to)).toBe(markdown.replaceAll(plain(from), plain(to)))
  })

  it("deletes the bytes of a row", () => {
    expect(change(pipes, removeFirstRow)).toBe(pipes.replace("| one    | `1`       |\n", ""))
    expect(change(html, removeFirstRow)).toBe(
      html.replace("<tr><td>one</td><td><b>x</b> &amp; y</td></tr>\n  ", "")
    )
  })

  it("inserts a tab with the separator of the others", () => {
    const added = change(tabs, (block) => {
      block.nodes.push({ ...block.nodes[1]!, data: { title: "Three" } as never })
    })
    expect(added).toBe(
      tabs.replace("{%endtabs%}", '{% tab title="Three" %}\nsecond\n{% endtab %}\n{%endtabs%}')
    )
  })

  it("deletes the footnote of an annotation with it, and adds that of a copy under another label", () => {
    const [start] = note.split("[text]")
    expect(
      change(note, (block) => {
        block.nodes = block.nodes.flatMap((node) => (node.fragments ? node.nodes : [node]))
      })
    ).toBe(`${start}text and __more__.\n\n* star\n\n[a]: <b.md>\n`)
    const copied = change(note, (block) => {
      block.nodes.push(block.nodes[1]!)
    })
    expect(copied).toBe(
      `${note.replace("__more__.", "__more__.[text](#user-content-fn-2)[^2]").trimEnd()}\n\n[^2]: The body\n`
    )
  })
})
