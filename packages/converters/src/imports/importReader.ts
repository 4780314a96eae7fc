/** Reads imports in the pool. */
import { NotReadable, type Read, type ReadingKind, type Readings } from "@lectern/core"
import { Effect } from "effect"
import { type CpuLimits, moreThanCpu, moreThanMemory } from "../limits.ts"
import type { ThreadPool } from "../pool/ThreadPool.ts"
import { whenAdmitted } from "../pool/whenAdmitted.ts"
import type { ReadRequest } from "./readTask.ts"

/** How many inputs of a lane are read at a time, and how many wait. */
const concurrency = 2
const queueLimit = 256

const failed = (message: string) => Effect.fail(new NotReadable({ message: `leads to what ${message}` }))

/** Makes a reader over a pool. Imports that find the queue full wait until it is not. */
export const makeImportReader = (pool: ThreadPool, limits: CpuLimits): Read => {
  const lane = (cpuMs: number) =>
    pool.lane<ReadRequest, Readings[ReadingKind]["out"]>({ task: "read", cpuMs, concurrency, queueLimit })
  const page = lane(limits.page)
  const archive = lane(limits.archive)
  // Outlines are part of saving a page, which is not to wait for the imports of others.
  const outline = lane(limits.page)
  const lanes = { html: page, markdown: page, sitemap: page, docx: archive, zip: archive, outline }
  return ((kind, input) =>
    whenAdmitted(lanes[kind]({ kind, input })).pipe(
      Effect.catchTags({
        TaskFailed: ({ message }) => Effect.fail(new NotReadable({ message })),
        ThreadFailed: () => failed("cannot be read"),
        CpuBudgetExceeded: ({ cpuMs }) => failed(`takes ${moreThanCpu(cpuMs)} to read`),
        MemoryExceeded: ({ memoryMb }) => failed(`takes ${moreThanMemory(memoryMb)} to read`)
      })
    )) as Read
}
