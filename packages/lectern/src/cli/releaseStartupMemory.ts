/** Returns the memory that only the start of a process needs to the operating system. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Effect } from "effect"

/**
 * Collects all garbage and shrinks the young generation of the heap, which grows to its maximum while modules are loaded and
 * schemas are built. It grows again under load. Without this call, V8 shrinks it only under memory pressure.
 */
export const releaseStartupMemory: Effect.Effect<void> = Effect.promise(async () => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as NodeJS.GCFunction
  setFlagsFromString("--no-expose-gc")
  await collect({ execution: "async", type: "major", flavor: "last-resort" })
})
