/**
 * The port through which PDFs are rendered: the book that is rendered and the function that the host provides.
 * Rendering needs fonts and a worker thread, so the core does not implement it.
 */

import type { FileId, PageId } from "@lectern/model/content"
import { Context, Schema, type Stream } from "effect"

/** A page of a book. */
export interface BookPage {
  /** The id of the page. */
  readonly id: PageId
  /** How many pages of the book are above this page. */
  readonly depth: number
  /** The type of the page. Computed pages are documents. */
  readonly type: "document" | "group" | "link"
  /** The title, preceded by the emoji of the page. */
  readonly title: string
  /** The description, if the layout of the page shows it. */
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
  /** The file name. */
  readonly name: string
  /** The URL from which the file can be downloaded. */
  readonly url: string
  /** The bytes of an image; absent for other files. */
  readonly image?: Uint8Array
}

/** The input of a PDF: plain data, which can be posted to a worker thread. */
export interface Book {
  /** The title of the document. */
  readonly title: string
  /** The context of the title: the space of a single page, or the change request of proposed content. */
  readonly about?: string
  /** The language of the text as a BCP 47 tag. By default, it is derived from the scripts of the text. */
  readonly language?: string
  /** When the revision was created, in ISO 8601. */
  readonly date: string
  /** Whether the document begins with a cover and a table of contents. */
  readonly hasContents: boolean
  /** In reading order. */
  readonly pages: ReadonlyArray<BookPage>
  /** The URLs of all pages of the content in the application, by id. */
  readonly addresses: ReadonlyMap<string, string>
  /** The ids of all pages of the content, by path. */
  readonly paths: ReadonlyMap<string, string>
  /** The files that the pages refer to, by id. */
  readonly files: ReadonlyMap<FileId, BookFile>
}

/** A book cannot be rendered. The message states why and is shown to the caller. */
export class PdfFailed extends Schema.TaggedError<PdfFailed>()("PdfFailed", { message: Schema.String }) {}

/** How many of the pages of a book are rendered. Both are 0 before the first page. */
export interface PdfProgress {
  /** The number of pages that are rendered. */
  readonly rendered: number
  /** The number of pages to render. */
  readonly total: number
}

/**
 * Renders a book as PDF, and streams its bytes while it is rendered. It must terminate in bounded time and memory for any
 * input, also if the stream is consumed slowly, return equal bytes for equal books, and not block the event loop.
 * `onProgress` is called while pages are rendered. Interruption cancels it.
 */
export type MakePdf = (
  book: Book,
  onProgress?: (progress: PdfProgress) => void
) => Stream.Stream<Uint8Array, PdfFailed>

/**
 * The PDF renderer of the host: `pdfRenderer()` of `@lectern/converters`. Without it, PDF export fails with `Conflict`.
 */
export const PdfMaker = Context.Reference<MakePdf | undefined>("@lectern/core/PdfMaker", {
  defaultValue: () => undefined
})
