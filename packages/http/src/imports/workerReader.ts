/**
 * Reads imports in a thread of its own, so that a large page keeps nobody waiting. One thing is read at a time: what
 * takes too long is ended with its thread, and takes no other with it.
 */
import { Worker } from "node:worker_threads"
import { NotReadable, type Read, type ReadingKind, type Readings } from "@lectern/core"
import { Effect, Semaphore } from "effect"

/** What to read. */
export interface Question {
  readonly kind: ReadingKind
  readonly input: Readings[ReadingKind]["in"]
}

/** What came of it. */
export type Answer = { readonly read: Readings[ReadingKind]["out"] } | { readonly message: string }

/** How long one thing may take; what takes longer is made to hurt. */
const patience = "10 seconds"

/** What the thread may use, in megabytes. */
const maximumMegabytes = 1024

/** The program of the thread, beside this one: as it is built, or as it is written. */
const program = new URL(`./readWorker.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url)

const tooMuch: Answer = { message: "leads to what takes more memory or time to read than there is" }

/** Makes a reader. Its thread is started for the first thing to read, and does not keep the process alive. */
export const workerReader = (): Read => {
  const oneAtATime = Semaphore.makeUnsafe(1)
  let worker: Worker | undefined
  let answered: (answer: Answer) => void = () => {}

  const start = (): Worker => {
    const started = new Worker(program, {
      resourceLimits: { maxOldGenerationSizeMb: maximumMegabytes },
      // As it is written, it imports other packages as they are written.
      ...(program.pathname.endsWith(".ts") ? { execArgv: ["--conditions=@lectern/source"] } : {})
    })
    started.on("message", (answer: Answer) => {
      if (worker === started) answered(answer)
    })
    const die = () => {
      if (worker !== started) return
      worker = undefined
      answered(tooMuch)
    }
    started.on("error", die)
    started.on("exit", die)
    // Behind the listeners, for these hold it again.
    started.unref()
    return started
  }

  /** Ends the thread in the middle of its work. */
  const stop = Effect.sync(() => {
    const stopped = worker
    worker = undefined
    void stopped?.terminate()
  })

  const ask = (question: Question) =>
    Effect.callback<Readings[ReadingKind]["out"], NotReadable>((resume) => {
      worker ??= start()
      answered = (answer) => {
        answered = () => {}
        worker?.unref()
        resume("read" in answer ? Effect.succeed(answer.read) : Effect.fail(new NotReadable(answer)))
      }
      worker.ref()
      worker.postMessage(question)
      return stop
    })

  return ((kind, input) =>
    ask({ kind, input }).pipe(
      Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(new NotReadable(tooMuch)) }),
      oneAtATime.withPermit
    )) as Read
}
