/** Starts threads: the one place that knows where their programs are. */
import { Worker } from "node:worker_threads"

/**
 * Starts the program of this name beside a module, which its `import.meta.url` tells, with so many megabytes of memory
 * at most. It is there as it is built, or as it is written.
 */
export const startThread = (beside: string, name: string, maximumMegabytes: number): Worker => {
  const isWritten = beside.endsWith(".ts")
  return new Worker(new URL(`./${name}.${isWritten ? "ts" : "js"}`, beside), {
    resourceLimits: { maxOldGenerationSizeMb: maximumMegabytes },
    // As it is written, it imports other packages as they are written.
    ...(isWritten ? { execArgv: ["--conditions=@lectern/source"] } : {})
  })
}
