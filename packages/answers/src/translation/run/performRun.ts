/** Performs a run: reads the source as its caller, translates the changed pages, and proposes it to the variant. */
import type {
  ChangeRequests,
  Content,
  ContentChange,
  ContentPage,
  CurrentUser,
  Glossary,
  LecternError,
  PageId,
  SpaceId,
  Spaces,
  TranslatedPageRow,
  TranslatedText,
  TranslationPlan,
  TranslationProgress,
  TranslationRunRow,
  UntranslatedText
} from "@lectern/core"
import { toMarkdown } from "@lectern/markdown/document"
import { languageName } from "@lectern/model"
import { Effect } from "effect"
import type { TooManyQuestions } from "../../limits/AnswerLimits.ts"
import { makeFindTerms, termsOf } from "../texts/glossary.ts"
import type { AskForTexts, ModelFailed } from "./askForTexts.ts"
import { type MissingPage, makeProposeChanges, type Proposed } from "./proposeChanges.ts"
import { noProgress, type RunRows, type TranslationKey, timestamp } from "./runRows.ts"
import {
  type ContentIn,
  makeReadPages,
  pagesInOrder,
  type References,
  type SourcePage,
  withVariantReferences
} from "./sourcePages.ts"
import {
  changedTexts,
  hashOfPage,
  type PageContext,
  type TranslatedPage,
  translatePage
} from "./translatePage.ts"

/** The maximum number of pages of a run. */
const maximumPages = 1_000

/** The maximum number of strings that the report of a run lists. */
const maximumListed = 200

/** The maximum length of the instructions in a prompt, in characters. */
const maximumInstructions = 2_000

/** The services of a run. */
export interface RunServices {
  readonly content: Content["Service"]
  readonly changeRequests: ChangeRequests["Service"]
  readonly spaces: Spaces["Service"]
  readonly glossary: Glossary["Service"]
  readonly ask: AskForTexts
  readonly rows: RunRows
}

/** The run was canceled, or another process has declared it interrupted. */
export class RunEnded {
  readonly _tag = "RunEnded"
}

/** Fails once the credentials by which a run was started have ended. */
export type Authenticated = Effect.Effect<unknown, LecternError>

/** The errors of a run. */
export type PerformError = LecternError | ModelFailed | TooManyQuestions | RunEnded

/** A translated page, with the hash of its source. */
interface Done {
  readonly source: SourcePage
  readonly translated: TranslatedPage
  readonly hash: string
}

/** The variant, as a run finds it. */
interface Variant {
  readonly of: ContentIn
  /** The ids of its pages by the ids in the source. */
  readonly ids: ReadonlyMap<string, string>
  readonly files: ReadonlySet<string>
  readonly changeRequest: string | undefined
  /** Whether what earlier runs have proposed is in the variant, or is still proposed. */
  readonly hasEarlier: boolean
}

const isMissing = (error: { readonly _tag: string }): boolean =>
  error._tag === "NotFound" || error._tag === "Gone"

