/** Renders PDFs in the pool. */
import { type Book, type MakePdf, PdfFailed, type PdfProgress } from "@lectern/core"
import { Effect } from "effect"
import { type CpuLimits, moreThanCpu, moreThanMemory } from "../limits.ts"
import type { ThreadPool } from "../pool/ThreadPool.ts"
import type { PdfRequest } from "./pdfTask.ts"

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
  const render = pool.makeTaskRunner<PdfRequest, Uint8Array>({
    task: "pdf",
    cpuMs: ({ book }) => budgetOf(book),
    concurrency,
    queueLimit
  })
  return (book, onProgress) =>
    Effect.catchTags(
      render({ book, fonts }, (progress) => onProgress?.(progress as PdfProgress)),
      {
        TaskFailed: ({ message }) => failed(message),
        ThreadFailed: () => failed("This content cannot be rendered as a PDF."),
        CpuBudgetExceeded: () =>
          failed(`This content takes ${moreThanCpu(budgetOf(book))} to render. ${advice}`),
        MemoryExceeded: ({ memoryMb }) =>
          failed(`This content takes ${moreThanMemory(memoryMb)} to render. ${advice}`),
        QueueFull: () => failed("Too many PDFs are being rendered. Try again later.")
      }
    )
}
