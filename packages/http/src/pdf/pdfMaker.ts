/** Makes PDFs in threads, so that a large one keeps nobody waiting, and one that was made to hurt can be ended. */
import type { Worker } from "node:worker_threads"
import { type Book, type MakePdf, PdfFailed } from "@lectern/core"
import { type Duration, Effect, Semaphore } from "effect"
import { startThread } from "../threads/startThread.ts"

/** What came of a book. */
export type Answer = { readonly bytes: Uint8Array } | { readonly message: string }

/** How long a book may take. */
const patience = "60 seconds"

/** How long it may take with those that are made before it. */
const patienceInLine = "150 seconds"

const tooLong = "This content takes too long to make a PDF of: ask for a part of it."
const tooMany = "Too many PDFs are asked for at the moment; try again later."
const tooMuch = "This content takes more memory than a PDF may: ask for a part of it."

/** How many are made at a time in the process; others wait. */
const threads = 2

/** What a thread may use, in megabytes. */
const maximumMegabytes = 1024

/** How long a thread waits for another book before it ends, in milliseconds: it holds fonts, and memory. */
const idleMillis = 30_000

/** A thread, and who waits for its answer; `undefined` says that there will be none. */
interface Thread {
  readonly worker: Worker
  answer: ((answer: Answer | undefined) => void) | undefined
  isAlive: boolean
  idle: NodeJS.Timeout | undefined
}

const start = (): Thread => {
  const worker = startThread(import.meta.url, "pdfWorker", maximumMegabytes)
  const thread: Thread = { worker, answer: undefined, isAlive: true, idle: undefined }
  worker.on("message", (answer: Answer) => thread.answer?.(answer))
  const die = () => {
    thread.isAlive = false
    thread.answer?.(undefined)
  }
  worker.on("error", die)
  worker.on("exit", die)
  return thread
}

const end = (thread: Thread): void => {
  thread.isAlive = false
  thread.answer = undefined
  void thread.worker.terminate()
}

const make = (): MakePdf => {
  let resting: Array<Thread> = []
  const permits = Semaphore.makeUnsafe(threads)

  const take = (): Thread => {
    const alive = resting.filter(({ isAlive }) => isAlive)
    const thread = alive.pop() ?? start()
    resting = alive
    clearTimeout(thread.idle)
    // Nothing else may end the process before there is an answer.
    thread.worker.ref()
    return thread
  }

  const rest = (thread: Thread): void => {
    thread.answer = undefined
    thread.worker.unref()
    resting.push(thread)
    thread.idle = setTimeout(() => {
      resting = resting.filter((one) => one !== thread)
      end(thread)
    }, idleMillis).unref()
  }

  const ask = (book: Book) =>
    Effect.callback<Uint8Array, PdfFailed>((resume) => {
      const thread = take()
      thread.answer = (answer) => {
        if (answer !== undefined) rest(thread)
        resume(
          answer !== undefined && "bytes" in answer
            ? Effect.succeed(answer.bytes)
            : Effect.fail(new PdfFailed({ message: answer?.message ?? tooMuch }))
        )
      }
      thread.worker.postMessage(book)
      return Effect.sync(() => end(thread))
    })

  return (book) =>
    ask(book).pipe(within(patience, tooLong), permits.withPermits(1), within(patienceInLine, tooMany))
}

/** Fails with a message where something takes longer than it may. */
const within = (duration: Duration.Input, message: string) => (making: ReturnType<MakePdf>) =>
  Effect.timeoutOrElse(making, { duration, orElse: () => Effect.fail(new PdfFailed({ message })) })

let shared: MakePdf | undefined

/** What makes PDFs in threads of this process: two at most, whoever asks, which end when nobody does for a while. */
export const pdfMaker = (): MakePdf => {
  shared ??= make()
  return shared
}
