/** Renders PDFs in the pool. */
import { type Book, type MakePdf, PdfFailed } from "@lectern/core"
import { Effect } from "effect"
import type { ThreadPool } from "../pool/ThreadPool.ts"

/** The most milliseconds of CPU time for one PDF. */
const cpuMs = 60_000

/** How many PDFs are rendered at a time, and how many wait. */
const concurrency = 2
const queueLimit = 32

const advice = "Export a part of it: one page, or the pages below one."

const failed = (message: string) => Effect.fail(new PdfFailed({ message }))

/** Makes a PDF renderer over a pool. */
export const makePdfRenderer = (pool: ThreadPool): MakePdf => {
  const render = pool.lane<Book, Uint8Array>({ task: "pdf", cpuMs, concurrency, queueLimit })
  return (book) =>
    Effect.catchTags(render(book), {
      TaskFailed: ({ message }) => failed(message),
      ThreadFailed: () => failed("This content cannot be rendered as a PDF."),
      CpuBudgetExceeded: () =>
        failed(`This content takes more than ${cpuMs / 1000} s of CPU time to render. ${advice}`),
      MemoryExceeded: ({ memoryMb }) =>
        failed(`This content takes more than ${memoryMb} MB of memory to render. ${advice}`),
      QueueFull: () => failed("Too many PDFs are being rendered. Try again later.")
    })
}
