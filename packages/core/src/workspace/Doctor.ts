/**
 * Checks all that must hold in a workspace: references, trees, counts, orders, content down to its bytes, and what
 * follows from it; and puts right what follows from something else. It acts for nobody.
 *
 * Tables are read a page at a time, outside of any transaction, so that it can be done while a server works. What looks
 * wrong is looked at a second time, alone and in a transaction of its own: only what is wrong then is reported, and a
 * repair is part of that transaction. So nothing is reported that was only on its way, and a workspace in which nothing
 * is wrong is never written to, nor locked.
 *
 * In memory are, at most: 200 rows, or what 16 revisions made new, or 16 blobs; the ids and the tree of one space, as
 * in any reading of it; 32 MiB of nodes; and 40 bytes for each blob that content reaches, to count those that it does
 * not. Its time is that of reading all rows once, and taking the texts of the primary contents apart.
 */
import { Context, Effect, Layer, Option, Stream } from "effect"
import { SystemGrant } from "../access/grants/SystemGrant.ts"
import {
  type Examination,
  makeTools,
  type Problem,
  pageSize,
  readable,
  type Scan,
  type Tools
} from "../kernel/doctor/Check.ts"
import type { Event, Finding, Summary } from "../kernel/doctor/Finding.ts"
import { Jobs } from "../kernel/jobs/Jobs.ts"
import { Records, type StorageUnavailable, type Table, Where } from "../kernel/storage/index.ts"
import { checksOf } from "./doctorScans.ts"

/** How a workspace is examined. */
export interface Options {
  /** Whether to put right what follows from something else; false by default. */
  readonly repair?: boolean
  /**
   * Whether to leave texts as they are, for taking them apart takes most of the time: of what is found it is compared
   * which pages are, where and under which titles, and not by which words; false by default.
   */
  readonly quick?: boolean
}

type AnyRow = { readonly [column: string]: unknown }

const keyOf = (table: Table.AnyTable, row: AnyRow): ReadonlyArray<Where.Scalar> =>
  table.key.map((column) => row[column] as Where.Scalar)

const rowName = (table: Table.AnyTable, row: AnyRow): string => keyOf(table, row).join("/")

/** The columns that are read: all but bytes. */
const columnsOf = (table: Table.AnyTable): ReadonlyArray<string> =>
  Object.keys(table.columns).filter((column) => table.columns[column]!.kind !== "bytes")

/** The rows with the keys of some. */
const whereThese = (table: Table.AnyTable, rows: Iterable<AnyRow>): Where.AnyWhere => ({
  op: "or",
  conditions: Array.from(rows, (row) => ({
    op: "and" as const,
    conditions: table.key.map((column) => ({ op: "eq" as const, column, value: row[column] as Where.Scalar }))
  }))
})

/** How many rows that look wrong are looked at again together. */
const againAtOnce = 50

/** What an examination has come to so far. */
interface Count {
  rows: number
  damage: number
  repaired: number
  repairable: number
  notices: number
  blobs: number
  unreached: number
}

const note = (count: Count, { severity, isRepaired, isRepairable }: Finding): void => {
  if (severity === "notice") {
    count.notices++
    return
  }
  count.damage++
  if (isRepaired) count.repaired++
  else if (isRepairable) count.repairable++
}

