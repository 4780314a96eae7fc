/** The form of documents for other clients: each is valid by the schemas of the public contract, without exceptions. */
import { runs } from "@lectern/harness"
import { fromMarkdown, stringify } from "@lectern/markdown/document"
import { type ContractNode, JsonDocument, toContractForm } from "@lectern/model/document"
import { fieldsOf } from "@lectern/model/schema"
import { Result, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isStrictlyValid, strictErrors } from "./support/contract.ts"
import { fieldExceptions, nestingExceptions } from "./support/contractExceptions.ts"
import { tree } from "./support/markdown.ts"
import { nodeTable } from "./support/nodeTable.ts"
import { page } from "./support/pages.ts"

const formOf = (markdown: string) => {
  const document = JSON.parse(JSON.stringify(fromMarkdown(markdown))) as ContractNode
  return { document, form: toContractForm(document) }
}

/** The words of the text of a document. */
const wordsOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return []
  const { object, text } = value as { readonly object?: unknown; readonly text?: unknown }
  const own =
    object === "leaf" && typeof text === "string" ? text.split(/\s+/).filter((word) => word !== "") : []
  return [...own, ...Object.values(value).flatMap(wordsOf)]
}

const expectValid = (markdown: string) => {
  const { document, form } = formOf(markdown)
  const errors = strictErrors(form)
  expect(errors, JSON.stringify(errors.slice(0, 8))).toEqual([])
  const text = wordsOf(form).join("")
  expect(wordsOf(document.nodes).filter((word) => !text.includes(word))).toEqual([])
}

const nested = nestingExceptions.flatMap(({ markdown, children }) =>
  children.map((child) => {
    const block = nodeTable.find(({ type }) => type === child)!.markdown
    return markdown.replace(/^(.*)…/m, (_, before: string) =>
      block
        .split("\n")
        .map((line, index) => (index === 0 ? before : before.replace(/[-]/g, " ")) + line)
        .join("\n")
    )
  })
)

describe("the form of a document for other clients", () => {
  it.each(nodeTable)("is valid, and has all text: $kind $type", ({ markdown }) => expectValid(markdown))

  it.each([...nested, ...fieldExceptions.map(({ markdown }) => markdown)])(
    "is valid, and has all text: %s",
    (markdown) => expectValid(markdown)
  )

  it("is valid for every generated page, and has all of its text", () => {
    fc.assert(fc.property(page, expectValid), runs(200))
  })

  it("is valid for every generated tree, and has all of its text", () => {
    fc.assert(
      fc.property(tree, (root) => expectValid(stringify(root))),
      runs(200)
    )
  })

  it("is the document itself, with the mark, if that is valid", () => {
    fc.assert(
      fc.property(tree, (root) => {
        const { document, form } = formOf(stringify(root))
        if (!isStrictlyValid(document)) return
        const again = toContractForm(form)
        expect(again).toEqual(form)
        expect(wordsOf(form)).toEqual(wordsOf(document))
      }),
      runs(100)
    )
  })

  it("is rejected as the input of an edit", () => {
    const result = Schema.decodeUnknownResult(JsonDocument)(formOf("# A\n\nText.").form)
    expect(Result.isFailure(result) ? fieldsOf(result.failure.issue) : []).toEqual([
      {
        path: "data.form",
        message:
          "is that of a document for other clients, which lacks details. Read the document as a user, without the header `Lectern-Contract`, to edit it"
      }
    ])
  })

  it("has columns next to each other, as a table", () => {
    const { form } = formOf(
      "{% columns %}\n{% column %}\nA\n{% endcolumn %}\n\n{% column %}\nB\n{% endcolumn %}\n{% endcolumns %}"
    )
    expect(form.nodes).toMatchObject([
      { type: "table", data: { view: { columns: ["c0", "c1"], hideHeader: true } } }
    ])
  })
})
