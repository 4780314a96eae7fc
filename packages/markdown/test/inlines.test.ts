/** Inline nodes and marks: their Markdown, and the round trip of any combination of them. */

import { runs } from "@lectern/harness"
import { fromMarkdown, toMarkdown } from "@lectern/markdown/document"
import { JsonDocument } from "@lectern/model/document"
import { fieldsOf } from "@lectern/model/schema"
import { Result, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { contractErrors } from "./support/contract.ts"
import { withCpuTime } from "./support/cpuTime.ts"
import { withoutKeys } from "./support/documents.ts"
import { anyInlines, documentOf } from "./support/inlines.ts"

const decode = Schema.decodeUnknownResult(JsonDocument, { errors: "all" })

const onlyInline = (markdown: string) => {
  const [block] = fromMarkdown(`a ${markdown} b\n`).nodes
  const nodes = block?.type === "paragraph" ? block.nodes : []
  return nodes.length === 3 ? nodes[1] : nodes
}

const marksOf = (markdown: string) => {
  const [block] = fromMarkdown(markdown).nodes
  const [text] = block?.type === "paragraph" ? block.nodes : []
  return text?.object === "text" ? text.leaves[0]?.marks : undefined
}

describe("an inline node", () => {
  it.each([
    ["$$f(x) = x \\\\ * e^{_a}$$", "inline-math", { formula: "f(x) = x \\\\ * e^{_a}" }],
    [":house:", "emoji", { code: "1f3e0" }],
    ['<i class="fa-puzzle-piece">:puzzle-piece:</i>', "icon", { icon: "puzzle-piece" }],
    ['<code class="expression">space.vars.a_b_c</code>', "expression", { expression: "space.vars.a_b_c" }],
    ['[page.md](../page.md "mention")', "mention", { ref: { kind: "url", url: "../page.md" } }],
    ['[Ann](/users/u1 "mention")', "mention", { ref: { kind: "user", user: "u1" }, text: "Ann" }],
    [
      '<a href="/pages/p1" class="button secondary" data-icon="gear">Go</a>',
      "button",
      { label: "Go", kind: "secondary", icon: "gear", ref: { kind: "page", page: "p1" } }
    ],
    [
      '<a class="button primary">Off</a>',
      "button",
      { label: "Off", kind: "primary", ref: { kind: "url", url: "" } }
    ],
    [
      '<button type="button" class="button primary" data-action="ask" data-query="Why?">Ask</button>',
      "button",
      { label: "Ask", kind: "primary", ref: { kind: "url", url: "" }, action: "ask", query: "Why?" }
    ],
    [
      '<img src="/files/f1" alt="a" data-size="line">',
      "inline-image",
      { ref: { kind: "file", file: "f1" }, alt: "a", size: "line" }
    ],
    [
      '<picture><source srcset="d.svg" media="(prefers-color-scheme: dark)"><img src="l.svg" alt=""></picture>',
      "inline-image",
      { ref: { kind: "url", url: "l.svg" }, refDark: { kind: "url", url: "d.svg" } }
    ],
    [
      '<img src="a.png" alt="" width="40%" height="12">',
      "inline-image",
      { ref: { kind: "url", url: "a.png" }, width: { unit: "%", value: 40 }, height: 12 }
    ]
  ])("is parsed and written: %s", (markdown, type, data) => {
    expect(onlyInline(markdown)).toMatchObject({ object: "inline", type, isVoid: true, data })
    expect(Object.keys((onlyInline(markdown) as { data: object }).data).sort()).toEqual(
      Object.keys(data).sort()
    )
    expect(toMarkdown(fromMarkdown(`a ${markdown} b\n`))).toBe(`a ${markdown} b\n`)
  })

  it.each([
    ["<kbd>K</kbd>", { type: "keyboard" }],
    ["<sup>K</sup>", { type: "superscript" }],
    ["<sub>K</sub>", { type: "subscript" }],
    ["~~K~~", { type: "strikethrough" }],
    ['<mark style="color:red;">K</mark>', { type: "color", data: { text: "red", background: "default" } }],
    [
      '<mark style="color:$primary;background-color:yellow;">K</mark>',
      { type: "color", data: { text: "$primary", background: "yellow" } }
    ]
  ])("has the mark: %s", (markdown, mark) => {
    expect(marksOf(`${markdown} b\n`)).toMatchObject([mark])
    expect(toMarkdown(fromMarkdown(`${markdown} b\n`))).toBe(`${markdown} b\n`)
  })

  it("is an emoji by its code if its name is unknown or adjoins other text", () => {
    const tag = (code: string, emoji: string) =>
      `<span data-gb-custom-inline data-tag="emoji" data-code="${code}">${emoji}</span>`
    expect(toMarkdown(fromMarkdown(`${tag("274c", "❌")}\n`))).toBe(":x:\n")
    expect(toMarkdown(fromMarkdown(`a${tag("274c", "❌")}b\n`))).toBe(`a${tag("274c", "❌")}b\n`)
    expect(onlyInline(tag("e000", "\ue000"))).toMatchObject({ type: "emoji", data: { code: "e000" } })
  })

  it.each([
    "std::y::z costs 5$ or 10$$, :unknown: `:smile:`",
    '<i class="fa-bell">text</i> <i class="a b">x</i> <mark style="color:#fff">x</mark> <kbd> </b>',
    '<a name="x"></a> <span class="y">x</span> <a href="x" onclick="y">z</a> <img alt="x"> <kbd></kbd>'
  ])("is not text or foreign HTML: %s", (markdown) => {
    const [block] = fromMarkdown(`${markdown}\n`).nodes
    const nodes = block?.type === "paragraph" ? block.nodes : []
    expect(nodes.map(({ object }) => object)).toEqual(["text"])
    const html = nodes.flatMap((node) => (node.object === "text" ? node.leaves : []))
    for (const { text, data } of html) if (data?.markdown === "html") expect(markdown).toContain(text)
    expect(toMarkdown(fromMarkdown(toMarkdown(fromMarkdown(`${markdown}\n`))))).toBe(
      toMarkdown(fromMarkdown(`${markdown}\n`))
    )
  })

  it("is an annotation if a footnote belongs to the text before it", () => {
    const markdown =
      "The [**server**](#user-content-fn-1)[^1] is up, as usual[^2].\n\n[^2]: Plain.\n\n[^1]: Of *yours*.\n"
    const document = fromMarkdown(markdown)
    expect(document.nodes).toMatchObject([
      {
        nodes: [
          { object: "text" },
          {
            type: "annotation",
            nodes: [{ leaves: [{ text: "server", marks: [{ type: "bold" }] }] }],
            fragments: [{ type: "annotation-body", fragment: "1", nodes: [{ type: "paragraph" }] }]
          },
          { object: "text" }
        ]
      }
    ])
    expect(document.data.footnotes).toMatchObject([{ label: "2" }])
    expect(toMarkdown(document)).toBe(markdown)
  })

  it("is stable in any combination, valid in the contract, and accepted from clients", () => {
    fc.assert(
      fc.property(anyInlines, (inlines) => {
        const sent = documentOf(inlines)
        const decoded = decode(JSON.parse(JSON.stringify(sent)))
        expect(Result.isSuccess(decoded) ? [] : fieldsOf(decoded.failure.issue)).toEqual([])
        const markdown = toMarkdown(sent)
        const document = fromMarkdown(markdown)
        expect(contractErrors(document)).toEqual([])
        expect(withoutKeys(document.nodes)).toEqual(withoutKeys(sent.nodes))
        expect(toMarkdown(document)).toBe(markdown)
      }),
      runs(1000)
    )
  })
})

describe("adversarial inline HTML", () => {
  const adversarial: Record<string, string> = {
    unclosed: "<b>".repeat(10_000),
    closed: `${"<kbd>".repeat(10_000)}a${"</kbd>".repeat(10_000)}`,
    crossed: `${"<b><i>".repeat(10_000)}a${"</b></i>".repeat(10_000)}`,
    closers: "</b>".repeat(20_000),
    math: "$$ a $$$ ".repeat(10_000),
    dollars: "$$a$".repeat(20_000),
    colons: ":a".repeat(50_000),
    emojis: ":smile:".repeat(15_000),
    annotations: `${"[a](#user-content-fn-1)[^1]".repeat(5000)}\n\n[^1]: b`,
    annotated: Array.from(
      { length: 3000 },
      (_, at) => `[a](#user-content-fn-${at})[^${at}]\n\n[^${at}]: b\n\n`
    ).join("")
  }

  it.each(Object.keys(adversarial))("is parsed and written in bounded CPU time: %s", (name) => {
    const text = adversarial[name]!
    const { value, cpuMillis } = withCpuTime(() => toMarkdown(fromMarkdown(text)))
    // The bound is loose, for slow machines: superlinear work takes minutes.
    expect(cpuMillis).toBeLessThan(20_000)
    expect(value.length).toBeLessThan(text.length * 8)
  })
})
