/**
 * Checks the invariants of a stored workspace: references, trees, counts, orders, content including its bytes, and derived
 * data, which it can repair. It acts for the operator, without a caller.
 *
 * It reads tables page by page outside of transactions, so it can run while a server works. Rows that appear to violate an
 * invariant are examined a second time, in a transaction of their own. Only violations that persist are reported, and a
 * repair is part of that transaction. As a result, concurrent writes cause no false findings, and a workspace without
 * violations is neither written to nor locked.
 *
 * Memory is bounded by 200 rows, or the new entries of 16 revisions, or 16 blobs; the ids and the tree of one space; 32 MiB of
 * Merkle nodes; and 40 bytes per reachable blob, to count unreachable ones. The time is that of reading all rows once, and of
 * parsing the page bodies of the primary content of each space.
 */

import { SystemGrant } from "@lectern/access"
import {
  type AnyRow,
  anyRowsOf,
  type Check,
  type Event,
  type Examination,
  type Finding,
  Jobs,
  makeTools,
  type Problem,
  pageSize,
  Records,
  readable,
  type Scan,
  type StorageUnavailable,
  type Summary,
  type Table,
  type Tools,
  Where
} from "@lectern/kernel"
import { examineReadability, fileCorruption, isFileCorruption } from "@lectern/kernel/tables"
import { Context, Effect, Layer, Option, Stream } from "effect"
import { checksOf } from "./doctorScans.ts"

/** Options of an examination. */
export interface Options {
  /** Whether to repair derived data; false by default. */
  readonly repair?: boolean
  /**
   * Whether to skip parsing page bodies, which takes most of the time; false by default. The search index is then compared by the
   * pages, their paths and their titles, and not by the words of their bodies.
   */
  readonly quick?: boolean
}

/** Checks the invariants of a stored workspace, and repairs derived data. */
export interface DoctorService {
  /**
   * Examines the workspace. The stream emits findings and progress, and ends with a summary. It writes nothing unless
   * `repair` is set.
   */
  readonly examine: (options?: Options) => Stream.Stream<Event, StorageUnavailable>
  /** Examines the workspace without repairs, and emits the findings of corrupted data, without notices. */
  readonly findings: Stream.Stream<Finding, StorageUnavailable>
  /** The checks that an examination includes. */
  readonly checks: ReadonlyArray<Check>
}

const keyOf = (table: Table.AnyTable, row: AnyRow): ReadonlyArray<Where.Scalar> =>
  table.key.map((column) => row[column] as Where.Scalar)

const rowName = (table: Table.AnyTable, row: AnyRow): string => keyOf(table, row).join("/")

/** The columns that are read: all except bytes, which may be large. */
const columnsOf = (table: Table.AnyTable): ReadonlyArray<string> =>
  Object.keys(table.columns).filter((column) => table.columns[column]!.kind !== "bytes")

/** Matches the rows with the same keys as the given ones. */
const whereSameKeys = (table: Table.AnyTable, rows: Iterable<AnyRow>): Where.AnyWhere => ({
  op: "or",
  conditions: Array.from(rows, (row) => ({
    op: "and" as const,
    conditions: table.key.map((column) => ({ op: "eq" as const, column, value: row[column] as Where.Scalar }))
  }))
})

/** The maximum number of suspect rows that are examined again in one transaction. */
const suspectsPerTransaction = 50

/** The counters of a running examination: see `Summary`. */
interface Count {
  rows: number
  damage: number
  repaired: number
  repairable: number
  notices: number
  blobs: number
  unreached: number
}

const countFinding = (count: Count, { severity, isRepaired, isRepairable }: Finding): void => {
  if (severity === "notice") {
    count.notices++
    return
  }
  count.damage++
  if (isRepaired) count.repaired++
  else if (isRepairable) count.repairable++
}

/**
 * Returns the problems of rows. If the examination of several rows dies, they are examined one by one, so that an
 * unreadable row does not hide the problems of other rows.
 */
const examineRows = (
  one: Examination,
  tools: Tools,
  rows: ReadonlyArray<AnyRow>
): Effect.Effect<ReadonlyArray<Problem>, StorageUnavailable> =>
  Effect.catchDefect(
    Effect.suspend(() => one.examine(tools, rows)),
    (defect) =>
      rows.length === 1
        ? Effect.succeed([{ check: readable, row: rows[0]!, message: `cannot be examined: ${defect}` }])
        : Effect.map(
            Effect.forEach(rows, (row) => examineRows(one, tools, [row])),
            (each) => each.flat()
          )
  )

