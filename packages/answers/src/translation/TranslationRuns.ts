/** Runs of translations: a language model translates a space into a change request of its variant, on behalf of the `CurrentUser`. */
import {
  ChangeRequests,
  Conflict,
  Content,
  CurrentUser,
  Glossary,
  type LecternError,
  NotFound,
  type OrganizationId,
  Spaces,
  type StorageUnavailable,
  type TranslationId,
  type TranslationPlan,
  type TranslationRunRow,
  Translations
} from "@lectern/core"
import { Duration, Effect } from "effect"
import type { LanguageModel } from "effect/ai"
import type { AnswerLimits } from "../limits/AnswerLimits.ts"
import { makeAskForTexts } from "./run/askForTexts.ts"
import { makePerformRun, type PerformError, RunEnded } from "./run/performRun.ts"
import { makeRunRows, type TranslationKey, timestamp } from "./run/runRows.ts"

/** How often a run shows that its process is alive, and looks whether it was canceled. */
const aliveEvery = Duration.seconds(2)

/** A run of a translation, with its progress and its report. */
export interface TranslationRun {
  /** The id of the run. */
  readonly id: string
  /** The status: only `running` changes. */
  readonly status: TranslationRunRow["status"]
  /** The number of pages of the source. */
  readonly pages: number
  /** The number of pages that are translated, or unchanged. */
  readonly done: number
  /** The progress in percent. */
  readonly progress: number
  /** The number of strings that the model has translated. */
  readonly translated: number
  /** The number of translations of earlier runs that were used again. */
  readonly reused: number
  /** The number of strings that remain in the language of the source. */
  readonly untranslatedTexts: number
  /** The first 200 untranslated strings, with the reasons. */
  readonly untranslated: TranslationRunRow["progress"]["untranslated"]
  /** The id of the variant. Absent until something was proposed. */
  readonly space?: string
  /** The id of the change request of the variant. Absent until something was proposed. */
  readonly changeRequest?: string
  /** Why the run has failed. Present if the status is `failed`. */
  readonly error?: string
  /** When the run started. */
  readonly startedAt: string
  /** When the run last made progress, or ended. */
  readonly updatedAt: string
  /** When the run ended. Absent while it is running. */
  readonly completedAt?: string
}

/** Names translation settings. */
export interface TranslationOf {
  /** The id of the organization. */
  readonly organization: OrganizationId
  /** The id of the translation settings. */
  readonly translation: TranslationId
}

/** Runs translations. */
export interface TranslationRuns {
  /**
   * Starts a run, and returns it; while one is running, it returns that one. The caller must be able to update the settings, to read the
   * source, and to edit the variant or else to copy the source. Fails with `Conflict` for settings without a source.
   */
  readonly start: (of: TranslationOf) => Effect.Effect<TranslationRun, LecternError, CurrentUser>
  /** Returns the last run. Fails with `NotFound` before the first one. */
  readonly get: (of: TranslationOf) => Effect.Effect<TranslationRun, LecternError, CurrentUser>
  /** Cancels the last run, and returns it. A run that has ended stays unchanged. Nothing is proposed. */
  readonly cancel: (of: TranslationOf) => Effect.Effect<TranslationRun, LecternError, CurrentUser>
}

const presentRun = (row: TranslationRunRow, plan: TranslationPlan | null): TranslationRun => {
  const { pages, done, translated, reused, untranslatedCount, untranslated } = row.progress
  return {
    ...{ id: row.id, status: row.status, pages, done, translated, reused, untranslated },
    progress: row.status === "completed" ? 100 : pages === 0 ? 0 : Math.floor((done / pages) * 100),
    untranslatedTexts: untranslatedCount,
    ...(row.changeRequest === null || plan?.target === undefined
      ? {}
      : { space: plan.target, changeRequest: row.changeRequest }),
    ...(row.error === null ? {} : { error: row.error }),
    ...{ startedAt: row.startedAt, updatedAt: row.completedAt ?? row.aliveAt },
    ...(row.completedAt === null ? {} : { completedAt: row.completedAt })
  }
}

const messageOf = (error: PerformError): string =>
  error._tag === "RunEnded" ? "" : "message" in error ? error.message : "The run failed."

