/** The types of the document model that the editor uses. Every import of the model is here. */
import type { DocumentBlock, DocumentInline, JsonDocument } from "@lectern/model"

/** A document: the body of a page as a tree of nodes. */
export type Document = JsonDocument
/** A block of a document. */
export type Block = DocumentBlock.Block
/** The target of a link. */
export type ContentRef = DocumentInline.ContentRef
/** The target of an image: a file or a URL. */
export type ImageRef = DocumentInline.ImageRef

/** A document without content. */
export const emptyDocument = { object: "document", data: {}, nodes: [] } as unknown as Document
