/** The thread that makes PDFs: a book for each message, answered by its bytes, or by what is wrong. */
import { parentPort } from "node:worker_threads"
import type { Book } from "@lectern/core"
import { makePdf, TooLarge } from "./makePdf.ts"
import type { Answer } from "./pdfMaker.ts"

parentPort!.on("message", async (book: Book) => {
  try {
    const made = await makePdf(book)
    const bytes = new Uint8Array(made)
    parentPort!.postMessage({ bytes } satisfies Answer, [bytes.buffer])
  } catch (error) {
    const message = error instanceof TooLarge ? error.message : "This content cannot be made a PDF of."
    parentPort!.postMessage({ message } satisfies Answer)
  }
})
