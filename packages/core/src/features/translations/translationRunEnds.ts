/** The ends of the runs of translations: a run, and the outcome of its settings, change together. */

import { type GrantedRecords, Locks, SystemGrant } from "@lectern/access"
import { Records, type StorageUnavailable, toTimestamp, Where } from "@lectern/kernel"
import {
  type TranslationProgress,
  type TranslationRow,
  type TranslationRunRow,
  translationRuns,
  translations
} from "@lectern/kernel/tables"
import { noOutcome, type TranslationOutcome } from "@lectern/model/translations"
import { Clock, Effect } from "effect"

/** After this time without a sign of its process, in milliseconds, a run was interrupted. */
const interruptedAfterMs = 60_000

const interruptedError =
  "The server stopped during the run. Run the translation again: what is translated is not requested again."

/** How a run ends. */
export interface TranslationRunEnd
  extends Partial<Pick<TranslationRunRow, "progress" | "changeRequest" | "error">> {
  /** The status that the run gets. */
  readonly status: "completed" | "failed" | "cancelled"
  /** The proposed revision of the variant. Absent without a proposal. */
  readonly result?: NonNullable<TranslationOutcome["result"]>
}

const whereRunning = ({ organization, id }: Pick<TranslationRunRow, "organization" | "id">) =>
  Where.and<TranslationRunRow>(
    Where.eq("organization", organization),
    Where.eq("id", id),
    Where.eq("status", "running")
  )

/** Adds a run to the numbers of an outcome. */
const addRun = (
  { stats, ...outcome }: TranslationOutcome,
  { words, done }: TranslationProgress,
  seconds: number
): TranslationOutcome => ({
  ...outcome,
  status: "completed",
  stats: {
    runs: stats.runs + 1,
    totalWords: stats.totalWords + words,
    totalPages: Math.max(stats.totalPages, done),
    totalDuration: stats.totalDuration + seconds,
    latestRunDuration: seconds,
    latestPages: done,
    latestWords: words
  }
})

/** Ends runs of translations. */
export interface TranslationRunEnds {
  /** Ends a run, unless it has ended. Returns whether it had not. */
  readonly end: (
    run: Pick<TranslationRunRow, "organization" | "id">,
    end: TranslationRunEnd
  ) => Effect.Effect<boolean, StorageUnavailable>
  /** Ends the runs whose process has ended, as failed: all runs, or only the runs of one translation. */
  readonly endInterrupted: (
    translation?: TranslationRunRow["translation"]
  ) => Effect.Effect<void, StorageUnavailable>
}

const makeEnd = (
  lockedTransaction: Records["Service"]["lockedTransaction"],
  records: GrantedRecords
): ((
  run: Pick<TranslationRunRow, "organization" | "id">,
  end: TranslationRunEnd,
  isDead?: Where.Where<TranslationRunRow>
) => Effect.Effect<boolean, StorageUnavailable>) =>
  Effect.fnUntraced(function* (run, { result, ...set }, isDead = Where.all) {
    const completedAt = toTimestamp(yield* Clock.currentTimeMillis)
    return yield* lockedTransaction(
      Locks.organization(run),
      Effect.gen(function* () {
        const where = Where.and<TranslationRunRow>(whereRunning(run), isDead)
        if ((yield* records.update(translationRuns, where, { ...set, completedAt })) === 0) return false
        const { organization, id } = run
        const row = yield* records.get(translationRuns, { organization, id })
        if (row === undefined) return true
        const found = yield* records.get(translations, { id: row.translation }, ["outcome"])
        const { status, startedAt, aliveAt, progress } = row
        // An interrupted run has worked until its last sign.
        const endedAt = status === "failed" ? aliveAt : completedAt
        const seconds = Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 1_000)
        const outcome = addRun(found?.outcome ?? noOutcome, progress, seconds)
        yield* records.update(translations, Where.eq<TranslationRow, "id">("id", row.translation), {
          outcome: result === undefined ? outcome : { ...outcome, result }
        })
        return true
      })
    )
  })

/** Creates the functions that end runs. */
export const makeTranslationRunEnds: Effect.Effect<TranslationRunEnds, never, Records> = Effect.gen(
  function* () {
    const { lockedTransaction } = yield* Records
    const { records } = yield* SystemGrant.make("Ends the runs of translations.")
    const end = makeEnd(lockedTransaction, records)
    return {
      end: (run, set) => end(run, set),
      endInterrupted: Effect.fnUntraced(function* (translation) {
        const time = yield* Clock.currentTimeMillis
        const isDead = Where.lt<TranslationRunRow, "aliveAt">(
          "aliveAt",
          toTimestamp(time - interruptedAfterMs)
        )
        const runs = yield* records.find(translationRuns, {
          select: ["organization", "id"],
          where: Where.and<TranslationRunRow>(
            Where.eq("status", "running"),
            isDead,
            translation === undefined ? Where.all : Where.eq("translation", translation)
          )
        })
        for (const run of runs) yield* end(run, { status: "failed", error: interruptedError }, isDead)
      })
    }
  }
)
