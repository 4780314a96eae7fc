/** Documents of another server: documents of Lectern are read without loss, others as the nearest document, and ids are replaced. */
import { mapMarkdownReferences, mapReferences, readForeignDocument } from "@lectern/formats"
import { runs } from "@lectern/harness"
import { fromMarkdown, stringify, toMarkdown } from "@lectern/markdown/document"
import { JsonDocument } from "@lectern/model/document"
import { Result, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { tree } from "../../markdown/test/support/markdown.ts"

const decode = Schema.decodeUnknownResult(JsonDocument)
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

type Fields = Record<string, unknown>

const objectsIn = (value: unknown): ReadonlyArray<Fields> => {
  if (typeof value !== "object" || value === null) return []
  const inner = Object.values(value).flatMap(objectsIn)
  return Array.isArray(value) ? inner : [value as Fields, ...inner]
}

describe("a document of another server", () => {
  it("is read without loss if a server of Lectern returned it", () => {
    fc.assert(
      fc.property(tree, (root) => {
        const document = fromMarkdown(stringify(root))
        expect(readForeignDocument(json(document))).toEqual({ document, problems: [] })
      }),
      runs(200)
    )
  })

  it("is read as a valid document, with a problem, with any fields of a node", () => {
    const garbage = fc.oneof(fc.constant(null), fc.constant("x"), fc.constant({ a: 1 }), fc.constant(["y"]))
    const field = fc.constantFrom(
      "type",
      "data",
      "nodes",
      "fragments",
      "marks",
      "ref",
      "style",
      "added",
      "text"
    )
    fc.assert(
      fc.property(tree, fc.nat(), field, garbage, (root, at, name, value) => {
        const document = json(fromMarkdown(stringify(root)))
        const objects = objectsIn((document as Fields).nodes)
        if (objects.length === 0) return
        objects[at % objects.length]![name] = value
        const read = readForeignDocument(document)
        expect(read).toBeDefined()
        expect(Result.isSuccess(decode(json(read!.document)))).toBe(true)
        const isUnchanged = Result.isSuccess(decode(document))
        if (!isUnchanged) expect(read!.problems).not.toEqual([])
      }),
      runs(300)
    )
  })

  it("keeps the text of blocks that Markdown does not have, and names each", () => {
    const paragraph = {
      object: "block",
      type: "paragraph",
      nodes: [{ object: "text", leaves: [{ object: "leaf", text: "Kept", marks: [] }] }]
    }
    const read = readForeignDocument({
      object: "document",
      data: {},
      nodes: [
        { object: "block", type: "prompt", nodes: [paragraph] },
        { object: "block", type: "countdown", isVoid: true, data: { until: "2026" } },
        { ...paragraph, data: { align: "diagonal" } }
      ]
    })
    expect(toMarkdown(read!.document)).toBe("Kept\n\nKept\n")
    expect(read!.problems).toHaveLength(3)
    expect(read!.problems.join("\n")).toMatch(/"prompt".*replaced by its content/)
    expect(read!.problems.join("\n")).toMatch(/"countdown".*omitted/)
    expect(read!.problems.join("\n")).toMatch(/"align"/)
  })

  it("names the fields that Markdown has no form for", () => {
    const read = readForeignDocument({
      object: "document",
      data: {},
      nodes: [{ object: "block", type: "divider", isVoid: true, data: {}, shadow: "large" }]
    })
    expect(read!.problems).toEqual([
      'The field "shadow" of block "divider" was omitted: Markdown has no form for it.'
    ])
  })

  it("has the anchors of its headings", () => {
    const heading = (id: string, text: string) => ({
      object: "block",
      type: "heading-1",
      data: {},
      meta: { id },
      nodes: [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }]
    })
    const read = readForeignDocument({
      object: "document",
      data: {},
      nodes: [heading("old", "New title"), heading("same", "Same")]
    })
    expect(read!.document.nodes).toMatchObject([{ data: { anchor: "old" } }, { meta: { id: "same" } }])
    expect(JSON.stringify(read!.document.nodes[1])).not.toContain("anchor")
  })

  it("is not read if it is not a document", () => {
    for (const input of [null, 1, "x", [], {}, { object: "document" }])
      expect(readForeignDocument(input)).toBeUndefined()
  })
})

const every = `[a](/pages/p1) [b](/pages/p1#x) [c](/spaces/s1/pages/p1#x) [d][1] <a href="/pages/p1">e</a> ![f](/files/f1)
[g](/users/u1) [h](/collections/c1) [i](/spaces/s1) [j](https://example.com/pages/p1) <img src="/files/f1" alt="">

{% include "/reusable-contents/r1" %}

{% content-ref url="/pages/p1" %}
[Page](/pages/p1)
{% endcontent-ref %}

{% file src="/files/f1" %}

<custom data-x="1"><a href="/pages/p1">unknown</a></custom>

<table><thead><tr><th>T</th><th data-type="content-ref">R</th><th data-type="files">F</th></tr></thead><tbody><tr><td>t</td><td><a href="/pages/p1">Page</a></td><td><a href="/files/f1">File</a></td></tr></tbody></table>

\`\`\`
[code](/pages/p1)
\`\`\`

[1]: /pages/p1
`

describe("the ids in a document", () => {
  const rename = (_: string, id: string) => `new-${id}`

  it("are replaced in every reference, and in no code or URL", () => {
    const document = fromMarkdown(every)
    const { value, unresolved } = mapReferences(json(document), rename)
    const markdown = toMarkdown(value as JsonDocument)
    expect(unresolved).toEqual([])
    expect(markdown).toContain("[code](/pages/p1)")
    expect(markdown).toContain("https://example.com/pages/p1")
    const rest = markdown.replace("[code](/pages/p1)", "").replace("https://example.com/pages/p1", "")
    expect(rest).not.toMatch(/[/"](p|f|u|c|s|r)1\b/)
    expect(rest.match(/new-p1/g)!.length).toBeGreaterThanOrEqual(8)
  })

  it("are replaced in a document as in its Markdown", () => {
    const markdown = toMarkdown(fromMarkdown(every))
    const inDocument = mapReferences(json(fromMarkdown(markdown)), rename).value
    expect(inDocument).toEqual(json(fromMarkdown(mapMarkdownReferences(markdown, rename).markdown)))
  })

  it("are reported if the resource was not copied", () => {
    const { value, unresolved } = mapReferences(json(fromMarkdown("[a](/pages/p9)\n")), () => undefined)
    expect(unresolved).toEqual(["page p9"])
    expect(value).toEqual(json(fromMarkdown("[a](/pages/p9)\n")))
  })

  it("equal the ids of the source after the replacement is reverted", () => {
    fc.assert(
      fc.property(tree, (root) => {
        const document = json(fromMarkdown(stringify(root)))
        const revert = (_: string, id: string) => id.replace(/^new-/, "")
        expect(mapReferences(mapReferences(document, rename).value, revert).value).toEqual(document)
      }),
      runs(200)
    )
  })
})
