/** Renders a book in a thread of the pool. */
import type { Book } from "@lectern/core/conversion"
import { TaskFailure } from "../pool/serveTasks.ts"
import { PdfTooLarge, renderPdf } from "./renderPdf.ts"

/** Renders a book. Throws `TaskFailure` with a message for the caller if it cannot be rendered. */
export const pdfTask = async (book: Book): Promise<Uint8Array> => {
  try {
    // An array that covers its buffer is transferred to the main thread; a slice of a larger buffer would be copied
    // there.
    return new Uint8Array(await renderPdf(book))
  } catch (error) {
    throw new TaskFailure(
      error instanceof PdfTooLarge ? error.message : "This content cannot be rendered as a PDF."
    )
  }
}
