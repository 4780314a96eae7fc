/** Renders PDFs in the pool. */
import { type Book, type MakePdf, PdfFailed } from "@lectern/formats"
import { Effect, Queue, Stream } from "effect"
import { type CpuLimits, moreThanCpu, moreThanMemory } from "../limits.ts"
import type { ThreadPool } from "../pool/ThreadPool.ts"
import type { PdfReport, PdfRequest } from "./pdfTask.ts"

/** The maximum number of PDFs that are rendered concurrently, and that wait. */
const concurrency = 2
const queueLimit = 32

const advice = "Export a part of it: one page, or the pages below one."

const failed = (message: string) => Effect.fail(new PdfFailed({ message }))

/** The number of pages of a book for which the CPU limit applies once. */
const pagesPerLimit = 250

/**
 * Creates a PDF renderer over a pool. The CPU limit is multiplied for books with more than 250 pages. If the queue is
 * full, it fails, since a caller waits for the PDF. `fonts` are the paths of further fonts.
 */
export const makePdfRenderer = (
  pool: ThreadPool,
  { pdf: limitMs }: CpuLimits,
  fonts: ReadonlyArray<string>
): MakePdf => {
  const budgetOf = ({ pages }: Book) => limitMs * Math.max(1, Math.ceil(pages.length / pagesPerLimit))
  const render = pool.makeTaskRunner<PdfRequest, void>({
    task: "pdf",
    cpuMs: ({ book }) => budgetOf(book),
    concurrency,
    queueLimit
  })
  const describeError = (book: Book) => ({
    TaskFailed: ({ message }: { readonly message: string }) => failed(message),
    ThreadFailed: () => failed("This content cannot be rendered as a PDF."),
    CpuBudgetExceeded: () => failed(`This content takes ${moreThanCpu(budgetOf(book))} to render. ${advice}`),
    MemoryExceeded: ({ memoryMb }: { readonly memoryMb: number }) =>
      failed(`This content takes ${moreThanMemory(memoryMb)} to render. ${advice}`),
    QueueFull: () => failed("Too many PDFs are being rendered. Try again later.")
  })
  return (book, onProgress) =>
    Stream.suspend(() => {
      const processed = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
      return Stream.callback<Uint8Array, PdfFailed>((queue) =>
        render({ book, fonts, processed }, (report) => {
          const value = report as PdfReport
          if (value instanceof Uint8Array) Queue.offerUnsafe(queue, value)
          else onProgress?.(value)
        }).pipe(Effect.catchTags(describeError(book)), Effect.andThen(Queue.end(queue)))
      ).pipe(
        // The thread waits while too many blocks are in the queue.
        Stream.mapEffect((block) =>
          Effect.sync(() => {
            Atomics.add(processed, 0, 1)
            Atomics.notify(processed, 0)
            return block
          })
        )
      )
    })
}
