/** Parses documents in a thread of its own, so that a large one keeps nobody waiting. */
import type { Worker } from "node:worker_threads"
import { type ParsedDocument, ParseFailed, type ParseSpec } from "@lectern/core"
import { Effect } from "effect"
import { startThread } from "../threads/startThread.ts"

/** A document to parse. */
export interface Question {
  readonly id: number
  readonly text: string
  readonly isFirst: boolean
}

/** What came of it. */
export type Answer = { readonly id: number } & (
  | { readonly parsed: ParsedDocument }
  | { readonly message: string }
)

/** How long a document may take; one that takes longer is made to hurt. */
const patience = "60 seconds"

/** What a thread may use, in megabytes. */
const maximumMegabytes = 512

/** Makes a parser. Its thread is started for the first document, and does not keep the process alive. */
export const workerParser = (): ParseSpec => {
  let worker: Worker | undefined
  let last = 0
  const waiting = new Map<number, (answer: Answer) => void>()

  const start = (): Worker => {
    const started = startThread(import.meta.url, "parseWorker", maximumMegabytes)
    started.on("message", (answer: Answer) => waiting.get(answer.id)?.(answer))
    const die = () => {
      if (worker === started) worker = undefined
      for (const [id, answer] of waiting) answer({ id, message: "It takes more memory than there is." })
      waiting.clear()
    }
    started.on("error", die)
    started.on("exit", die)
    // Behind the listeners, for these hold it again.
    started.unref()
    return started
  }

  const ask = (text: string, isFirst: boolean) =>
    Effect.callback<ParsedDocument, ParseFailed>((resume) => {
      const id = last++
      waiting.set(id, (answer) => {
        forget(id)
        resume(
          "parsed" in answer
            ? Effect.succeed(answer.parsed)
            : Effect.fail(new ParseFailed({ message: answer.message }))
        )
      })
      worker ??= start()
      worker.ref()
      const question: Question = { id, text, isFirst }
      worker.postMessage(question)
      return Effect.sync(() => forget(id))
    })

  /** Waits for an answer no longer. With the last one that is waited for, the thread keeps nobody any more. */
  const forget = (id: number) => {
    waiting.delete(id)
    if (waiting.size === 0) worker?.unref()
  }

  return (text, isFirst) =>
    ask(text, isFirst).pipe(
      Effect.timeoutOrElse({
        duration: patience,
        orElse: () => {
          // It is at work on this one still, and would be for the next.
          void worker?.terminate()
          worker = undefined
          return Effect.fail(new ParseFailed({ message: "It takes too long to read." }))
        }
      })
    )
}
