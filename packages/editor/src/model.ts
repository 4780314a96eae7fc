/** The types of the document model that the editor uses. Every import of the model is here. */
import type { DocumentBlock, DocumentInline, JsonDocument } from "@lectern/model"

/** A document: the body of a page as a tree of nodes. */
export type Document = JsonDocument
/** A block of a document. */
export type Block = DocumentBlock.Block
/** A block of text with marks. */
export type Table = DocumentBlock.Table
/** A column of a table. */
export type TableColumn = DocumentBlock.TableColumn
/** The value of a cell. */
export type TableValue = DocumentBlock.TableValue
/** The target of a link. */
export type ContentRef = DocumentInline.ContentRef
/** The target of an image: a file or a URL. */
export type ImageRef = DocumentInline.ImageRef
/** An inline node. */
export type Inline = DocumentInline.Inline
/** The formatting of a run of text. */
export type Mark = DocumentInline.Mark