/** Creates the function that performs runs. */
export const makePerformRun = ({ content, changeRequests, spaces, glossary, ask, rows }: RunServices) => {
  const read = makeReadPages(content)
  const propose = makeProposeChanges(content, changeRequests)

  /** Returns the variant. The first run copies the source, whose pages, files and links then have the same ids. */
  const targetOf = Effect.fnUntraced(function* (key: TranslationKey, plan: TranslationPlan) {
    if (plan.target !== undefined) return plan.target
    const source = yield* spaces.get.decoded({ space: plan.source.space, input: {} })
    const copy = yield* spaces.duplicate.decoded({ space: plan.source.space })
    const title = `${source.title.slice(0, 60)} (${languageName(plan.language)})`
    yield* spaces.update.decoded({ space: copy.id, input: { title } })
    yield* rows.updateTranslation(key, { plan: { ...plan, target: copy.id } })
    return copy.id
  })

  const changeRequestOf = Effect.fnUntraced(function* (key: TranslationKey, target: SpaceId) {
    const last = yield* rows.lastChangeRequest(key)
    if (last === undefined) return { changeRequest: undefined, hasEarlier: false }
    const found = yield* changeRequests.get
      .decoded({ space: target, changeRequest: last })
      .pipe(Effect.catchIf(isMissing, () => Effect.succeed(undefined)))
    const isOpen = found?.status === "open" || found?.status === "draft"
    return { changeRequest: isOpen ? last : undefined, hasEarlier: isOpen || found?.status === "merged" }
  })

  const variantOf = Effect.fnUntraced(function* (
    key: TranslationKey,
    target: SpaceId,
    memory: ReadonlyMap<string, TranslatedPageRow>,
    source: ReadonlyArray<SourcePage>
  ): Effect.fn.Return<Variant, LecternError, CurrentUser> {
    const { changeRequest, hasEarlier } = yield* changeRequestOf(key, target)
    const of = { space: target, ...(changeRequest === undefined ? {} : { changeRequest }) }
    const tree = yield* read.tree(of)
    const present = new Set(pagesInOrder(tree.pages).map(({ id }) => id))
    const ids = new Map(
      source.flatMap(({ id }): ReadonlyArray<readonly [string, string]> => {
        const found = [memory.get(id)?.target ?? "", id].find((candidate) => present.has(candidate))
        return found === undefined ? [] : [[id, found]]
      })
    )
    return { of, ids, files: new Set(tree.files.map(({ id }) => id)), changeRequest, hasEarlier }
  })

  const contextOf = Effect.fnUntraced(function* ({ organization }: TranslationKey, plan: TranslationPlan) {
    const entries: Array<{ readonly translations: Readonly<Record<string, string>> }> = []
    for (let page: string | undefined, more = true; more; ) {
      const listed = yield* glossary.list.decoded({
        organization,
        input: { limit: 1_000, ...(page === undefined ? {} : { page }) }
      })
      entries.push(...listed.items)
      page = listed.next?.page
      more = page !== undefined
    }
    const { source, language, instructions } = plan
    return {
      languages: {
        organization,
        from: source.language,
        to: language,
        instructions: toMarkdown(instructions).trim().slice(0, maximumInstructions)
      },
      findTerms: makeFindTerms(termsOf(entries, source.language, language)),
      ask
    } satisfies PageContext
  })

  /** Returns the corrections of people in the variant. */
  const changesOfPeople = Effect.fnUntraced(function* (
    context: PageContext,
    variant: Variant,
    stored: TranslatedPageRow | undefined,
    id: string
  ) {
    const target = variant.ids.get(id)
    if (stored === undefined || stored.written === "" || target === undefined || !variant.hasEarlier) {
      return changedTexts(context, [], { title: "", description: undefined, document: undefined })
    }
    return changedTexts(context, stored.texts, yield* read.texts(variant.of, target))
  })

  /** Translates the pages that have changed since they were written to the variant. */
  const translateAll = Effect.fnUntraced(function* (
    run: TranslationRunRow,
    context: PageContext,
    source: ContentIn,
    pages: ReadonlyArray<SourcePage>,
    variant: Variant,
    memory: ReadonlyMap<string, TranslatedPageRow>,
    authenticated: Authenticated
  ) {
    const done: Array<Done> = []
    let progress: TranslationProgress = { ...noProgress, pages: pages.length }
    // A string on several pages is translated once.
    const known = new Map<string, string>()
    for (const { texts } of memory.values())
      for (const { hash, text } of texts) if (text !== "") known.set(hash, text)
    for (const page of pages) {
      const texts = yield* read.texts(source, page.id)
      const hash = hashOfPage(context, texts)
      const stored = memory.get(page.id)
      const isWritten = variant.hasEarlier && stored?.written === hash && variant.ids.has(page.id)
      if (!isWritten) {
        const changed = yield* changesOfPeople(context, variant, stored, page.id)
        const translated = yield* translatePage(context, texts, { translations: known, changed })
        for (const { hash: of, text } of translated.texts) if (text !== "") known.set(of, text)
        yield* rows.savePage({
          ...{ organization: run.organization, translation: run.translation, page: page.id },
          ...{
            target: variant.ids.get(page.id) ?? "",
            texts: translated.texts,
            written: stored?.written ?? ""
          }
        })
        done.push({ source: page, translated, hash })
        const untranslated: ReadonlyArray<UntranslatedText> = translated.untranslated.map((text) => ({
          page: page.id,
          ...text
        }))
        progress = {
          ...progress,
          translated: progress.translated + translated.translated,
          reused: progress.reused + translated.reused,
          words: progress.words + translated.words,
          untranslatedCount: progress.untranslatedCount + untranslated.length,
          untranslated: [...progress.untranslated, ...untranslated].slice(0, maximumListed)
        }
      }
      progress = { ...progress, done: progress.done + 1 }
      yield* authenticated
      const isRunning = yield* rows.update(run, { progress, aliveAt: yield* timestamp })
      if (!isRunning) return yield* Effect.fail(new RunEnded())
    }
    return { done, progress }
  })

  const fieldsOf = ({ type, page }: SourcePage, { title, description }: TranslatedPage) => ({
    title,
    ...(type === "document" && description !== undefined ? { description } : {}),
    ...(page.type === "link" ? { target: page.target } : {})
  })

  const missingPages = (
    done: ReadonlyArray<Done>,
    ids: ReadonlyMap<string, string>
  ): ReadonlyArray<MissingPage> =>
    done
      .filter(({ source }) => !ids.has(source.id))
      .map(({ source, translated }) => ({
        source: source.id,
        parent: source.parent,
        insert: {
          type: source.type,
          ...fieldsOf(source, translated),
          ...("slug" in source.page ? { slug: source.page.slug } : {}),
          ...(source.page.icon === undefined ? {} : { icon: source.page.icon }),
          ...(source.page.condition === undefined ? {} : { condition: source.page.condition }),
          ...(source.page.type !== "link" && source.page.hidden === true ? { hidden: true } : {})
        }
      }))

  const changesOf =
    (done: ReadonlyArray<Done>, files: References["files"], removed: ReadonlyArray<string>) =>
    (ids: ReadonlyMap<string, string>): ReadonlyArray<ContentChange> => [
      ...done.flatMap(({ source, translated }): ReadonlyArray<ContentChange> => {
        const page = ids.get(source.id) as PageId | undefined
        if (page === undefined) return []
        const { document } = translated
        return [
          {
            operation: "update_page",
            page,
            ...fieldsOf(source, translated),
            ...(document === undefined
              ? {}
              : { document: { document: withVariantReferences(document, { ids, files }) } })
          }
        ]
      }),
      ...removed.map((page): ContentChange => ({ operation: "delete_page", page: page as PageId }))
    ]

  /** Records that the variant has, or is proposed to have, the translated pages. */
  const recordWritten = Effect.fnUntraced(function* (
    key: TranslationKey,
    done: ReadonlyArray<Done>,
    proposed: Proposed
  ) {
    for (const { source, translated, hash } of done) {
      const texts: ReadonlyArray<TranslatedText> = translated.texts
      yield* rows.savePage({
        ...{ organization: key.organization, translation: key.translation, page: source.id, texts },
        ...{ target: proposed.ids.get(source.id) ?? "", written: hash }
      })
    }
  })

  return Effect.fnUntraced(function* (
    run: TranslationRunRow,
    plan: TranslationPlan,
    authenticated: Authenticated
  ): Effect.fn.Return<
    {
      readonly progress: TranslationProgress
      readonly proposed: Proposed | undefined
      readonly target: SpaceId
    },
    PerformError,
    CurrentUser
  > {
    const key = { organization: run.organization, translation: run.translation }
    const context = yield* contextOf(key, plan)
    const source = { space: plan.source.space }
    const tree = yield* read.tree(source)
    const all = pagesInOrder(tree.pages)
    const pages = all.slice(0, maximumPages)
    const memory = new Map((yield* rows.pages(key)).map((row) => [row.page, row]))
    const target = yield* targetOf(key, plan)
    const variant = yield* variantOf(key, target, memory, pages)
    const { done, progress } = yield* translateAll(
      run,
      context,
      source,
      pages,
      variant,
      memory,
      authenticated
    )
    const present = new Set(all.map(({ id }) => id))
    const removed = [...memory.values()].filter(({ page }) => !present.has(page))
    const targetTree = removed.length === 0 ? undefined : yield* read.tree(variant.of)
    const targetIds = new Set(pagesInOrder(targetTree?.pages ?? []).map(({ id }) => id))
    const files = new Map(
      tree.files.flatMap((file) => (variant.files.has(file.id) ? [] : [[file.id, file] as const]))
    )
    yield* authenticated
    const isRunning = yield* rows.update(run, { aliveAt: yield* timestamp })
    if (!isRunning) return yield* Effect.fail(new RunEnded())
    const proposing = propose({
      target,
      changeRequest: variant.changeRequest,
      subject: `Translation into ${languageName(plan.language)}`,
      ids: variant.ids,
      missing: missingPages(done, variant.ids),
      changes: changesOf(
        done,
        files,
        topmost(
          removed.map(({ target: id }) => id).filter((id) => targetIds.has(id)),
          targetTree?.pages ?? []
        )
      )
    })
    // A proposal is not left half.
    const proposed = yield* Effect.uninterruptible(proposing)
    if (proposed !== undefined) yield* recordWritten(key, done, proposed)
    for (const { page } of removed) yield* rows.removePage(key, page)
    const isLimited = all.length > pages.length
    const report = isLimited
      ? {
          ...progress,
          untranslatedCount: progress.untranslatedCount + 1,
          untranslated: [
            ...progress.untranslated,
            { text: "", reason: `The space has more than ${maximumPages} pages.` }
          ]
        }
      : progress
    return { progress: report, proposed, target }
  })
}

/** The pages of a list that are below no other one of it: a page is deleted with those below it. */
const topmost = (ids: ReadonlyArray<string>, pages: ReadonlyArray<ContentPage>): ReadonlyArray<string> => {
  const listed = new Set(ids)
  const parents = new Map(pagesInOrder(pages).map(({ id, parent }) => [id, parent]))
  return ids.filter((id) => {
    for (let above = parents.get(id); above !== undefined; above = parents.get(above))
      if (listed.has(above)) return false
    return true
  })
}
