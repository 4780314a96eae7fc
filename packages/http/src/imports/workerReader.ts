/**
 * Reads imports in threads of their own, so that a large page keeps nobody waiting. A thread reads one thing at a
 * time: what takes too long is ended with its thread, and takes no other with it.
 */
import type { Worker } from "node:worker_threads"
import { NotReadable, type Read, type ReadingKind, type Readings } from "@lectern/core"
import { Effect, Semaphore } from "effect"
import { startThread } from "../threads/startThread.ts"

/** What to read. */
export interface Question {
  readonly kind: ReadingKind
  readonly input: Readings[ReadingKind]["in"]
}

/** What came of it. */
export type Answer = { readonly read: Readings[ReadingKind]["out"] } | { readonly message: string }

/** How many threads there are at most; they are started as they are needed. */
const threads = 2

/** How long one thing may take; what takes longer is made to hurt. */
const patience = "10 seconds"

/** What a thread may use, in megabytes. */
const maximumMegabytes = 512

const tooMuch = "leads to what takes more memory or time to read than there is"

/** Starts a thread, which does not keep the process alive. */
const start = (): Worker => {
  const worker = startThread(import.meta.url, "readWorker", maximumMegabytes)
  worker.unref()
  return worker
}

/** Asks a thread. One that has not answered yet is ended when nobody waits for it any more. */
const ask = (worker: Worker, question: Question) =>
  Effect.callback<Readings[ReadingKind]["out"], NotReadable>((resume) => {
    const end = (result: Effect.Effect<Readings[ReadingKind]["out"], NotReadable>) => {
      worker.off("message", answer).off("error", die).off("exit", die).unref()
      resume(result)
    }
    const answer = (answered: Answer) =>
      end("read" in answered ? Effect.succeed(answered.read) : Effect.fail(new NotReadable(answered)))
    const die = () => end(Effect.fail(new NotReadable({ message: tooMuch })))
    worker.on("message", answer).on("error", die).on("exit", die).ref()
    worker.postMessage(question)
    return Effect.sync(() => {
      worker.off("message", answer).off("exit", die)
      void worker.terminate()
    })
  })

/** Makes a reader. */
export const workerReader = (): Read => {
  const free = Semaphore.makeUnsafe(threads)
  const idle: Array<Worker> = []
  const ended = new WeakSet<Worker>()

  const read = (question: Question) =>
    Effect.suspend(() => {
      let worker = idle.pop()
      while (worker !== undefined && ended.has(worker)) worker = idle.pop()
      if (worker === undefined) {
        const started = start()
        started.on("exit", () => ended.add(started))
        // An error is heard by whoever waits; where nobody does, it ends the thread and nothing else.
        started.on("error", () => ended.add(started))
        worker = started
      }
      const mine = worker
      return ask(mine, question).pipe(
        Effect.tap(() => Effect.sync(() => idle.push(mine))),
        Effect.tapError(() => Effect.sync(() => idle.push(mine))),
        Effect.timeoutOrElse({
          duration: patience,
          orElse: () => Effect.fail(new NotReadable({ message: tooMuch }))
        })
      )
    })

  return ((kind, input) => free.withPermit(read({ kind, input }))) as Read
}
