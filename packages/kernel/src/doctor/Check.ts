/**
 * The doctor's checks, as data. A check is an invariant of the stored data. An examination reads the rows of one table,
 * page by page, and reports the violations of one or more checks.
 */
import type { Effect } from "effect"
import type { Jobs } from "../jobs/Jobs.ts"
import type { StorageUnavailable, Table, WritableRecords } from "../storage/index.ts"

/** An invariant of the stored data. */
export interface Check {
  /** The stable identifier in findings, in kebab case. */
  readonly name: string
  /** The invariant, as a sentence. */
  readonly invariant: string
  /** Where the invariant comes from: a decision record, or the source file that relies on it. */
  readonly source: string
  /** The effect of a repair. Present only for derived data: repairs never change content that users wrote. */
  readonly repair?: string
  /** Marks a check whose violation is not corruption, but is useful for an operator to know. */
  readonly isNotice?: true
}

/** A violation of a check. */
export interface Problem {
  /** The check that the row fails. */
  readonly check: Check
  /** The row that violates it. */
  readonly row: { readonly [column: string]: unknown }
  /** The error, as a predicate about the row: "counts 3 open comments; there are 2". */
  readonly message: string
  /** Repairs the row. Absent if the check has no repair, or if the correct value cannot be derived. */
  readonly repair?: Effect.Effect<unknown, StorageUnavailable>
}

/** Records of every table, to examine and to repair. */
export type DoctorRecords = WritableRecords<Table.AnyTable>

/** State that the examinations of one run share, created on first use. */
export interface RunState<A> {
  readonly create: (records: DoctorRecords) => A
}

/** A row of any table. */
export type AnyRow = { readonly [column: string]: unknown }

/** Returns a table whose rows are read as {@link AnyRow}, for code that serves every table. */
export const anyRowsOf = (table: Table.AnyTable) => table as Table.AnyTable & { readonly Row?: AnyRow }

/** The services and the shared state of one run. */
export interface Tools {
  readonly records: DoctorRecords
  readonly jobs: Jobs["Service"]
  /** Returns the shared state for a key, creating it on first use. */
  readonly state: <A>(key: RunState<A>) => A
  /** Ids of corrupted spaces and hashes of corrupted blobs. Data that is derived from them is not checked. */
  readonly damaged: Set<string>
  /** Whether to skip parsing the Markdown of pages, which takes most of the time. */
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

/** A row without its bytes columns, which may be large. */
export type Light<T extends Table.AnyTable> = {
  readonly [K in keyof Table.Row<T> as Table.Row<T>[K] extends Uint8Array ? never : K]: Table.Row<T>[K]
}

/** Checks rows of one table. */
export interface Examination {
  /** The table whose rows are examined. */
  readonly over: Table.AnyTable
  /** The checks that it can report problems of. */
  readonly checks: ReadonlyArray<Check>
  /** The maximum number of rows per call; {@link pageSize} by default. */
  readonly maximumRows?: number
  /**
   * Marks an examination that is slow or reads immutable data. Its second pass runs outside of a transaction, so that
   * it does not block writers, and each repair is a transaction of its own.
   */
  readonly isLong?: true
  /** Returns the id of the space, or the hash of the blob, that a violation makes unreadable for later checks. */
  readonly corruptedIdOf?: (row: AnyRow) => string
  /** Returns the problems of some rows. It reads, and never writes. */
  readonly examine: (
    tools: Tools,
    rows: ReadonlyArray<AnyRow>
  ) => Effect.Effect<ReadonlyArray<Problem>, StorageUnavailable>
}

/** The check that every row can be read at all. It precedes all others. */
export const readable: Check = {
  name: "readable",
  invariant: "Rows match the declaration of their table.",
  source: "storage/Table.ts"
}

/** The default number of rows per page. */
export const pageSize = 200

/** Creates an examination of the rows of a table. */
export const examination = <T extends Table.AnyTable>(
  over: T,
  checks: ReadonlyArray<Check>,
  examine: (
    tools: Tools,
    rows: ReadonlyArray<Light<T>>
  ) => Effect.Effect<ReadonlyArray<Problem>, StorageUnavailable>,
  options: Pick<Examination, "maximumRows" | "isLong"> & {
    readonly corruptedIdOf?: (row: Light<T>) => string
  } = {}
  // The doctor passes only rows of `over`.
): Examination => ({ over, checks, examine, ...options }) as unknown as Examination

/** The number of blobs that a scan has read. */
export interface BlobCounts {
  readonly blobs: number
  /** The number of them that no content references. */
  readonly unreached: number
}

/** One pass over a table, for all of its examinations. */
export interface Scan {
  /** The name of the pass in progress reports. */
  readonly what: string
  /** The table that it passes over. */
  readonly over: Table.AnyTable
  /** The examinations of its rows, in order. */
  readonly examinations: ReadonlyArray<Examination>
  /** Counts the blobs among the rows. */
  readonly countBlobs?: (tools: Tools, rows: ReadonlyArray<Readonly<Record<string, unknown>>>) => BlobCounts
}
