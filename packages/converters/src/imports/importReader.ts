/** Reads imports in the pool. */
import { NotReadable, type Read, type ReadingKind, type Readings } from "@lectern/core"
import { Effect } from "effect"
import type { LaneOptions, ThreadPool } from "../pool/ThreadPool.ts"
import { whenAdmitted } from "../pool/whenAdmitted.ts"
import type { ReadRequest } from "./readTask.ts"

/** The most milliseconds of CPU time for one page, document or archive. */
const cpuMs = 10_000

/** How many of them are read at a time, and how many wait. */
const options: LaneOptions = { task: "read", cpuMs, concurrency: 2, queueLimit: 256 }

const failed = (message: string) => Effect.fail(new NotReadable({ message }))

/** Makes a reader over a pool. Imports that find the queue full wait until it is not. */
export const makeImportReader = (pool: ThreadPool): Read => {
  const lane = () => pool.lane<ReadRequest, Readings[ReadingKind]["out"]>(options)
  const read = lane()
  // Outlines are part of saving a page, which is not to wait for the imports of others.
  const outline = lane()
  return ((kind, input) =>
    whenAdmitted((kind === "outline" ? outline : read)({ kind, input })).pipe(
      Effect.catchTags({
        TaskFailed: ({ message }) => failed(message),
        ThreadFailed: () => failed("leads to what cannot be read"),
        CpuBudgetExceeded: () =>
          failed(`leads to what takes more than ${cpuMs / 1000} s of CPU time to read`),
        MemoryExceeded: ({ memoryMb }) =>
          failed(`leads to what takes more than ${memoryMb} MB of memory to read`)
      })
    )) as Read
}