const makeExaminer = Effect.gen(function* () {
  const store = yield* Records
  const { records } = yield* SystemGrant.make("Examines and repairs the rows of every organization.")

  const find = (
    over: Table.AnyTable,
    options: {
      readonly where?: Where.AnyWhere
      readonly after?: ReadonlyArray<Where.Scalar>
      readonly limit?: number
    }
  ) => records.find(anyRowsOf(over), { ...options, select: columnsOf(over) })

  /** Examines suspect rows again in a transaction, and repairs them if requested. Returns the findings that persist. */
  const confirm = (
    one: Examination,
    tools: Tools,
    suspects: ReadonlyArray<AnyRow>,
    repair: boolean
  ): Effect.Effect<ReadonlyArray<Finding>, StorageUnavailable> => {
    const nameOfProblem = ({ check, row }: Problem) => `${check.name} ${rowName(one.over, row)}`
    const currentProblems = Effect.flatMap(
      find(one.over, { where: whereSameKeys(one.over, suspects) }),
      (rows) => examineRows(one, tools, rows)
    )
    const examineAgain = Effect.fnUntraced(function* (
      isRepairing: boolean
    ): Effect.fn.Return<ReadonlyArray<Finding>, StorageUnavailable> {
      const problems = yield* currentProblems
      const repairable = isRepairing ? problems.filter(({ repair }) => repair !== undefined) : []
      for (const { repair } of repairable) yield* repair!
      const remaining = new Set(repairable.length === 0 ? [] : (yield* currentProblems).map(nameOfProblem))
      const repaired = new Set(repairable.map(nameOfProblem).filter((name) => !remaining.has(name)))
      for (const { row } of one.corruptedIdOf === undefined ? [] : problems)
        tools.damaged.add(one.corruptedIdOf!(row))
      return problems.map(
        (problem): Finding => ({
          check: problem.check.name,
          severity: problem.check.isNotice === true ? "notice" : "damage",
          table: one.over.name,
          row: rowName(one.over, problem.row),
          message: problem.message,
          isRepairable: problem.repair !== undefined,
          isRepaired: problem.repair !== undefined && repaired.has(nameOfProblem(problem))
        })
      )
    })
    const inTransaction = (isRepairing: boolean) =>
      one.isLong === true ? examineAgain(isRepairing) : store.transaction(examineAgain(isRepairing))
    // If a repair dies, its problem is reported as not repaired.
    return repair ? Effect.catchDefect(inTransaction(true), () => inTransaction(false)) : inTransaction(false)
  }

  /** Returns the findings of an examination in rows. */
  const findingsIn = Effect.fnUntraced(function* (
    one: Examination,
    tools: Tools,
    rows: ReadonlyArray<AnyRow>,
    repair: boolean
  ): Effect.fn.Return<ReadonlyArray<Finding>, StorageUnavailable> {
    const findings: Array<Finding> = []
    const maximumRows = one.maximumRows ?? pageSize
    for (let at = 0; at < rows.length; at += maximumRows) {
      const problems = yield* examineRows(one, tools, rows.slice(at, at + maximumRows))
      const suspects = [...new Map(problems.map(({ row }) => [rowName(one.over, row), row])).values()]
      for (let from = 0; from < suspects.length; from += suspectsPerTransaction) {
        const batch = suspects.slice(from, from + suspectsPerTransaction)
        findings.push(...(yield* confirm(one, tools, batch, repair)))
      }
      // An examination must not block the event loop of a server in the same process.
      yield* Effect.yieldNow
    }
    return findings
  })

  return { records, find, findingsIn }
})

