/** Converts long Markdown to documents of bounded size. */
import type { JsonDocument } from "../../../model/content/document/Document.ts"
import { fromMarkdown } from "./fromMarkdown.ts"
import { toCode } from "./literalsFromMarkdown.ts"
import { wellFormed } from "./syntax.ts"

/** The maximum number of nodes of the document of long Markdown. Clients receive several hundred bytes for each. */
const maximumNodes = 30_000

/** Whether a value of JSON contains more objects than the maximum number of nodes. */
const hasTooManyNodes = (document: JsonDocument): boolean => {
  const pending: Array<unknown> = [document]
  let count = 0
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value !== "object" || value === null) continue
    if ("object" in value && ++count > maximumNodes) return true
    for (const child of Object.values(value)) if (typeof child === "object") pending.push(child)
  }
  return false
}

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
