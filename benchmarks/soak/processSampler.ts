/**
 * Reports the memory of a server to its parent process. The soak test preloads it with `--import`, and the server runs
 * with `--expose-gc`.
 */
import { readdirSync } from "node:fs"
import { writeHeapSnapshot } from "node:v8"

/** The resources of a process: sizes in bytes. */
export interface ProcessSample {
  readonly rss: number
  /** The heap of JavaScript after a garbage collection. */
  readonly heapUsed: number
  /** Memory outside of the heap that objects of JavaScript own, such as buffers. */
  readonly external: number
  /** The CPU time of the process since its start, in milliseconds. */
  readonly cpuMs: number
  /** The number of open file descriptors; 0 where the system does not list them. */
  readonly fileDescriptors: number
}

const countFileDescriptors = (): number => {
  try {
    return readdirSync("/proc/self/fd").length
  } catch {
    return 0
  }
}

process.on("message", (message) => {
  if (message === "sample") {
    // A second collection frees what finalizers of the first released.
    globalThis.gc?.()
    globalThis.gc?.()
    const { rss, heapUsed, external } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    const cpuMs = (user + system) / 1000
    process.send?.({ rss, heapUsed, external, cpuMs, fileDescriptors: countFileDescriptors() })
  } else if (typeof message === "object" && message !== null && "snapshot" in message) {
    process.send?.({ snapshot: writeHeapSnapshot(String(message.snapshot)) })
  }
})

// The channel must not keep the server running after SIGTERM.
process.channel?.unref()
