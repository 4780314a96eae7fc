/** Documents from outside: what is taken comes back, and what markdown cannot say is refused with its place. */
import { fieldsOf, JsonDocument } from "@lectern/core"
import { fromMarkdown, stringify, toMarkdown } from "@lectern/core/content"
import { runs } from "@lectern/harness"
import { Result, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { tree } from "./support/markdown.ts"

const decode = Schema.decodeUnknownResult(JsonDocument, { errors: "all" })

const problems = (...nodes: ReadonlyArray<unknown>) => {
  const result = decode({ object: "document", data: {}, nodes })
  return Result.isFailure(result) ? fieldsOf(result.failure.issue) : []
}

const leaf = (text: string, ...marks: ReadonlyArray<unknown>) => ({ object: "leaf", text, marks })
const text = (...leaves: ReadonlyArray<unknown>) => ({ object: "text", leaves })
const block = (type: string, fields: object) => ({ object: "block", type, ...fields })
const paragraph = (...nodes: ReadonlyArray<unknown>) => block("paragraph", { nodes })
const bold = { object: "mark", type: "bold" }

const written = (...nodes: ReadonlyArray<unknown>) => {
  const result = decode({ object: "document", data: {}, nodes })
  if (Result.isFailure(result)) throw new Error(JSON.stringify(fieldsOf(result.failure.issue)))
  return toMarkdown(result.success)
}

describe("a document from outside", () => {
  it("is taken as we make it, and nothing of it is lost", () => {
    fc.assert(
      fc.property(tree, (root) => {
        const document = fromMarkdown(stringify(root))
        const result = decode(JSON.parse(JSON.stringify(document)))
        expect(Result.isSuccess(result) ? result.success : fieldsOf(result.failure.issue)).toEqual(document)
      }),
      runs(300)
    )
  })

  it("has no data in a divider that is no object", () => {
    const divider = (data: unknown) => problems({ object: "block", type: "divider", isVoid: true, data })
    expect(divider({})).toEqual([])
    for (const data of [true, 5, "x", []]) {
      expect(divider(data)).toEqual([{ path: "nodes.0.data", message: "must be object" }])
    }
  })

  it.each([
    ["[a](/pages/p1)\n", { kind: "page", page: "p1" }],
    ["[a](/pages/p1#b)\n", { kind: "anchor", page: "p1", anchor: "b" }],
    ["[a](/files/f1)\n", { kind: "file", file: "f1" }],
    ["[a](#b)\n", { kind: "anchor", anchor: "b" }],
    ["[a](../b.md)\n", { kind: "url", url: "../b.md" }]
  ])("refers to what a link does: %s", (markdown, ref) => {
    const document = fromMarkdown(markdown)
    expect(document.nodes).toMatchObject([{ nodes: [{ type: "link", data: { ref } }] }])
    expect(toMarkdown(document)).toBe(markdown)
  })

  it("has blocks for what stands alone: inclusions and images", () => {
    const markdown = '{% include "/reusable-contents/_r_1" %}\n\n![a](/files/f1 "caption")\n'
    const document = fromMarkdown(markdown)
    expect(document.nodes).toMatchObject([
      { type: "reusable-content", data: { ref: { kind: "reusable-content", reusableContent: "_r_1" } } },
      { type: "images", nodes: [{ type: "image", data: { ref: { kind: "file", file: "f1" }, alt: "a" } }] }
    ])
    expect(toMarkdown(document)).toBe(markdown)
  })

  it("names headings by their text, each in its own way", () => {
    expect(fromMarkdown("# Ä b\n\n# Same\n\n#### Same\n").nodes).toMatchObject([
      { type: "heading-1", meta: { id: "ä-b" } },
      { type: "heading-1", data: { id: "same" } },
      { type: "heading-3", data: { id: "same-1", depth: 4 } }
    ])
  })

  it("is written so that its text stays text", () => {
    expect(written(paragraph(text(leaf("# *no* <b> [x](y)"))))).toBe("\\# \\*no\\* \\<b> \\[x]\\(y)\n")
    expect(written(paragraph(text(leaf("a", bold), leaf("b", bold), leaf("c"))))).toBe("**ab**c\n")
    const task = block("list-item", { data: { checked: false }, nodes: [] })
    expect(written(block("list-tasks", { nodes: [task] }))).toBe("- [ ] &#x20;\n")
  })

  it("is refused where markdown cannot say it, with the place", () => {
    const nowhere = "has no form in Markdown: omit it"
    const type = "must be a node type that Markdown supports"
    expect(problems(block("tabs", { nodes: [] }))).toEqual([{ path: "nodes.0.type", message: type }])
    expect(problems(paragraph({ object: "inline", type: "emoji", data: {} }))).toEqual([
      { path: "nodes.0.nodes.0.type", message: type }
    ])
    expect(problems(block("paragraph", { nodes: [], data: { align: "center" } }))).toEqual([
      { path: "nodes.0.data.align", message: nowhere }
    ])
    expect(problems(block("code", { nodes: [], data: { title: "x", overflow: "scroll" } }))).toEqual([
      { path: "nodes.0.data.title", message: nowhere }
    ])
    expect(problems(paragraph(text(leaf("a", { object: "mark", type: "color" }))))).toMatchObject([
      { path: "nodes.0.nodes.0.leaves.0.marks.0.type" }
    ])
    expect(problems(paragraph(text(leaf("\0"))))).toMatchObject([{ path: "nodes.0.nodes.0.leaves.0.text" }])
  })

  it("is refused where it is nested too deep, however deep", () => {
    const nested = (depth: number) => {
      let node: unknown = paragraph()
      for (let i = 0; i < depth; i++) node = block("blockquote", { nodes: [node] })
      return node
    }
    expect(problems(nested(40))).toEqual([])
    for (const depth of [60, 100_000]) {
      expect(problems(nested(depth))).toMatchObject([{ message: "must be nested at most 50 levels deep" }])
    }
  })
})
