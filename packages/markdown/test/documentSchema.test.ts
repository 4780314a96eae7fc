/** Decoding documents of clients: accepted documents convert without loss, others are rejected with the paths of errors. */

import { runs } from "@lectern/harness"
import { fromMarkdown, stringify, toMarkdown } from "@lectern/markdown/document"
import { JsonDocument } from "@lectern/model/document"
import { fieldsOf } from "@lectern/model/schema"
import { Result, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { tree } from "./support/markdown.ts"

const decode = Schema.decodeUnknownResult(JsonDocument, { errors: "all" })

const fieldErrors = (...nodes: ReadonlyArray<unknown>) => {
  const result = decode({ object: "document", data: {}, nodes })
  return Result.isFailure(result) ? fieldsOf(result.failure.issue) : []
}

const leaf = (text: string, ...marks: ReadonlyArray<unknown>) => ({ object: "leaf", text, marks })
const text = (...leaves: ReadonlyArray<unknown>) => ({ object: "text", leaves })
const block = (type: string, fields: object) => ({ object: "block", type, ...fields })
const paragraph = (...nodes: ReadonlyArray<unknown>) => block("paragraph", { nodes })
const inline = (type: string, data: object) => ({ object: "inline", type, isVoid: true, data })
const bold = { object: "mark", type: "bold" }

const convertToMarkdown = (...nodes: ReadonlyArray<unknown>) => {
  const result = decode({ object: "document", data: {}, nodes })
  if (Result.isFailure(result)) throw new Error(JSON.stringify(fieldsOf(result.failure.issue)))
  return toMarkdown(result.success)
}

describe("a document of a client", () => {
  it("is accepted without loss if it equals a document that the server returns", () => {
    fc.assert(
      fc.property(tree, (root) => {
        const document = fromMarkdown(stringify(root))
        const result = decode(JSON.parse(JSON.stringify(document)))
        expect(Result.isSuccess(result) ? result.success : fieldsOf(result.failure.issue)).toEqual(document)
      }),
      runs(300)
    )
  })

  it("is rejected if the data of a divider is not an object", () => {
    const divider = (data: unknown) => fieldErrors({ object: "block", type: "divider", isVoid: true, data })
    expect(divider({})).toEqual([])
    for (const data of [true, 5, "x", []]) {
      expect(divider(data)).toEqual([{ path: "nodes.0.data", message: "must be object" }])
    }
  })

  it("is rejected with the path of a cell whose value does not have the type of its column", () => {
    const types = ["text", "number", "rating", "checkbox", "files", "users", "select", "content-ref", "image"]
    const settings = { textAlignment: "left", multiple: false, max: 5, options: [] }
    const fieldsOfType: Readonly<Record<string, ReadonlyArray<keyof typeof settings>>> = {
      text: ["textAlignment"],
      users: ["multiple"],
      rating: ["max"],
      select: ["multiple", "options"]
    }
    const link = { kind: "url", url: "a.md" }
    const values = [null, "f", 1, true, ["a"], link, { ref: link }]
    const accepted = types.map((type) => {
      const fields = (fieldsOfType[type] ?? []).map((field) => [field, settings[field]])
      const definition = { c: { id: "c", title: "C", type, ...Object.fromEntries(fields) } }
      return values.map((value) => {
        const records = { r: { orderIndex: "a", values: { c: value } } }
        const view = { type: "grid", columns: ["c"], hideHeader: false }
        const data = { view, records, definition }
        const errors = fieldErrors(block("table", { isVoid: true, data, fragments: [] }))
        expect(errors.map(({ path }) => path)).toEqual(
          errors.length === 0 ? [] : ["nodes.0.data.records.r.values.c"]
        )
        return errors.length === 0
      })
    })
    const only = (...indexes: ReadonlyArray<number>) =>
      values.map((_, index) => index === 0 || indexes.includes(index))
    expect(accepted).toEqual([
      only(1),
      only(2),
      only(2),
      only(3),
      only(4),
      only(4),
      only(4),
      only(5),
      only(5, 6)
    ])
  })

  it.each([
    ["[a](/pages/p1)\n", { kind: "page", page: "p1" }],
    ["[a](/pages/p1#b)\n", { kind: "anchor", page: "p1", anchor: "b" }],
    ["[a](/files/f1)\n", { kind: "file", file: "f1" }],
    ["[a](#b)\n", { kind: "anchor", anchor: "b" }],
    ["[a](/spaces/s1)\n", { kind: "space", space: "s1" }],
    ["[a](/spaces/s1/pages/p1)\n", { kind: "page", space: "s1", page: "p1" }],
    ["[a](/spaces/s1/pages/p1#b)\n", { kind: "anchor", space: "s1", page: "p1", anchor: "b" }],
    ["[a](/users/u1)\n", { kind: "user", user: "u1" }],
    ["[a](/collections/c1)\n", { kind: "collection", collection: "c1" }],
    ["[a](../b.md)\n", { kind: "url", url: "../b.md" }]
  ])("has the reference of a link: %s", (markdown, ref) => {
    const document = fromMarkdown(markdown)
    expect(document.nodes).toMatchObject([{ nodes: [{ type: "link", data: { ref } }] }])
    expect(toMarkdown(document)).toBe(markdown)
  })

  it("has a block for an inclusion or an image that is the only content of its paragraph", () => {
    const markdown = '{% include "/reusable-contents/_r_1" %}\n\n![a](/files/f1 "caption")\n'
    const document = fromMarkdown(markdown)
    expect(document.nodes).toMatchObject([
      { type: "reusable-content", data: { ref: { kind: "reusable-content", reusableContent: "_r_1" } } },
      { type: "images", nodes: [{ type: "image", data: { ref: { kind: "file", file: "f1" }, alt: "a" } }] }
    ])
    expect(toMarkdown(document)).toBe(markdown)
  })

  it("derives unique heading ids from the text", () => {
    expect(fromMarkdown("# Ä b\n\n# Same\n\n#### Same\n").nodes).toMatchObject([
      { type: "heading-1", meta: { id: "ä-b" } },
      { type: "heading-1", data: { id: "same" } },
      { type: "heading-3", data: { id: "same-1", depth: 4 } }
    ])
  })

  it("escapes text that looks like Markdown", () => {
    expect(convertToMarkdown(paragraph(text(leaf("# *no* <b> [x](y)"))))).toBe(
      "\\# \\*no\\* \\<b> \\[x]\\(y)\n"
    )
    expect(convertToMarkdown(paragraph(text(leaf("a", bold), leaf("b", bold), leaf("c"))))).toBe("**ab**c\n")
    const task = block("list-item", { data: { checked: false }, nodes: [] })
    expect(convertToMarkdown(block("list-tasks", { nodes: [task] }))).toBe("- [ ] &#x20;\n")
  })

  it("is rejected with the paths of nodes and fields that Markdown cannot represent", () => {
    const unsupportedField = "has no form in Markdown: omit it"
    const unsupportedType = "must be a node type that Markdown supports"
    expect(fieldErrors(block("prompt", { nodes: [] }))).toEqual([
      { path: "nodes.0.type", message: unsupportedType }
    ])
    expect(fieldErrors(paragraph({ object: "inline", type: "chart", data: {} }))).toEqual([
      { path: "nodes.0.nodes.0.type", message: unsupportedType }
    ])
    const integration = { integration: "mermaid", block: "diagram", props: {}, action: { action: "x" } }
    expect(fieldErrors(block("integration", { isVoid: true, data: integration }))).toEqual([
      { path: "nodes.0.data.action", message: unsupportedField }
    ])
    expect(fieldErrors(block("if", { nodes: [], data: { expression: "a %} b" } }))).toEqual([
      {
        path: "nodes.0.data.expression",
        message: "must be one line without `%}`, without spaces at its ends"
      }
    ])
    expect(fieldErrors(paragraph(text(leaf("a", { object: "mark", type: "blink" }))))).toMatchObject([
      { path: "nodes.0.nodes.0.leaves.0.marks.0.type" }
    ])
    expect(fieldErrors(paragraph(inline("emoji", { code: "smile" })))).toEqual([
      { path: "nodes.0.nodes.0.data.code", message: "must be code points in hexadecimal, such as 1f600" }
    ])
    expect(fieldErrors(paragraph(inline("icon", { icon: "A b" })))).toEqual([
      { path: "nodes.0.nodes.0.data.icon", message: "must be the name of an icon, such as arrow-up" }
    ])
    expect(fieldErrors(paragraph(text(leaf("\0"))))).toMatchObject([
      { path: "nodes.0.nodes.0.leaves.0.text" }
    ])
  })

  it("is rejected if it is nested deeper than 50 levels", () => {
    const nested = (depth: number) => {
      let node: unknown = paragraph()
      for (let i = 0; i < depth; i++) node = block("blockquote", { nodes: [node] })
      return node
    }
    expect(fieldErrors(nested(40))).toEqual([])
    for (const depth of [60, 5_000]) {
      expect(fieldErrors(nested(depth))).toMatchObject([{ message: "must be nested at most 50 levels deep" }])
    }
  })
})
