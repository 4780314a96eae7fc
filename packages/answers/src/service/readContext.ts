/** Finds and reads the pages of a question with the operations of the caller, so that a model sees only pages that the caller can read. */
import {
  Content,
  type CurrentUser,
  type LecternError,
  type OrganizationId,
  type PageId,
  PublishedSearch,
  Search,
  type SearchSpaceResult,
  type SiteId,
  type SiteSearchScope,
  type SpaceId,
  Spaces
} from "@lectern/core"
import { Effect } from "effect"
import type { ReadablePage } from "../context/Passage.ts"

/** The content that a question is about. */
export type QuestionContent =
  | { readonly kind: "organization"; readonly organization: OrganizationId }
  | { readonly kind: "space"; readonly space: SpaceId }
  | {
      readonly kind: "site"
      readonly organization: OrganizationId
      readonly site: SiteId
      readonly scope?: SiteSearchScope
    }

/** The maximum number of pages that are read for a question. */
const maximumPages = 8

/** The maximum number of titles that questions are recommended from. */
const maximumTitles = 60

/** A page that was found. */
interface FoundPage {
  readonly space: SpaceId
  readonly page: PageId
}

/** The pages of several spaces: the best of each space, then the second of each, and so on. */
const interleaved = (
  spaces: ReadonlyArray<Pick<SearchSpaceResult, "id" | "pages">>
): ReadonlyArray<FoundPage> => {
  const longest = Math.max(0, ...spaces.map(({ pages }) => pages.length))
  return Array.from({ length: longest }, (_, rank) =>
    spaces.flatMap(({ id, pages }) => {
      const page = pages[rank]
      return page === undefined ? [] : [{ space: id, page: page.id }]
    })
  )
    .flat()
    .slice(0, maximumPages)
}

/** Content that has ended or that the caller cannot read is skipped. An unavailable database is not. */
const readable = <A, R>(
  effect: Effect.Effect<A, LecternError, R>
): Effect.Effect<A | undefined, LecternError, R> =>
  Effect.catch(effect, (error) =>
    error._tag === "StorageUnavailable" ? Effect.fail(error) : Effect.succeed(undefined)
  )

/** The titles of pages that are listed, in reading order. */
const titlesOf = (pages: ReadonlyArray<object>): ReadonlyArray<string> =>
  pages.flatMap((page) => {
    const {
      title,
      hidden,
      pages: below
    } = page as {
      readonly title?: string
      readonly hidden?: boolean
      readonly pages?: ReadonlyArray<object>
    }
    if (hidden === true) return []
    return [...(title === undefined ? [] : [title]), ...titlesOf(below ?? [])]
  })

/** Creates the functions that read the context of questions on behalf of the `CurrentUser`. */
export const makeReadContext = Effect.gen(function* () {
  const search = yield* Search
  const publishedSearch = yield* PublishedSearch
  const content = yield* Content
  const spaces = yield* Spaces

  const find = (
    asked: QuestionContent,
    query: string
  ): Effect.Effect<ReadonlyArray<FoundPage>, LecternError, CurrentUser> => {
    const input = { query, limit: 10 }
    switch (asked.kind) {
      case "organization":
        return Effect.map(
          search.searchOrganization({ organization: asked.organization, input }),
          ({ items }) => interleaved(items)
        )
      case "space":
        return Effect.map(search.searchSpace({ space: asked.space, input }), ({ items }) =>
          interleaved([{ id: asked.space, pages: [...items] }])
        )
      case "site":
        return Effect.map(
          publishedSearch.searchSite({
            organization: asked.organization,
            site: asked.site,
            input: asked.scope === undefined ? input : { ...input, scope: asked.scope }
          }),
          ({ items }) => interleaved(items)
        )
    }
  }

  const readPage = Effect.fnUntraced(function* ({ space, page }: FoundPage, revision: string) {
    const found = yield* content.getPage({ content: { space }, page, input: { format: "markdown" } })
    if (!("markdown" in found) || found.markdown === undefined) return undefined
    // Such a page is not part of any list for machines. Visitors open it by its link.
    if ("hidden" in found && found.hidden === true && "noIndex" in found && found.noIndex === true) {
      return undefined
    }
    const { title, path, markdown } = found
    return { space, revision, page, title, path, markdown } satisfies ReadablePage
  })

  return {
    /** Returns the organization of the content. Fails if the caller cannot read the content. */
    organizationOf: (asked: QuestionContent): Effect.Effect<OrganizationId, LecternError, CurrentUser> =>
      asked.kind === "space"
        ? Effect.map(spaces.get({ space: asked.space }), ({ organization }) => organization)
        : Effect.succeed(asked.organization),

    /** Finds the pages that answer a question, and reads them. Fails if the caller cannot read the content as a whole. */
    pages: Effect.fnUntraced(function* (asked: QuestionContent, question: string) {
      const found = yield* find(asked, question)
      const revisions = new Map<SpaceId, string>()
      const pages: Array<ReadablePage> = []
      for (const page of found) {
        if (!revisions.has(page.space)) {
          const current = yield* readable(
            content.getRevision.decoded({ content: { space: page.space }, input: {} })
          )
          if (current === undefined) continue
          revisions.set(page.space, current.id)
        }
        const read = yield* readable(readPage(page, revisions.get(page.space)!))
        if (read !== undefined) pages.push(read)
      }
      return pages
    }),

    /** Returns the titles of the pages that the caller can list, of the given spaces. */
    titles: Effect.fnUntraced(function* (ids: ReadonlyArray<SpaceId>) {
      const titles: Array<string> = []
      for (const space of ids) {
        if (titles.length >= maximumTitles) break
        const tree = yield* readable(content.listPages({ content: { space } }))
        titles.push(...titlesOf(tree?.pages ?? []))
      }
      return titles.slice(0, maximumTitles)
    })
  }
})

/** Reads the context of questions. */
export type ReadContext = Effect.Success<typeof makeReadContext>