/** Creates the service over a language model. */
export const makeTranslationRuns = Effect.fnUntraced(function* (
  model: LanguageModel.LanguageModel,
  limits: AnswerLimits
) {
  const rows = yield* makeRunRows
  const settings = yield* Translations
  const content = yield* Content
  const spaces = yield* Spaces
  const perform = makePerformRun({
    ...{ content, spaces, rows, changeRequests: yield* ChangeRequests, glossary: yield* Glossary },
    ask: makeAskForTexts(model, limits)
  })

  /** Fails unless the caller can do everything that a run does, before anything is spent. */
  const requireAccess = Effect.fnUntraced(function* (plan: TranslationPlan) {
    yield* spaces.get.decoded({ space: plan.source.space, input: {} })
    yield* plan.target === undefined
      ? spaces.duplicate.authorize({ space: plan.source.space })
      : content.edit.authorize({ content: { space: plan.target } })
  })

  /** Shows that the process is alive. Fails when the run has ended, for example because it was canceled. */
  const untilEnded = (run: TranslationRunRow): Effect.Effect<never, RunEnded | StorageUnavailable> =>
    Effect.forever(
      Effect.sleep(aliveEvery).pipe(
        Effect.andThen(timestamp),
        Effect.flatMap((aliveAt) => rows.update(run, { aliveAt })),
        Effect.flatMap((isRunning) => (isRunning ? Effect.void : Effect.fail(new RunEnded())))
      )
    )

  const performAndRecord = Effect.fnUntraced(function* (run: TranslationRunRow, plan: TranslationPlan) {
    const result = yield* Effect.result(Effect.raceFirst(perform(run, plan), untilEnded(run)))
    if (result._tag === "Failure") {
      if (result.failure._tag === "RunEnded") return
      yield* rows.end(run, { status: "failed", error: messageOf(result.failure) })
      return
    }
    const { progress, proposed, target } = result.success
    yield* rows.end(run, {
      ...{ status: "completed", progress },
      ...(proposed === undefined
        ? {}
        : {
            changeRequest: proposed.changeRequest,
            result: { space: target, revision: proposed.revision }
          })
    })
  })

  /** Performs a run in the background, with the identity of its caller: their roles and the limits of their token apply to each operation. */
  const fork = Effect.fnUntraced(function* (run: TranslationRunRow, plan: TranslationPlan) {
    const performed = performAndRecord(run, plan).pipe(
      Effect.catchCause((cause) =>
        Effect.andThen(
          Effect.logError("translation run", cause),
          Effect.ignore(
            rows.end(run, { status: "failed", error: "The run failed unexpectedly; the log has the error." })
          )
        )
      )
    )
    const identity = yield* CurrentUser
    yield* Effect.forkDetach(Effect.provideService(performed, CurrentUser, identity))
  })

  const keyOf = ({ organization, translation }: TranslationOf): TranslationKey => ({
    organization,
    translation
  })

  /** Returns the last run of settings that the caller can see. */
  const requireRun = Effect.fnUntraced(function* (of: TranslationOf) {
    const row = yield* rows.current(keyOf(of))
    return row ?? (yield* NotFound.of("translation run"))
  })

  const runs: TranslationRuns = {
    start: Effect.fnUntraced(function* (of) {
      yield* settings.update.authorize(of)
      const { plan } = yield* rows.translation(keyOf(of))
      if (plan === null) {
        return yield* new Conflict({
          reason: "TargetNotSupported",
          message: "The translation settings have only a title. Create settings with a source and a language."
        })
      }
      yield* requireAccess(plan)
      const { id } = yield* CurrentUser
      const { run, isNew } = yield* rows.begin(keyOf(of), id)
      if (isNew) yield* fork(run, plan)
      return presentRun(run, plan)
    }),

    get: Effect.fnUntraced(function* (of) {
      yield* settings.get.decoded(of)
      const row = yield* requireRun(of)
      return presentRun(row, (yield* rows.translation(keyOf(of))).plan)
    }),

    cancel: Effect.fnUntraced(function* (of) {
      yield* settings.update.authorize(of)
      const row = yield* requireRun(of)
      yield* rows.end(row, { status: "cancelled" })
      return presentRun(yield* requireRun(of), (yield* rows.translation(keyOf(of))).plan)
    })
  }
  return runs
})
