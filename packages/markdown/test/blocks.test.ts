/** The table of nodes: every type of the public contract, its Markdown, and the exceptions to the contract. */
import { readFileSync, writeFileSync } from "node:fs"
import { fromMarkdown, toMarkdown } from "@lectern/markdown/document"
import { JsonDocument } from "@lectern/model/document"
import { fieldsOf } from "@lectern/model/schema"
import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { contractErrors, contractTypes, isStrictlyValid } from "./support/contract.ts"
import {
  additionalTypes,
  corrections,
  fieldExceptions,
  nestingExceptions
} from "./support/contractExceptions.ts"
import { nodeTable, typesWithoutRow } from "./support/nodeTable.ts"
import { nodeOf, nodesIn, nodeTableDocument } from "./support/nodeTableDocument.ts"

const decode = Schema.decodeUnknownResult(JsonDocument, { errors: "all" })

/** Replaces `…` with Markdown. Each of its lines but the first is indented to the position of `…`. */
const insert = (container: string, content: string): string =>
  container.replace(/^(.*)…/m, (_, before: string) => {
    const indentation = before.replace(/[-]/g, " ")
    return content
      .split("\n")
      .map((line, index) => (index === 0 ? before : indentation) + line)
      .join("\n")
  })

describe("the table of nodes", () => {
  it("has a row for each type of the contract, and for no other type without a reason", () => {
    const types = nodeTable.map(({ type }) => type).filter((type) => !Object.hasOwn(additionalTypes, type))
    expect([...types, ...typesWithoutRow].sort()).toEqual([...contractTypes].sort())
  })

  it.each(nodeTable)("has Markdown with a node of its type: $kind $type", (row) => {
    expect(nodeOf(row)).toBeDefined()
    const document = fromMarkdown(row.markdown)
    expect(contractErrors(document)).toEqual([])
    expect(toMarkdown(document)).toBe(`${row.markdown}\n`)
    const result = decode(JSON.parse(JSON.stringify(document)))
    expect(Result.isSuccess(result) ? result.success : fieldsOf(result.failure.issue)).toEqual(document)
  })

  it("is the table in docs/blocks.md", () => {
    const file = new URL("../../../docs/blocks.md", import.meta.url)
    if (process.env.LECTERN_UPDATE_GOLDEN === "1") writeFileSync(file, nodeTableDocument())
    expect(
      readFileSync(file, "utf8"),
      "Run `LECTERN_UPDATE_GOLDEN=1 npx vitest run packages/markdown/test/blocks.test.ts`, and review the diff."
    ).toBe(nodeTableDocument())
  })
})

describe("an exception to the public contract", () => {
  const pairs = nestingExceptions.flatMap(({ parent, markdown, children }) =>
    children.map((child) => {
      const row = nodeTable.find(({ type }) => type === child)!
      return { parent, child, markdown: insert(markdown, row.markdown) }
    })
  )

  it.each(pairs)("is necessary: $child in $parent", ({ child, markdown }) => {
    const document = fromMarkdown(markdown)
    expect(nodesIn(document)).toContainEqual(expect.objectContaining({ type: child }))
    expect(nodesIn(document)).not.toContainEqual(
      expect.objectContaining({ data: expect.objectContaining({ markdown: "tag" }) })
    )
    expect(isStrictlyValid(document)).toBe(false)
    expect(contractErrors(document)).toEqual([])
  })

  it.each([...fieldExceptions, ...corrections])("is necessary: $schema", ({ markdown }) => {
    const document = fromMarkdown(markdown)
    expect(isStrictlyValid(document)).toBe(false)
    expect(contractErrors(document)).toEqual([])
  })
})