const makeDoctor = Effect.fnUntraced(function* (scans: ReadonlyArray<Scan>) {
  const store = yield* Records
  const { records } = yield* SystemGrant.make("Examines and repairs the rows of every organization.")
  const jobs = yield* Jobs

  const find = (
    over: Table.AnyTable,
    options: {
      readonly where?: Where.AnyWhere
      readonly after?: ReadonlyArray<Where.Scalar>
      readonly limit?: number
    }
  ) =>
    records.find(over as Table.AnyTable & { readonly Row?: AnyRow }, { ...options, select: columnsOf(over) })

  /** What is wrong with rows. Those that nobody can look at are found one by one, and keep nobody from the others. */
  const examine = (
    one: Examination,
    tools: Tools,
    rows: ReadonlyArray<AnyRow>
  ): Effect.Effect<ReadonlyArray<Problem>, StorageUnavailable> =>
    Effect.catchDefect(
      Effect.suspend(() => one.examine(tools, rows as ReadonlyArray<never>)),
      (defect) =>
        rows.length === 1
          ? Effect.succeed([{ check: readable, row: rows[0]!, message: `cannot be looked at: ${defect}` }])
          : Effect.map(
              Effect.forEach(rows, (row) => examine(one, tools, [row])),
              (each) => each.flat()
            )
    )

  /** Looks again at rows that look wrong; what is wrong indeed is put right, where that is asked for, and can be. */
  const lookAgain = (
    one: Examination,
    tools: Tools,
    suspects: ReadonlyArray<AnyRow>,
    repair: boolean
  ): Effect.Effect<ReadonlyArray<Finding>, StorageUnavailable> => {
    const nameOfProblem = ({ check, row }: Problem) => `${check.name} ${rowName(one.over, row)}`
    const again = Effect.flatMap(find(one.over, { where: whereThese(one.over, suspects) }), (rows) =>
      examine(one, tools, rows)
    )
    const look = Effect.fnUntraced(function* (
      mends: boolean
    ): Effect.fn.Return<ReadonlyArray<Finding>, StorageUnavailable> {
      const problems = yield* again
      const mendable = mends ? problems.filter(({ mend }) => mend !== undefined) : []
      for (const { mend } of mendable) yield* mend!
      const left = new Set(mendable.length === 0 ? [] : (yield* again).map(nameOfProblem))
      const mended = new Set(mendable.map(nameOfProblem).filter((name) => !left.has(name)))
      for (const { row } of one.spoils === undefined ? [] : problems)
        tools.damaged.add(one.spoils!(row as never))
      return problems.map(
        (problem): Finding => ({
          check: problem.check.name,
          severity: problem.check.isNotice === true ? "notice" : "damage",
          table: one.over.name,
          row: rowName(one.over, problem.row),
          message: problem.message,
          isRepairable: problem.mend !== undefined,
          isRepaired: problem.mend !== undefined && mended.has(nameOfProblem(problem))
        })
      )
    })
    const whole = (mends: boolean) => (one.isLong === true ? look(mends) : store.transaction(look(mends)))
    // What cannot be put right, though it should be, is told as what it is.
    return repair ? Effect.catchDefect(whole(true), () => whole(false)) : whole(false)
  }

  /** What an examination finds in rows, looked at twice. */
  const findingsIn = Effect.fnUntraced(function* (
    one: Examination,
    tools: Tools,
    rows: ReadonlyArray<AnyRow>,
    repair: boolean
  ): Effect.fn.Return<ReadonlyArray<Finding>, StorageUnavailable> {
    const findings: Array<Finding> = []
    const atOnce = one.atOnce ?? pageSize
    for (let at = 0; at < rows.length; at += atOnce) {
      const problems = yield* examine(one, tools, rows.slice(at, at + atOnce))
      const suspects = [...new Map(problems.map(({ row }) => [rowName(one.over, row), row])).values()]
      for (let from = 0; from < suspects.length; from += againAtOnce) {
        findings.push(...(yield* lookAgain(one, tools, suspects.slice(from, from + againAtOnce), repair)))
      }
      // Others of this process come in between.
      yield* Effect.yieldNow
    }
    return findings
  })

  /** One table, a page after the other. */
  const scanned = (
    { what, over, examinations, countBlobs }: Scan,
    tools: Tools,
    count: Count,
    repair: boolean
  ): Stream.Stream<Event, StorageUnavailable> =>
    Stream.unwrap(
      Effect.map(records.count(over, Where.all), (total) => {
        let progress = 0
        const limit = Math.max(...examinations.map(({ atOnce = pageSize }) => atOnce))
        return Stream.paginate<ReadonlyArray<Where.Scalar> | undefined, Event, StorageUnavailable>(
          undefined,
          Effect.fnUntraced(function* (after) {
            const rows = yield* find(over, { limit, ...(after === undefined ? {} : { after }) })
            const events: Array<Event> = []
            for (const one of examinations) {
              for (const finding of yield* findingsIn(one, tools, rows, repair)) {
                note(count, finding)
                events.push({ _tag: "Found", finding })
              }
            }
            // Some tables are gone through twice.
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

  /** Examines the workspace: what it finds, how far it is, and in the end what came of it. */
  const examination = ({
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
      return Stream.fromIterable(scans).pipe(
        Stream.flatMap((scan) => scanned(scan, tools, count, repair)),
        Stream.concat(
          Stream.suspend(() =>
            Stream.make<[Event]>({ _tag: "Done", summary: { ...count } satisfies Summary })
          )
        )
      )
    })

  return {
    examine: examination,

    /** All damage that there is, without notices; nothing is written. */
    findings: Stream.flatMap(examination(), (event) =>
      event._tag === "Found" && event.finding.severity === "damage"
        ? Stream.make(event.finding)
        : Stream.empty
    ),

    /** What is checked. */
    checks: checksOf(scans)
  }
})

/** The methods of {@link Doctor}. */
export interface DoctorService extends Effect.Success<ReturnType<typeof makeDoctor>> {}

/** See the module's comment. */
export class Doctor extends Context.Service<Doctor, DoctorService>()("@lectern/core/Doctor") {
  /** The doctor of a workspace with these scans. */
  static readonly layerOf = <R>(
    scans: Effect.Effect<ReadonlyArray<Scan>, never, R>
  ): Layer.Layer<Doctor, never, Records | Jobs | R> => Layer.effect(Doctor, Effect.flatMap(scans, makeDoctor))
}
