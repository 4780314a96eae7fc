/** Converts documents to the state of the editor and back, without loss: `@lectern/editor/convert`. */
import type { Node } from "prosemirror-model"
import type { DocumentNode } from "./convert/json.ts"
import { readDocument } from "./convert/readBlocks.ts"
import { writeContent } from "./convert/writeBlocks.ts"
import type { Document } from "./model.ts"
import type { JsonObject } from "./schema/attributes.ts"
import { schema } from "./schema/schema.ts"

export { schema } from "./schema/schema.ts"

/** Converts a document to the root node of an editor. */
export const fromDocument = (document: Document): Node =>
  readDocument(
    document.data as unknown as JsonObject,
    document.nodes as unknown as ReadonlyArray<DocumentNode>
  )

/**
 * Converts the root node of an editor to a document. It equals the document that `fromDocument` was given, apart from later
 * edits. Only nodes that changed since the last conversion are converted.
 */
export const toDocument = (root: Node): Document => {
  const footnotes: Array<object> = []
  root.forEach((node) => {
    if (node.type === schema.nodes.footnote)
      footnotes.push({ label: node.attrs.label as string, nodes: writeContent(node) })
  })
  const { footnotes: empty, ...data } = root.attrs.data as JsonObject
  const list = footnotes.length > 0 ? { footnotes } : empty === undefined ? {} : { footnotes: empty }
  return { object: "document", data: { ...data, ...list }, nodes: writeContent(root) } as unknown as Document
}
