/** Renders a book in a thread of the pool. */
import type { Book, PdfProgress } from "@lectern/formats/threads"
import { TaskFailure } from "../pool/serveTasks.ts"
import { PdfTooLarge } from "./PdfTooLarge.ts"
import { writePdf } from "./renderPdf.ts"

/** The input of the task: a book, and the paths of further fonts. */
export interface PdfRequest {
  readonly book: Book
  readonly fonts: ReadonlyArray<string>
  /** The number of blocks that the receiver has processed. It is shared with the receiver, which increments it. */
  readonly processed: Int32Array<SharedArrayBuffer>
}

/** The reports of the task: its progress, or a block of the PDF. */
export type PdfReport = PdfProgress | Uint8Array

/** The maximum number of blocks that the receiver has not processed yet. The task waits for it. */
const maximumPendingBlocks = 4

/** Renders a book and reports its blocks. Throws `TaskFailure` with a message for the caller if it cannot be rendered. */
export const pdfTask = async (
  { book, fonts, processed }: PdfRequest,
  report: (report: PdfReport) => void
): Promise<void> => {
  let written = 0
  const write = async (block: Uint8Array): Promise<void> => {
    for (;;) {
      const done = Atomics.load(processed, 0)
      if (written - done < maximumPendingBlocks) break
      await Atomics.waitAsync(processed, 0, done).value
    }
    written++
    // The array covers its buffer, so it is transferred to the main thread and not copied.
    report(block)
  }
  try {
    await writePdf(book, write, {
      fonts,
      onProgress: (rendered, total) => report({ rendered, total }),
      releasesBook: true
    })
  } catch (error) {
    throw new TaskFailure(
      error instanceof PdfTooLarge ? error.message : "This content cannot be rendered as a PDF."
    )
  }
}
