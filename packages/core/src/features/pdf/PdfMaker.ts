/**
 * The port through which PDFs are rendered: the book that is rendered and the function that the host provides.
 * Rendering needs fonts and a worker thread, so the core does not implement it.
 */
import { Context, type Effect, Schema } from "effect"
import type { FileId } from "../../model/content/File.ts"
import type { PageId } from "../../model/content/Page.ts"

/** A page of a book. */
export interface BookPage {
  readonly id: PageId
  /** How many pages of the book are above this page. */
  readonly depth: number
  readonly type: "document" | "group" | "link"
  readonly title: string
  readonly description?: string
  /** The slugs from the root, separated by slashes: the target of links by path. */
  readonly path: string
  /** The body of a document, with its inclusions expanded. */
  readonly markdown: string
  /** The target of a page of the type `link`. */
  readonly target?: BookTarget
}

/** The target of a page of the type `link`: a URL, or a page, which may be in the book. */
export type BookTarget = { readonly url: string } | { readonly page: string; readonly anchor?: string }

/** A file that pages refer to. */
export interface BookFile {
  readonly name: string
  readonly url: string
  /** The bytes of an image; absent for other files. */
  readonly image?: Uint8Array
}

/** The input of a PDF: plain data, which can be posted to a worker thread. */
export interface Book {
  /** The title of the document. */
  readonly title: string
  /** What the title belongs to: the space of a page, or the change request of proposed content. */
  readonly about?: string
  /** When the revision was created. */
  readonly date: string
  /** Whether the document begins with a cover and a table of contents. */
  readonly hasContents: boolean
  /** In reading order. */
  readonly pages: ReadonlyArray<BookPage>
  /** The URLs of all pages of the content in the application, by id. */
  readonly addresses: ReadonlyMap<string, string>
  /** The ids of all pages of the content, by path. */
  readonly paths: ReadonlyMap<string, string>
  readonly files: ReadonlyMap<FileId, BookFile>
}

/** A book cannot be rendered. The message states why and is shown to the caller. */
export class PdfFailed extends Schema.TaggedError<PdfFailed>()("PdfFailed", { message: Schema.String }) {}

/**
 * Renders a book as PDF. It must terminate in bounded time and memory for any input, return equal bytes for equal
 * books, and not block the event loop.
 */
export type MakePdf = (book: Book) => Effect.Effect<Uint8Array, PdfFailed>

/** What renders PDFs: `pdfRenderer()` of `@lectern/converters`. Without it, PDF export is off. */
export const PdfMaker = Context.Reference<MakePdf | undefined>("@lectern/core/PdfMaker", {
  defaultValue: () => undefined
})
