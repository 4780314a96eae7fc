/**
 * The port through which PDFs are rendered: what a book is, and what the host provides to render one. Rendering needs
 * fonts and a worker thread, so the core does not do it.
 */
import { Context, type Effect, Schema } from "effect"
import type { FileId } from "../../model/content/File.ts"
import type { PageId } from "../../model/content/Page.ts"

/** A page of a book. `depth` is how many pages of the book it is under. */
export interface BookPage {
  readonly id: PageId
  readonly depth: number
  readonly type: "document" | "group" | "link"
  readonly title: string
  readonly description?: string
  /** Slugs with slashes between: what links by path go by. */
  readonly path: string
  /** The body of a document, with what it includes. */
  readonly markdown: string
  /** Where a page that is a link leads. */
  readonly target?: BookTarget
}

/** Where a page that is a link leads: to an address, or to a page, which may be in the book. */
export type BookTarget = { readonly url: string } | { readonly page: string; readonly anchor?: string }

/** A file that pages name. `image` has its bytes where it is a picture. */
export interface BookFile {
  readonly name: string
  readonly url: string
  readonly image?: Uint8Array
}

/** What a PDF is made from: plain data, which can be sent to a thread. */
export interface Book {
  /** What the document is called, and whose it is: the space of a page, the change request of proposed content. */
  readonly title: string
  readonly about?: string
  /** When the content was made what it is. */
  readonly date: string
  /** Whether it begins with a cover and a table of contents. */
  readonly hasContents: boolean
  /** In reading order. */
  readonly pages: ReadonlyArray<BookPage>
  /** The addresses of all pages of the content in the application, by id, and the ids by path. */
  readonly addresses: ReadonlyMap<string, string>
  readonly paths: ReadonlyMap<string, string>
  readonly files: ReadonlyMap<FileId, BookFile>
}

/** A book cannot be made a PDF of. The message says why, to the one who asks. */
export class PdfFailed extends Schema.TaggedError<PdfFailed>()("PdfFailed", { message: Schema.String }) {}

/**
 * Makes a PDF of a book. It must end in bounded time and memory whatever the pages hold, give equal bytes for equal
 * books, and leave the event loop to others.
 */
export type MakePdf = (book: Book) => Effect.Effect<Uint8Array, PdfFailed>

/** What renders PDFs: `pdfRenderer()` of `@lectern/converters`. Without it, PDF export is off. */
export const PdfMaker = Context.Reference<MakePdf | undefined>("@lectern/core/PdfMaker", {
  defaultValue: () => undefined
})
