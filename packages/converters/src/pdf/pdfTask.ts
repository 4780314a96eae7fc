/** Renders a book in a thread of the pool. */
import type { Book, PdfProgress } from "@lectern/core/conversion"
import { TaskFailure } from "../pool/serveTasks.ts"
import { PdfTooLarge, renderPdf } from "./renderPdf.ts"

/** The input of the task: a book, and the paths of further fonts. */
export interface PdfRequest {
  readonly book: Book
  readonly fonts: ReadonlyArray<string>
}

/** Renders a book. Throws `TaskFailure` with a message for the caller if it cannot be rendered. */
export const pdfTask = async (
  { book, fonts }: PdfRequest,
  report: (progress: PdfProgress) => void
): Promise<Uint8Array> => {
  try {
    // The array covers its buffer, so it is transferred to the main thread and not copied.
    return await renderPdf(book, { fonts, onProgress: (rendered, total) => report({ rendered, total }) })
  } catch (error) {
    throw new TaskFailure(
      error instanceof PdfTooLarge ? error.message : "This content cannot be rendered as a PDF."
    )
  }
}
