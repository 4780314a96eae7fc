/** Records the places that pages leave, and finds pages by their former paths. */

import { SystemGrant } from "@lectern/access"
import type { Tree } from "@lectern/content"
import {
  type BlobHash,
  type Records,
  type StorageUnavailable,
  type Subscription,
  subscribeToEvent,
  Where
} from "@lectern/kernel"
import { type PageMoveRow, type PageRecord, type Placed, pageMoves, recordOf } from "@lectern/kernel/tables"
import type { PageId } from "@lectern/model/content"
import type { SpaceId } from "@lectern/model/spaces"
import { Context, Effect, Layer } from "effect"
import type { Computed } from "./ComputedPages.ts"
import { RevisionCommitted, type RevisionCommittedPayload } from "./ContentEvents.ts"
import { ContentStore } from "./ContentStore.ts"

/** The maximum number of rows that one statement writes. */
const batchSize = 100

/** The maximum number of places that the resolution of one path visits. */
const maximumVisitedPlaces = 500

/** A place that a page has left. */
type Left = Omit<PageMoveRow, "organization" | "space">

const makePageMoves = Effect.gen(function* () {
  const store = yield* ContentStore
  const { records } = yield* SystemGrant.make("Records and reads the former paths of pages.")

  /** Finds the places that pages left between two revisions. */
  const placesLeft = Effect.fnUntraced(function* (
    before: BlobHash,
    after: BlobHash
  ): Effect.fn.Return<ReadonlyArray<Left>, StorageUnavailable> {
    const left: Array<Left> = []
    for (const change of yield* store.maps.diff(before, after)) {
      const record = recordOf(change.key)
      if (record?.kind !== "page" || change.before === undefined || change.after === undefined) continue
      const [old, page] = [change.before as unknown as PageRecord, change.after as unknown as PageRecord]
      if (old.slug === "" || (old.parent === page.parent && old.slug === page.slug)) continue
      left.push({ parent: old.parent, slug: old.slug, page: record.id as PageId })
    }
    return left
  })

  const whereIsOneOf = (space: SpaceId, places: ReadonlyArray<Left>) =>
    Where.and<PageMoveRow>(
      Where.eq("space", space),
      Where.or<PageMoveRow>(
        ...places.map(({ parent, slug }) =>
          Where.and<PageMoveRow>(Where.eq("parent", parent), Where.eq("slug", slug))
        )
      )
    )

  const record = Effect.fnUntraced(function* ({
    space,
    organization,
    before,
    after
  }: RevisionCommittedPayload): Effect.fn.Return<void, StorageUnavailable> {
    const left = yield* placesLeft(before, after)
    for (let at = 0; at < left.length; at += batchSize) {
      const some = left.slice(at, at + batchSize)
      yield* records.removeUncounted(pageMoves, whereIsOneOf(space, some))
      yield* records.insertMany(
        pageMoves,
        some.map((place) => ({ organization, space, ...place }))
      )
    }
  })

  return {
    /** Records the pages that moved or were renamed when the primary content of a space changes. */
    subscriptions: [subscribeToEvent(RevisionCommitted, record)] as ReadonlyArray<Subscription>,

    /**
     * Finds the page at a path of slugs, of which each can be a current or a former one. Current places win over former
     * ones. Returns undefined for an unknown path.
     */
    find: Effect.fnUntraced(function* (
      space: SpaceId,
      tree: Tree,
      computed: Computed,
      slugs: ReadonlyArray<string>
    ): Effect.fn.Return<Placed | undefined, StorageUnavailable> {
      let visited = 0
      const findFrom = Effect.fnUntraced(function* (
        parent: PageId | "",
        depth: number
      ): Effect.fn.Return<Placed | undefined, StorageUnavailable> {
        const slug = slugs[depth]!
        if (visited++ >= maximumVisitedPlaces) return undefined
        const isLast = depth === slugs.length - 1
        const current = yield* tree.bySlug(parent, slug)
        const former = yield* records.get(pageMoves, { space, parent, slug })
        for (const id of new Set([current, former?.page])) {
          const page = id === undefined ? undefined : yield* tree.page(id)
          if (id === undefined || page === undefined) continue
          const found: Placed | undefined = isLast ? { id, page } : yield* findFrom(id, depth + 1)
          if (found !== undefined) return found
        }
        return isLast
          ? computed.pages.find(({ page }) => page.parent === parent && page.slug === slug)
          : undefined
      })
      return slugs.length === 0 ? undefined : yield* findFrom("", 0)
    })
  }
})

/** The methods of {@link PageMoves}. */
export interface PageMovesService extends Effect.Success<typeof makePageMoves> {}

/** Records the places that pages leave, and finds pages by their former paths. */
export class PageMoves extends Context.Service<PageMoves, PageMovesService>()("@lectern/core/PageMoves") {
  static readonly layer: Layer.Layer<PageMoves, never, Records | ContentStore> = Layer.effect(
    PageMoves,
    makePageMoves
  )
}
