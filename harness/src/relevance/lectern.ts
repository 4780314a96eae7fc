/** Fills a workspace with corpora, a space for each, and searches them. */
import {
  Administration,
  Content,
  CurrentUser,
  type RecordsAdapter,
  Search,
  type SpaceId,
  Spaces,
  UserId,
  Workspace
} from "@lectern/core"
import { Effect, Layer, ManagedRuntime } from "effect"
import type { Corpus } from "./corpora.ts"

/** Searches a corpus by its name, and returns the ids of its pages, best first. */
export type SearchCorpus = (corpus: string, query: string) => Promise<ReadonlyArray<string>>

/** The number of pages per edit, and of results per search. */
const [pagesPerEdit, resultLimit] = [50, 10]

const createSpace = Effect.fnUntraced(function* (organization: string, corpus: Corpus) {
  const { id } = yield* (yield* Spaces).create({ organization, input: { title: corpus.name } })
  const content = yield* Content
  const fileByPage = new Map<string, string>()
  for (let at = 0; at < corpus.pages.length; at += pagesPerEdit) {
    const pages = corpus.pages.slice(at, at + pagesPerEdit)
    const { changes } = yield* content.edit({
      content: { space: id },
      input: {
        changes: pages.map(({ title, description, markdown }) => ({
          operation: "insert_page" as const,
          title,
          ...(description === "" ? {} : { description }),
          document: { markdown }
        }))
      }
    })
    changes.forEach((change, index) => {
      if ("page" in change && typeof change.page !== "string")
        fileByPage.set(change.page.id, pages[index]!.id)
    })
  }
  return { id, fileByPage }
})

/** Writes corpora to a store, and runs `use` with a function that searches them. */
export const searchCorpora = async <A>(
  storage: Layer.Layer<RecordsAdapter, unknown>,
  corpora: ReadonlyArray<Corpus>,
  use: (search: SearchCorpus) => Promise<A>
): Promise<A> => {
  const runtime = ManagedRuntime.make(Workspace.layer.pipe(Layer.provide(storage)))
  try {
    const { user, spaces } = await runtime.runPromise(
      Effect.gen(function* () {
        const administration = yield* Administration
        const user = UserId.make(
          yield* administration.createUser({ input: { email: "relevance@example.com" } })
        )
        const organization = yield* administration.createOrganization({
          administrator: user,
          input: { title: "Relevance" }
        })
        const spaces = new Map<
          string,
          { readonly id: SpaceId; readonly fileByPage: ReadonlyMap<string, string> }
        >()
        for (const corpus of corpora) {
          spaces.set(corpus.name, yield* createSpace(organization, corpus).pipe(CurrentUser.provide(user)))
        }
        return { user, spaces }
      })
    )
    return await use((corpus, query) => {
      const { id, fileByPage } = spaces.get(corpus)!
      return runtime.runPromise(
        Effect.gen(function* () {
          const search = yield* Search
          const { items } = yield* search.searchSpace({ space: id, input: { query, limit: resultLimit } })
          return items.map((item) => fileByPage.get(item.id)!)
        }).pipe(CurrentUser.provide(user))
      )
    })
  } finally {
    await runtime.dispose()
  }
}
