/** Performs the tasks of imports, of the Markdown engine and of packfiles in the pool. */
import { type ConvertMarkdown, NotReadable, type ProcessGitPack, type ReadImport } from "@lectern/formats"
import { Effect } from "effect"
import { type CpuLimits, moreThanCpu, moreThanMemory } from "../limits.ts"
import { retryWhileQueueFull } from "../pool/retryWhileQueueFull.ts"
import type { ThreadPool } from "../pool/ThreadPool.ts"
import type { ReadRequest, ReadTaskName, ReadTasks } from "./readTask.ts"

/** The maximum number of inputs of one task runner that are read concurrently, and that wait. */
const concurrency = 2
const queueLimit = 256

const failed = (message: string) =>
  Effect.fail(new NotReadable({ message: `points to content that ${message}` }))

/** The ports that one thread program implements. */
export interface ReadPorts {
  /** Reads pages, documents and archives of imports. */
  readonly importReader: ReadImport
  /** Converts pages from and to Markdown. */
  readonly markdownEngine: ConvertMarkdown
  /** Reads and writes packfiles of Git. */
  readonly gitPacks: ProcessGitPack
}

/** Performs the tasks of all ports. */
type Perform = <K extends ReadTaskName>(
  kind: K,
  input: ReadTasks[K]["in"]
) => Effect.Effect<ReadTasks[K]["out"], NotReadable>

/** Creates the ports over a pool. If a queue is full, a task waits for room. */
export const makeReadPorts = (pool: ThreadPool, limits: CpuLimits): ReadPorts => {
  const makeRunner = (cpuMs: number) =>
    pool.makeTaskRunner<ReadRequest, ReadTasks[ReadTaskName]["out"]>({
      task: "read",
      cpuMs,
      concurrency,
      queueLimit
    })
  const page = makeRunner(limits.page)
  const archive = makeRunner(limits.archive)
  // Outlines and documents are parsed and written when a page is saved and read, which must not wait for imports.
  const outline = makeRunner(limits.text)
  const document = makeRunner(limits.text)
  const runners = {
    html: page,
    menu: page,
    markdown: page,
    sitemap: page,
    summary: page,
    sourceTree: archive,
    sourcePage: page,
    docx: archive,
    zipIndex: archive,
    zipEntry: archive,
    tar: archive,
    gitFiles: archive,
    gitNamedFiles: archive,
    gitDates: archive,
    gitContains: archive,
    gitCommit: archive,
    outline,
    document,
    update: document,
    revert: document,
    destinations: document,
    relink: document
  }
  const perform = ((kind, input) =>
    retryWhileQueueFull(runners[kind]({ kind, input })).pipe(
      Effect.catchTags({
        TaskFailed: ({ message }) => Effect.fail(new NotReadable({ message })),
        ThreadFailed: () =>
          Effect.fail(
            new NotReadable({ message: "points to content that cannot be read now", isTransient: true })
          ),
        CpuBudgetExceeded: ({ cpuMs }) => failed(`takes ${moreThanCpu(cpuMs)} to read`),
        MemoryExceeded: ({ memoryMb }) => failed(`takes ${moreThanMemory(memoryMb)} to read`)
      })
    )) as Perform
  return { importReader: perform, markdownEngine: perform, gitPacks: perform }
}
