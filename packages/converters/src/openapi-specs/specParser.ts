/** Parses the documents of OpenAPI specs in the pool. */
import { type ParsedDocument, ParseFailed, type ParseSpec } from "@lectern/core"
import { Effect } from "effect"
import { type CpuLimits, moreThanCpu, moreThanMemory } from "../limits.ts"
import type { ThreadPool } from "../pool/ThreadPool.ts"
import { whenAdmitted } from "../pool/whenAdmitted.ts"
import type { SpecRequest } from "./specTask.ts"

/** How many documents are parsed at a time, and how many wait. */
const concurrency = 2
const queueLimit = 64

const failed = (message: string) => Effect.fail(new ParseFailed({ message }))

/** Makes a parser over a pool. Documents that find the queue full wait until it is not. */
export const makeSpecParser = (pool: ThreadPool, { spec: cpuMs }: CpuLimits): ParseSpec => {
  const parse = pool.lane<SpecRequest, ParsedDocument>({ task: "spec", cpuMs, concurrency, queueLimit })
  return (text, isFirst) =>
    whenAdmitted(parse({ text, isFirst })).pipe(
      Effect.catchTags({
        TaskFailed: ({ message }) => failed(message),
        ThreadFailed: () => failed("The document cannot be parsed."),
        CpuBudgetExceeded: () => failed(`The document takes ${moreThanCpu(cpuMs)} to parse.`),
        MemoryExceeded: ({ memoryMb }) => failed(`The document takes ${moreThanMemory(memoryMb)} to parse.`)
      })
    )
}
