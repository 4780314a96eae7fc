/** Checks that every page fulfills, and the statistics of pages. */
import { isDeepStrictEqual } from "node:util"
import { fromMarkdown, toMarkdown } from "@lectern/markdown/document"
import { JsonDocument } from "@lectern/model/document"
import { fieldsOf } from "@lectern/model/schema"
import { Result, Schema } from "effect"
import { contractErrors } from "./contract.ts"
import { nodesIn } from "./nodeTableDocument.ts"

const decode = Schema.decodeUnknownResult(JsonDocument, { errors: "all" })

/** Matches a tag. */
const tagPattern = /\{%-?\s*@?[a-z]/i

interface Node {
  readonly [name: string]: unknown
}

const dataOf = ({ data }: Node): Node => (typeof data === "object" && data !== null ? (data as Node) : {})

const textsIn = (node: Node): ReadonlyArray<string> =>
  nodesIn(node).flatMap(({ object, text }) => (object === "leaf" && typeof text === "string" ? [text] : []))

const isCode = ({ marks }: Node): boolean =>
  Array.isArray(marks) && marks.some((mark) => (mark as Node).type === "code")

/** Returns the text nodes of a page that have tags, except for code and escaped tags. */
const tagsInText = (markdown: string, document: Node): ReadonlyArray<string> => {
  const code = new Set(
    nodesIn(document)
      .filter(({ type }) => type === "code")
      .flatMap(nodesIn)
  )
  return nodesIn(document)
    .filter((node) => node.object === "leaf" && !code.has(node) && !isCode(node))
    .filter((leaf) => dataOf(leaf).markdown === undefined)
    .map(({ text }) => String(text))
    .filter((text) => tagPattern.test(text) && !markdown.includes("\\{%"))
}

/** Returns the problems of the document of a page. */
export const pageProblems = (markdown: string): ReadonlyArray<string> => {
  const document = fromMarkdown(markdown)
  const written = toMarkdown(document)
  const again = fromMarkdown(written)
  const accepted = decode(JSON.parse(JSON.stringify(document)))
  return [
    ...tagsInText(markdown, document as unknown as Node).map((text) => `text has a tag: ${text}`),
    ...(contractErrors(document).length > 0 ? ["the contract does not permit the document"] : []),
    ...(isDeepStrictEqual(again, document) ? [] : ["the document changes when it is written"]),
    ...(toMarkdown(again) === written ? [] : ["the Markdown changes when it is written again"]),
    ...(Result.isFailure(accepted)
      ? [`a request with the document is rejected: ${JSON.stringify(fieldsOf(accepted.failure.issue))}`]
      : isDeepStrictEqual(accepted.success, document)
        ? []
        : ["a request with the document loses fields"])
  ]
}

/** Returns the sources of the tags of a page that are not blocks. */
export const opaqueTags = (markdown: string): ReadonlyArray<string> =>
  nodesIn(fromMarkdown(markdown))
    .filter((node) => node.type === "code" && dataOf(node).markdown === "tag")
    .map((node) => textsIn(node).join("\n"))

/** Counts the blocks of a page by type. */
export const countBlocks = (markdown: string, counts: Map<string, number>): void => {
  for (const node of nodesIn(fromMarkdown(markdown))) {
    if (node.object !== "block") continue
    const { markdown } = dataOf(node)
    const type = String(node.type) + (typeof markdown === "string" ? ` (${markdown})` : "")
    counts.set(type, (counts.get(type) ?? 0) + 1)
  }
}
