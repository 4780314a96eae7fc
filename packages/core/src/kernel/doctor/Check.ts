/**
 * What is checked, as data. A check is a sentence that always holds; an examination looks at rows of one table, a page
 * at a time, and says where sentences of one or more checks do not hold.
 */
import type { Effect } from "effect"
import type { Jobs } from "../jobs/Jobs.ts"
import type { StorageUnavailable, Table, WritableRecords } from "../storage/index.ts"

/** What must always hold. */
export interface Check {
  /** Names it in what is reported: short, and never changed. */
  readonly name: string
  /** The sentence that holds in a healthy workspace. */
  readonly says: string
  /** Where it is promised: the number of a decision, or the file that relies on it. */
  readonly source: string
  /** What a repair does, for what follows from something else; there is none for what people wrote. */
  readonly repair?: string
  /** Whether it is no damage where it does not hold, only something that an operator wants to know. */
  readonly isNotice?: true
}

/** Where a check does not hold. */
export interface Problem {
  readonly check: Check
  /** The row that it was seen at. */
  readonly row: { readonly [column: string]: unknown }
  /** What is wrong, as the rest of a sentence about the row: "counts 3 open comments; there are 2". */
  readonly message: string
  /** Puts it right: there for a check with a repair, but for where even that is not enough to know what is right. */
  readonly mend?: Effect.Effect<unknown, StorageUnavailable>
}

/** Records of every table, to read and to repair. */
export type DoctorRecords = WritableRecords<Table.AnyTable>

/** What one run of the doctor remembers between examinations, created when an examination first needs it. */
export interface RunState<A> {
  readonly create: (records: DoctorRecords) => A
}

/** What examinations work with. */
export interface Tools {
  readonly records: DoctorRecords
  readonly jobs: Jobs["Service"]
  /** The state of this run: the same value for each examination that names it. */
  readonly state: <A>(key: RunState<A>) => A
  /** Ids of spaces and hashes of blobs that were found damaged: nothing derived from them can be judged. */
  readonly damaged: Set<string>
  /** Whether to skip parsing texts, which takes most of the time. */
  readonly isQuick: boolean
}

/** Creates the tools of one run. */
export const makeTools = (records: DoctorRecords, jobs: Jobs["Service"], isQuick: boolean): Tools => {
  const states = new Map<RunState<unknown>, unknown>()
  return {
    records,
    jobs,
    state: <A>(key: RunState<A>): A => {
      if (!states.has(key)) states.set(key, key.create(records))
      return states.get(key) as A
    },
    damaged: new Set(),
    isQuick
  }
}

/** A row as examinations get it: without its bytes, which may be large. */
export type Light<T extends Table.AnyTable> = {
  readonly [K in keyof Table.Row<T> as Table.Row<T>[K] extends Uint8Array ? never : K]: Table.Row<T>[K]
}

/** Looks at rows of a table. */
export interface Examination {
  readonly over: Table.AnyTable
  readonly checks: ReadonlyArray<Check>
  /** The most rows that it is given at once; {@link pageSize} by default. */
  readonly atOnce?: number
  /**
   * Whether it takes long, or reads what never changes: its second look is in no transaction then, which would keep
   * others waiting, and its repairs are transactions of their own.
   */
  readonly isLong?: true
  /** What cannot be looked at any further where one of its checks does not hold: a space, or a blob. */
  readonly spoils?: (row: never) => string
  readonly examine: (
    tools: Tools,
    rows: ReadonlyArray<never>
  ) => Effect.Effect<ReadonlyArray<Problem>, StorageUnavailable>
}

/** Holds of rows that an examination can look at; it is beside all others. */
export const readable: Check = {
  name: "readable",
  says: "Rows are shaped as their tables say, so that they can be looked at.",
  source: "storage/Table.ts"
}

/** How many rows are looked at together. */
export const pageSize = 200

/** An examination of the rows of a table. */
export const examination = <T extends Table.AnyTable>(
  over: T,
  checks: ReadonlyArray<Check>,
  examine: (
    tools: Tools,
    rows: ReadonlyArray<Light<T>>
  ) => Effect.Effect<ReadonlyArray<Problem>, StorageUnavailable>,
  options: Pick<Examination, "atOnce" | "isLong"> & { readonly spoils?: (row: Light<T>) => string } = {}
): Examination => ({ over, checks, examine, ...options }) as Examination

/** What a scan counts besides findings. */
export interface BlobCounts {
  readonly blobs: number
  /** How many of them no content reaches. */
  readonly unreached: number
}

/** One pass over a table, for all examinations of its rows. */
export interface Scan {
  /** Names the pass in the progress that operators see. */
  readonly what: string
  readonly over: Table.AnyTable
  readonly examinations: ReadonlyArray<Examination>
  /** Counts blobs among the rows. */
  readonly countBlobs?: (tools: Tools, rows: ReadonlyArray<Readonly<Record<string, unknown>>>) => BlobCounts
}
