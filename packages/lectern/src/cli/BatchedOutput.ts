/**
 * Writes lines asynchronously and in batches, so that a request waits neither for a system call nor for the reader of the
 * log.
 */
import * as fs from "node:fs"

/** The longest time between a line and its write, in milliseconds. */
const batchDelayMs = 10

/** The delay before a pipe that is full is written to again, in milliseconds. */
const retryDelayMs = 10

/** The maximum length of the lines that wait, in characters. Further lines are dropped, and their number is reported. */
const maximumPendingLength = 4 * 1024 * 1024

/** The time that an unfinished write has to complete when the process exits, in milliseconds. */
const exitGraceMs = 20

/** Lines that are written to a file descriptor later. */
export interface BatchedOutput {
  /** Adds text, which ends with a line break. */
  readonly write: (text: string) => void
  /** Resolves when everything that was added before is written. */
  readonly flush: () => Promise<void>
  /** Writes everything, and no longer handles the exit of the process. */
  readonly close: () => Promise<void>
}

const droppedLine = (count: number): string =>
  `${JSON.stringify({
    message: `${count} lines of the log were dropped, because they were not read in time.`,
    level: "WARN",
    timestamp: new Date().toISOString()
  })}\n`

/** Creates an output. It is flushed when the process exits, also after an exception that is not caught. */
export const makeBatchedOutput = (descriptor: number): BatchedOutput => {
  let lines: Array<string> = []
  let pendingLength = 0
  let droppedCount = 0
  let timer: NodeJS.Timeout | undefined
  /** The rest of the batch that is being written. */
  let batch: Buffer | undefined
  let flushed: Array<() => void> = []

  const takeLines = (): Buffer => {
    const dropped = droppedCount === 0 ? "" : droppedLine(droppedCount)
    const taken = Buffer.from(lines.join("") + dropped)
    lines = []
    pendingLength = 0
    droppedCount = 0
    return taken
  }

  const schedule = (delayMs: number, next: () => void) => {
    // The timer keeps the process alive: the lines before a normal exit are written without the exit handler.
    timer = setTimeout(() => {
      timer = undefined
      next()
    }, delayMs)
  }

  const writeBatch = () => {
    fs.write(descriptor, batch!, (error, written) => {
      if (error?.code === "EAGAIN") return schedule(retryDelayMs, writeBatch)
      // The log is no longer read, for example because the process at the end of the pipe exited: the server continues without it.
      batch = error !== null ? undefined : batch!.subarray(written)
      if (batch !== undefined && batch.length > 0) return writeBatch()
      batch = undefined
      if (lines.length > 0 || droppedCount > 0) {
        // Under load, batches that follow each other without a delay have few lines each.
        return flushed.length > 0 ? startBatch() : schedule(batchDelayMs, startBatch)
      }
      for (const resolve of flushed) resolve()
      flushed = []
    })
  }
  const startBatch = () => {
    batch = takeLines()
    writeBatch()
  }

  const writeAtExit = () => {
    // A write that a thread has started cannot be observed here. It is short, and comes before the remaining lines.
    if (batch !== undefined) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, exitGraceMs)
    if (lines.length === 0 && droppedCount === 0) return
    try {
      fs.writeSync(descriptor, takeLines())
    } catch {
      // The reader has exited, or does not read.
    }
  }
  process.once("exit", writeAtExit)

  const flush = (): Promise<void> =>
    new Promise((resolve) => {
      if (batch === undefined && lines.length === 0) return resolve()
      flushed.push(resolve)
      if (batch !== undefined) return
      clearTimeout(timer)
      timer = undefined
      startBatch()
    })

  return {
    write: (text) => {
      if (pendingLength + text.length > maximumPendingLength) {
        droppedCount++
        return
      }
      lines.push(text)
      pendingLength += text.length
      if (timer === undefined && batch === undefined) schedule(batchDelayMs, startBatch)
    },
    flush,
    close: async () => {
      await flush()
      process.removeListener("exit", writeAtExit)
    }
  }
}