const makeScanRunner = Effect.gen(function* () {
  const { records, find, findingsIn } = yield* makeExaminer

  /** Emits the findings and the progress of a scan, page by page. */
  const runScan = (
    { what, over, examinations, countBlobs }: Scan,
    tools: Tools,
    count: Count,
    repair: boolean
  ): Stream.Stream<Event, StorageUnavailable> =>
    Stream.unwrap(
      Effect.map(records.count(over, Where.all), (total) => {
        let progress = 0
        const limit = Math.max(...examinations.map(({ maximumRows = pageSize }) => maximumRows))
        return Stream.paginate<ReadonlyArray<Where.Scalar> | undefined, Event, StorageUnavailable>(
          undefined,
          Effect.fnUntraced(function* (after) {
            const rows = yield* find(over, { limit, ...(after === undefined ? {} : { after }) })
            const events: Array<Event> = []
            for (const one of examinations) {
              for (const finding of yield* findingsIn(one, tools, rows, repair)) {
                countFinding(count, finding)
                events.push({ _tag: "Found", finding })
              }
            }
            // Scans of features read a table again, under another name.
            if (what === over.name) count.rows += rows.length
            const counted = countBlobs?.(tools, rows)
            count.blobs += counted?.blobs ?? 0
            count.unreached += counted?.unreached ?? 0
            progress += rows.length
            events.push({
              _tag: "Progress",
              progress: { what, done: progress, total: Math.max(progress, total) }
            })
            const isLast = rows.length < limit
            return [events, isLast ? Option.none() : Option.some(keyOf(over, rows.at(-1)!))] as const
          })
        )
      })
    )

  return { runScan }
})

const makeDoctor = Effect.fnUntraced(function* (
  scans: ReadonlyArray<Scan>
): Effect.fn.Return<DoctorService, never, Records | Jobs> {
  const store = yield* Records
  const jobs = yield* Jobs
  const scannedTables = [...new Set(scans.map(({ over }) => over))]
  const { records } = yield* makeExaminer
  const { runScan } = yield* makeScanRunner

  /** Emits the corruption of the files of the database. If there is any, it also determines what can be read. */
  const examineFiles: Stream.Stream<Finding, StorageUnavailable> =
    store.checkIntegrity === undefined
      ? Stream.empty
      : Stream.flatMap(Stream.fromEffect(store.checkIntegrity), (problems) =>
          problems.length === 0
            ? Stream.empty
            : Stream.concat(
                Stream.fromIterable(problems.map((problem) => fileCorruption("", `reports: ${problem}`))),
                Stream.fromIterable(scannedTables).pipe(
                  Stream.mapEffect((table) => examineReadability(records, table)),
                  Stream.filter((finding) => finding !== undefined)
                )
              )
        )

  const examine = ({
    repair = false,
    quick = false
  }: Options = {}): Stream.Stream<Event, StorageUnavailable> =>
    Stream.suspend(() => {
      const tools = makeTools(records, jobs, quick)
      const count: Count = {
        rows: 0,
        damage: 0,
        repaired: 0,
        repairable: 0,
        notices: 0,
        blobs: 0,
        unreached: 0
      }
      const emitCorruption = (finding: Finding): Event => {
        countFinding(count, finding)
        return { _tag: "Found", finding }
      }
      // A scan of a corrupt file ends at the corruption; the others can be complete.
      const runScanUpToCorruption = (scan: Scan): Stream.Stream<Event, StorageUnavailable> =>
        Stream.catchIf(runScan(scan, tools, count, repair), isFileCorruption, () =>
          Stream.sync(() =>
            emitCorruption(
              fileCorruption(scan.over.name, `was not examined completely, in the scan of ${scan.what}`)
            )
          )
        )
      return Stream.concat(
        Stream.map(examineFiles, emitCorruption),
        Stream.flatMap(Stream.fromIterable(scans), runScanUpToCorruption)
      ).pipe(
        Stream.concat(
          Stream.suspend(() =>
            Stream.make<[Event]>({ _tag: "Done", summary: { ...count } satisfies Summary })
          )
        )
      )
    })

  return {
    examine,

    findings: Stream.flatMap(examine(), (event) =>
      event._tag === "Found" && event.finding.severity === "damage"
        ? Stream.make(event.finding)
        : Stream.empty
    ),

    checks: checksOf(scans)
  }
})

/** Checks a stored workspace: see {@link DoctorService}. */
export class Doctor extends Context.Service<Doctor, DoctorService>()("@lectern/core/Doctor") {
  /** Provides the doctor that runs these scans, in their order. */
  static readonly layerOf = <R>(
    scans: Effect.Effect<ReadonlyArray<Scan>, never, R>
  ): Layer.Layer<Doctor, never, Records | Jobs | R> => Layer.effect(Doctor, Effect.flatMap(scans, makeDoctor))
}
