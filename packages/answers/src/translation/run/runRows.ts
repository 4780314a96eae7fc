/** Reads and changes the rows of runs and of translated pages. */
import {
  type GrantedRecords,
  Ids,
  Locks,
  makeTranslationRunEnds,
  NotFound,
  type OrganizationId,
  Records,
  type StorageUnavailable,
  SystemGrant,
  type TranslatedPageRow,
  type TranslationId,
  type TranslationProgress,
  type TranslationRow,
  type TranslationRunRow,
  translatedPages,
  translationRuns,
  translations,
  type UserId,
  Where
} from "@lectern/core"
import { noOutcome } from "@lectern/model/translations"
import { Clock, Effect } from "effect"

/** The progress of a run that begins. */
export const noProgress: TranslationProgress = {
  ...{ pages: 0, done: 0, translated: 0, reused: 0, words: 0, untranslatedCount: 0 },
  untranslated: []
}

/** The time as a timestamp. */
export const timestamp: Effect.Effect<string> = Effect.map(Clock.currentTimeMillis, (time) =>
  new Date(time).toISOString()
)

/** The translation that a run belongs to. */
export interface TranslationKey {
  readonly organization: OrganizationId
  readonly translation: TranslationId
}

const ofTranslation = ({ translation }: TranslationKey): Where.Where<TranslationRunRow> =>
  Where.eq<TranslationRunRow, "translation">("translation", translation)

const isRunning = ({ organization, id }: Pick<TranslationRunRow, "organization" | "id">) =>
  Where.and<TranslationRunRow>(
    Where.eq("organization", organization),
    Where.eq("id", id),
    Where.eq("status", "running")
  )

const ofPage = ({ organization, translation }: TranslationKey, page: string) =>
  Where.and<TranslatedPageRow>(
    Where.eq("organization", organization),
    Where.eq("translation", translation),
    Where.eq("page", page)
  )

/** Creates the functions that read and change rows. */
export const makeRunRows = Effect.gen(function* () {
  const { lockedTransaction } = yield* Records
  const ids = yield* Effect.provide(Ids, Ids.layer)
  const { records }: { readonly records: GrantedRecords } = yield* SystemGrant.make(
    "Performs the runs of translations."
  )

  const { end, endInterrupted } = yield* makeTranslationRunEnds

  const latest = (key: TranslationKey): Effect.Effect<TranslationRunRow | undefined, StorageUnavailable> =>
    records.first(translationRuns, { where: ofTranslation(key), orderBy: ["id"], direction: "desc" })

  /** Changes a run that has not ended. Returns whether it has not. */
  const update = (
    run: Pick<TranslationRunRow, "organization" | "id">,
    set: Partial<Omit<TranslationRunRow, "organization" | "id">>
  ): Effect.Effect<boolean, StorageUnavailable> =>
    Effect.map(
      lockedTransaction([], records.update(translationRuns, isRunning(run), set)),
      (count) => count > 0
    )

  /** Returns the last run. A run whose process has ended has failed. */
  const current = Effect.fnUntraced(function* (key: TranslationKey) {
    yield* endInterrupted(key.translation)
    return yield* latest(key)
  })

  return {
    current,
    update,
    end,

    /** Returns the row of translation settings that have a plan. */
    translation: Effect.fnUntraced(function* ({ organization, translation }: TranslationKey) {
      const row = yield* records.get(translations, { id: translation })
      return row?.organization === organization ? row : yield* NotFound.of("translation settings")
    }),

    /** Changes the row of translation settings. */
    updateTranslation: (
      { organization, translation }: TranslationKey,
      set: Pick<TranslationRow, "plan">
    ): Effect.Effect<void, StorageUnavailable> =>
      Effect.asVoid(
        lockedTransaction(
          Locks.organization({ organization }),
          records.update(translations, Where.eq("id", translation), set)
        )
      ),

    /** Begins a run, unless one is running: then it returns that one, with `isNew: false`. */
    begin: Effect.fnUntraced(function* (key: TranslationKey, user: UserId) {
      yield* current(key)
      const time = yield* timestamp
      const row: TranslationRunRow = {
        ...{ organization: key.organization, id: yield* ids.next, translation: key.translation, user },
        ...{ status: "running", progress: noProgress, changeRequest: null, error: null },
        ...{ startedAt: time, aliveAt: time, completedAt: null }
      }
      return yield* lockedTransaction(
        Locks.organization(key),
        Effect.gen(function* () {
          const last = yield* latest(key)
          if (last?.status === "running") return { run: last, isNew: false }
          yield* records.insert(translationRuns, row)
          const found = yield* records.get(translations, { id: key.translation }, ["outcome"])
          yield* records.update(translations, Where.eq("id", key.translation), {
            outcome: { ...(found?.outcome ?? noOutcome), status: "running" }
          })
          return { run: row, isNew: true }
        })
      )
    }),

    /** Returns the last change request of earlier runs; undefined without one. */
    lastChangeRequest: Effect.fnUntraced(function* (key: TranslationKey) {
      const row = yield* records.first(translationRuns, {
        where: Where.and<TranslationRunRow>(ofTranslation(key), Where.not(Where.isNull("changeRequest"))),
        orderBy: ["id"],
        direction: "desc"
      })
      return row?.changeRequest ?? undefined
    }),

    /** Returns the translated pages. */
    pages: ({ organization, translation }: TranslationKey) =>
      records.find(translatedPages, {
        where: Where.and<TranslatedPageRow>(
          Where.eq("organization", organization),
          Where.eq("translation", translation)
        ),
        orderBy: ["page"]
      }),

    /** Replaces a translated page. */
    savePage: (row: TranslatedPageRow): Effect.Effect<void, StorageUnavailable> =>
      lockedTransaction(
        [],
        Effect.gen(function* () {
          yield* records.remove(translatedPages, ofPage(row, row.page))
          yield* records.insertMissing(translatedPages, [row])
        })
      ),

    /** Forgets a page that the source no longer has. */
    removePage: (key: TranslationKey, page: string): Effect.Effect<void, StorageUnavailable> =>
      Effect.asVoid(lockedTransaction([], records.remove(translatedPages, ofPage(key, page))))
  }
})

/** The functions that read and change the rows of runs. */
export interface RunRows extends Effect.Success<typeof makeRunRows> {}
