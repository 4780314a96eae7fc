/** Parses the documents of OpenAPI specs in the pool. */
import { type ParsedDocument, ParseFailed, type ParseSpec } from "@lectern/core"
import { Effect } from "effect"
import { type CpuLimits, moreThanCpu, moreThanMemory } from "../limits.ts"
import { retryWhileQueueFull } from "../pool/retryWhileQueueFull.ts"
import type { ThreadPool } from "../pool/ThreadPool.ts"
import type { SpecRequest } from "./specTask.ts"

/** The maximum number of documents that are parsed concurrently, and that wait. */
const concurrency = 2
const queueLimit = 64

const failed = (message: string) => Effect.fail(new ParseFailed({ message }))

/** Creates a parser over a pool. If the queue is full, parsing waits for room. */
export const makeSpecParser = (pool: ThreadPool, { spec: cpuMs }: CpuLimits): ParseSpec => {
  const parse = pool.makeTaskRunner<SpecRequest, ParsedDocument>({
    task: "spec",
    cpuMs,
    concurrency,
    queueLimit
  })
  return (text, isFirst) =>
    retryWhileQueueFull(parse({ text, isFirst })).pipe(
      Effect.catchTags({
        TaskFailed: ({ message }) => failed(message),
        ThreadFailed: () => failed("The document cannot be parsed."),
        CpuBudgetExceeded: () => failed(`The document takes ${moreThanCpu(cpuMs)} to parse.`),
        MemoryExceeded: ({ memoryMb }) => failed(`The document takes ${moreThanMemory(memoryMb)} to parse.`)
      })
    )
}
