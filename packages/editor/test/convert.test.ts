/** The conversion of documents to the state of the editor and back loses nothing. */

import { runs } from "@lectern/harness"
import { fromMarkdown, stringify } from "@lectern/markdown"
import { JsonDocument } from "@lectern/model/document"
import { inputArbitrary } from "@lectern/testkit/arbitraries"
import { Result, Schema } from "effect"
import fc from "fast-check"
import { Node } from "prosemirror-model"
import { EditorState } from "prosemirror-state"
import { describe, expect, it } from "vitest"
import { corpus, tree } from "../../markdown/test/support/markdown.ts"
import { page } from "../../markdown/test/support/pages.ts"
import { blockKinds } from "../src/commands/blockKinds.ts"
import { fromDocument, schema, toDocument } from "../src/convert.ts"

/** Converts a document to a new node, without the memory of the blocks that nodes were read from. */
const throughJson = (document: JsonDocument): JsonDocument => {
  const node = fromDocument(document)
  node.check()
  return toDocument(Node.fromJSON(schema, JSON.parse(JSON.stringify(node.toJSON()))))
}

const valid = inputArbitrary(JsonDocument).filter((value) =>
  Result.isSuccess(Schema.decodeUnknownResult(JsonDocument)(value))
)

describe("a document", () => {
  it("is unchanged after the conversion to the editor and back, for generated pages", () => {
    fc.assert(
      fc.property(page, (markdown) => {
        const document = fromMarkdown(markdown)
        expect(throughJson(document)).toEqual(document)
        expect(toDocument(fromDocument(document))).toEqual(document)
      }),
      runs(60)
    )
  })

  it("is unchanged after the conversion to the editor and back, for generated Markdown", () => {
    fc.assert(
      fc.property(tree, (root) => {
        const document = fromMarkdown(stringify(root))
        expect(throughJson(document)).toEqual(document)
      }),
      runs(40)
    )
  })

  it("is unchanged after the conversion to the editor and back, for every value of its schema", () => {
    fc.assert(
      fc.property(valid, (document) => {
        const given = JSON.parse(JSON.stringify(document)) as JsonDocument
        expect(throughJson(given)).toEqual(given)
      }),
      runs(60)
    )
  })

  it("is represented by nodes, not by stored blocks, except for one in 200", () => {
    const pages = fc.sample(page, { numRuns: runs(40).numRuns, seed: 1 })
    const markdown = [...pages, ...corpus(120).map(({ text }) => text)]
    const counts = { blocks: 0, stored: 0 }
    for (const text of markdown) {
      fromDocument(fromMarkdown(text)).descendants((node) => {
        if (!node.isBlock) return
        counts.blocks++
        // An edit of such a block would lose its form.
        if (node.type.name === "opaque" || node.attrs.exact != null) counts.stored++
      })
    }
    // `npm test` generates fewer pages.
    expect(counts.blocks).toBeGreaterThan(400)
    expect(counts.stored / counts.blocks).toBeLessThan(1 / 200)
  })

  it("is unchanged after the conversion to the editor and back, for the Markdown of packages", () => {
    for (const { path, text } of corpus(120)) {
      const document = fromMarkdown(text)
      expect(throughJson(document), path).toEqual(document)
    }
  })

  it("keeps the order of marks of text that is not edited, in a block that is", () => {
    for (const text of ["**_a_** and *~~c~~* end", "_**a**_ and ~~*c*~~ end"]) {
      const document = fromMarkdown(text)
      const { doc, tr } = EditorState.create({ doc: fromDocument(document) })
      const edited = toDocument(tr.insertText(" more", doc.content.size - 1).doc)
      const leavesOf = ({ nodes }: JsonDocument) =>
        (
          nodes as unknown as ReadonlyArray<{ nodes: ReadonlyArray<{ leaves: ReadonlyArray<object> }> }>
        )[0]!.nodes.flatMap(({ leaves }) => leaves)
      const [before, after] = [leavesOf(document), leavesOf(edited)]
      expect(after.slice(0, -1)).toEqual(before.slice(0, -1))
      expect(after.at(-1)).toMatchObject({ text: " end more" })
    }
  })
})

describe("a block of the menu", () => {
  const decode = (document: unknown) => Schema.decodeUnknownResult(JsonDocument)(document)
  const shells: Readonly<Record<string, (node: Node) => Node>> = {
    "the page": (node) => node,
    "a hint": (node) => schema.nodes.hint!.create({ data: { style: "info" } }, [node]),
    "a list": (node) =>
      schema.nodes.list_unordered!.create(null, [schema.nodes.list_item!.create(null, [node])])
  }

  it.each(
    blockKinds.flatMap(({ id, create }) => Object.keys(shells).map((shell) => ({ id, create, shell })))
  )("is accepted by the server before its settings are filled: $id in $shell", ({ create, shell }) => {
    const node = create()
    const block = node.isInline ? schema.nodes.paragraph!.create(null, [node]) : node
    const after = schema.nodes.paragraph!.create(null, [schema.text("Later text.")])
    const written = toDocument(schema.nodes.doc!.create({ data: {} }, [shells[shell]!(block), after]))
    const decoded = decode(written)
    expect(Result.isFailure(decoded) ? String(decoded.failure) : "").toBe("")
    expect(JSON.stringify(written)).toContain("Later text.")
  })

  it("is written as soon as its target is chosen", () => {
    const ref = { kind: "openapi", spec: "petstore" }
    const block = schema.nodes.openapi_operation!.create({ data: { ref, path: "/", method: "get" } })
    expect(toDocument(schema.nodes.doc!.create({ data: {} }, [block])).nodes).toHaveLength(1)
  })
})
