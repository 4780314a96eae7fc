/**
 * Who links to what in a content. It follows from the content alone, so it is kept in memory by its root; and it is made
 * from the outlines of texts, which are kept by their hashes: no text is taken apart again that did not change.
 */
import { Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import type { BlobHash, StorageUnavailable } from "../../kernel/storage/index.ts"
import type { PageRecord } from "../../model/content/ContentRecord.ts"
import type { PageId } from "../../model/content/Page.ts"
import { pathOf } from "../../views/content/PageView.ts"
import { Outlines } from "../content/outline/Outlines.ts"
import type { Tree } from "../content/Tree.ts"
import { keyOf, type Surroundings, type Target, targetOf } from "./LinkTarget.ts"

/** A page that links, and the section of it. */
export interface Place {
  readonly page: PageId
  readonly anchor: string
}

/** What is linked to, and from where, in no order that means anything. */
export interface Usage {
  readonly key: string
  readonly target: Target
  readonly places: ReadonlyArray<Place>
}

/** All usages of a content, by the keys of their targets, and the paths of its pages. */
export interface LinkGraph {
  readonly usages: ReadonlyMap<string, Usage>
  readonly pathOf: ReadonlyMap<string, string>
}

/** How many places are kept in memory, of all contents together. */
const placesKept = 500_000

/** The refs that a page has beside its body. */
const refsOf = ({ target, cover }: PageRecord) =>
  [target, cover?.ref, cover?.refDark].filter((ref) => ref !== undefined)

const makeLinkGraphs = Effect.gen(function* () {
  const outlines = yield* Outlines
  const base = yield* PublicUrl
  const known = new LRUCache<BlobHash, LinkGraph>({ maxSize: placesKept })

  const build = Effect.fnUntraced(function* (tree: Tree): Effect.fn.Return<LinkGraph, StorageUnavailable> {
    const pages = yield* tree.pages
    const files = yield* tree.files()
    const reusable = yield* tree.reusableContents
    const bodyOf = ({ type, body }: PageRecord) => (type === "document" ? body : undefined)
    const texts = yield* outlines.getMany(
      pages.flatMap(({ page }) => {
        const body = bodyOf(page)
        return body === undefined ? [] : [body]
      })
    )
    const byId = new Map<string, PageRecord>(pages.map(({ id, page }) => [id, page]))
    const paths = new Map<string, string>()
    const pathTo = (id: string, depth = 0): string => {
      const path = paths.get(id)
      const page = byId.get(id)
      if (path !== undefined || page === undefined || depth > byId.size) return path ?? ""
      const made = pathOf(page.parent === "" ? "" : pathTo(page.parent, depth + 1), page)
      paths.set(id, made)
      return made
    }
    const anchors = new Map<string, ReadonlySet<string>>()
    const surroundings: Surroundings = {
      base,
      pageByPath: new Map(pages.map(({ id }) => [pathTo(id), id])),
      pathOf: paths,
      anchorsOf: (id) => {
        const page = byId.get(id)
        if (page === undefined) return undefined
        const made = anchors.get(id)
        if (made !== undefined) return made
        const body = bodyOf(page)
        const all = new Set(body === undefined ? [] : texts.get(body)!.anchors)
        anchors.set(id, all)
        return all
      },
      files: new Set(files.map(([id]) => id)),
      // The one that came last has the name, as with files that are written over.
      fileByName: new Map(files.toReversed().map(([id, { name }]) => [name, id])),
      reusableContents: new Set(reusable.map(([id]) => id))
    }
    const usages = new Map<string, { key: string; target: Target; places: Array<Place> }>()
    const note = (page: PageId, anchor: string, target: Target) => {
      const key = keyOf(target)
      const usage = usages.get(key)
      if (usage === undefined) {
        usages.set(key, { key, target, places: [{ page, anchor }] })
        return
      }
      // Those of one page come one behind the other.
      for (let at = usage.places.length - 1; usage.places[at]?.page === page; at--) {
        if (usage.places[at]!.anchor === anchor) return
      }
      usage.places.push({ page, anchor })
    }
    for (const { id, page } of pages) {
      for (const ref of refsOf(page)) note(id, "", targetOf(surroundings, id, ref))
      const body = bodyOf(page)
      if (body === undefined) continue
      for (const { ref, anchor } of texts.get(body)!.references) {
        note(id, anchor, targetOf(surroundings, id, ref))
      }
    }
    return { usages, pathOf: paths }
  })

  return {
    /** The links of the content of a root. */
    of: Effect.fnUntraced(function* (
      root: BlobHash,
      tree: Tree
    ): Effect.fn.Return<LinkGraph, StorageUnavailable> {
      const there = known.get(root)
      if (there !== undefined) return there
      const graph = yield* build(tree)
      known.set(root, graph, {
        size: [...graph.usages.values()].reduce(
          (size, { places }) => size + places.length,
          1 + graph.pathOf.size
        )
      })
      return graph
    })
  }
})

/** The methods of {@link LinkGraphs}. */
export interface LinkGraphsService extends Effect.Success<typeof makeLinkGraphs> {}

/** See the module's comment. */
export class LinkGraphs extends Context.Service<LinkGraphs, LinkGraphsService>()("@lectern/core/LinkGraphs") {
  static readonly layer: Layer.Layer<LinkGraphs, never, Outlines> = Layer.effect(LinkGraphs, makeLinkGraphs)
}
