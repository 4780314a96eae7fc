/** Processes the documents of OpenAPI specs in the pool. */
import { type ParsedDocument, ParseFailed, type ParseSpec, type SpecPage } from "@lectern/formats"
import type { SpecProblemCode } from "@lectern/model/openapi-specs"
import { Effect } from "effect"
import { type CpuLimits, moreThanCpu, moreThanMemory } from "../limits.ts"
import { retryWhileQueueFull } from "../pool/retryWhileQueueFull.ts"
import type { ThreadPool } from "../pool/ThreadPool.ts"
import type { SpecRequest, SpecResult } from "./specTask.ts"

/** The size from which a document is large, in bytes. */
const largeBytes = 2 * 1024 * 1024

/** The maximum numbers of documents that are processed concurrently. A large document delays only other large ones. */
const concurrency = { small: 2, large: 1 }

/** The maximum number of documents that wait. */
const queueLimit = 64

const failed = (code: SpecProblemCode, message: string) =>
  Effect.fail(ParseFailed.of([{ code, message, severity: "error" }]))

/** Creates a parser over a pool. If the queue is full, parsing waits for room. */
export const makeSpecParser = (pool: ThreadPool, { spec: cpuMs }: CpuLimits): ParseSpec => {
  const makeRunner = (size: keyof typeof concurrency) =>
    pool.makeTaskRunner<SpecRequest, SpecResult<unknown>>({
      task: "spec",
      cpuMs,
      concurrency: concurrency[size],
      queueLimit
    })
  const small = makeRunner("small")
  const large = makeRunner("large")

  const run = <A>(request: SpecRequest, bytes: number): Effect.Effect<A, ParseFailed> =>
    retryWhileQueueFull((bytes < largeBytes ? small : large)(request)).pipe(
      Effect.catchTags({
        TaskFailed: ({ message }) => failed("INTERNAL_ERROR", message),
        ThreadFailed: () =>
          Effect.fail(
            new ParseFailed({
              message: "The document cannot be parsed now.",
              problems: [
                { code: "INTERNAL_ERROR", message: "The document cannot be parsed now.", severity: "error" }
              ],
              isTransient: true
            })
          ),
        CpuBudgetExceeded: () => failed("TOO_LARGE", `The document takes ${moreThanCpu(cpuMs)} to parse.`),
        MemoryExceeded: ({ memoryMb }) =>
          failed("TOO_LARGE", `The document takes ${moreThanMemory(memoryMb)} to parse.`)
      }),
      Effect.flatMap((result) =>
        "problems" in result
          ? Effect.fail(ParseFailed.of(result.problems))
          : Effect.succeed(result.value as A)
      )
    )

  const parse = (document: Uint8Array, isFirst: boolean) =>
    run<ParsedDocument>({ kind: "parse", document, isFirst }, document.length)
  return Object.assign(parse, {
    generatePages: (files: Uint8Array) => run<ReadonlyArray<SpecPage>>({ kind: "pages", files }, files.length)
  })
}
