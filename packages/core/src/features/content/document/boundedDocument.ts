/** Converts Markdown to documents of bounded size. */
import { hasTooManyNodes, type JsonDocument } from "../../../model/content/document/Document.ts"
import { fromMarkdown } from "./fromMarkdown.ts"
import { toCode } from "./literalsFromMarkdown.ts"
import { wellFormed } from "./syntax.ts"

/** Returns the document of Markdown that is not parsed: a single code block. */
export const unparsedDocument = (markdown: string): JsonDocument => ({
  object: "document",
  data: {},
  nodes: [toCode(wellFormed(markdown).replace(/\n+$/, ""), { markdown: "verbatim" }, "0")]
})

/** Converts Markdown to a document, or to a single code block if the document is too large to be sent. */
export const boundedFromMarkdown = (markdown: string): JsonDocument => {
  const document = fromMarkdown(markdown)
  return hasTooManyNodes(document) ? unparsedDocument(markdown) : document
}
