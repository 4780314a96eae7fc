/** CPU times of processes: of the current one with the processes that it has started, and of a tree of processes. */
import { readdirSync, readFileSync } from "node:fs"

/** The clock ticks per second of `/proc`, which is 100 on every platform of Linux. */
const ticksPerSecond = 100

/** The fields of `/proc/<pid>/stat` that are read. */
interface ProcessTimes {
  readonly name: string
  readonly parent: number
  /** The CPU time of the process, in milliseconds. */
  readonly ownMs: number
  /** The CPU time of its children that have ended, and of theirs, in milliseconds. */
  readonly endedChildrenMs: number
}

/** Reads the times of a process. Undefined if it has ended, and on other systems than Linux. */
const readProcess = (pid: number | "self"): ProcessTimes | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1")
    // The name can contain spaces and parentheses.
    const end = text.lastIndexOf(")")
    const fields = text.slice(end + 2).split(" ")
    const milliseconds = (first: number) =>
      ((Number(fields[first]) + Number(fields[first + 1])) * 1_000) / ticksPerSecond
    return {
      name: text.slice(text.indexOf("(") + 1, end),
      parent: Number(fields[1]),
      ownMs: milliseconds(11),
      endedChildrenMs: milliseconds(13)
    }
  } catch {
    return undefined
  }
}

/** The CPU time of this process and of its children that have ended, in milliseconds. On other systems than Linux, without children. */
export const processCpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000 + (readProcess("self")?.endedChildrenMs ?? 0)
}

/** The CPU time of this process and of all of its descendants, and the part of the descendants named `postgres`, in milliseconds. */
export const treeCpuMs = (): { readonly total: number; readonly postgres: number } => {
  const processes = new Map<number, ProcessTimes>()
  try {
    for (const name of readdirSync("/proc")) {
      const times = /^\d+$/.test(name) ? readProcess(Number(name)) : undefined
      if (times !== undefined) processes.set(Number(name), times)
    }
  } catch {
    // Not Linux: the processes that the run has started are unknown.
  }
  const isDescendant = (pid: number): boolean =>
    pid === process.pid || (processes.has(pid) && isDescendant(processes.get(pid)!.parent))
  let [total, postgres] = [processCpuMs(), 0]
  for (const [pid, { name, ownMs, endedChildrenMs }] of processes) {
    if (pid === process.pid || !isDescendant(pid)) continue
    total += ownMs + endedChildrenMs
    if (name.startsWith("postgres")) postgres += ownMs + endedChildrenMs
  }
  return { total, postgres }
}
