/**
 * Global setup: a folder in memory for the temporary files of tests. SQLite waits for the disk at each commit, which is
 * most of the time of a test on a new database file.
 */
import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs"
import { join } from "node:path"

/** The file system in memory of Linux. */
const memory = "/dev/shm"

/** The least free memory, in bytes, of a file system that is used. Containers have 64 MB by default. */
const minimumFreeBytes = 4 * 2 ** 30

const prefix = "lectern-tests-"

const hasSpace = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return process.platform === "linux" && bavail * bsize >= minimumFreeBytes
  } catch {
    return false
  }
}

/** The folder of this run, or undefined if tests use the temporary folder of the system. */
export const temporaryFolder: string | undefined =
  process.env.TMPDIR === undefined && hasSpace() ? join(memory, `${prefix}${process.pid}`) : undefined

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export default () => {
  if (temporaryFolder === undefined) return () => {}
  // A run that was killed leaves its folder, which takes memory.
  for (const name of readdirSync(memory)) {
    if (name.startsWith(prefix) && !isRunning(Number(name.slice(prefix.length)))) {
      rmSync(join(memory, name), { recursive: true, force: true })
    }
  }
  mkdirSync(temporaryFolder)
  // Some tests run processes of other users.
  chmodSync(temporaryFolder, 0o1777)
  return () => rmSync(temporaryFolder!, { recursive: true, force: true })
}
