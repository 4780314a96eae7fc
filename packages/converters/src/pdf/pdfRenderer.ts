/** Renders PDFs in the pool. */
import { type Book, type MakePdf, PdfFailed } from "@lectern/core"
import { Effect } from "effect"
import { type CpuLimits, moreThanCpu, moreThanMemory } from "../limits.ts"
import type { ThreadPool } from "../pool/ThreadPool.ts"

/** The maximum number of PDFs that are rendered concurrently, and that wait. */
const concurrency = 2
const queueLimit = 32

const advice = "Export a part of it: one page, or the pages below one."

const failed = (message: string) => Effect.fail(new PdfFailed({ message }))

/** Creates a PDF renderer over a pool. If the queue is full, it fails, since a caller waits for the PDF. */
export const makePdfRenderer = (pool: ThreadPool, { pdf: cpuMs }: CpuLimits): MakePdf => {
  const render = pool.makeTaskRunner<Book, Uint8Array>({ task: "pdf", cpuMs, concurrency, queueLimit })
  return (book) =>
    Effect.catchTags(render(book), {
      TaskFailed: ({ message }) => failed(message),
      ThreadFailed: () => failed("This content cannot be rendered as a PDF."),
      CpuBudgetExceeded: () => failed(`This content takes ${moreThanCpu(cpuMs)} to render. ${advice}`),
      MemoryExceeded: ({ memoryMb }) =>
        failed(`This content takes ${moreThanMemory(memoryMb)} to render. ${advice}`),
      QueueFull: () => failed("Too many PDFs are being rendered. Try again later.")
    })
}
