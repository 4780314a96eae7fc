/**
 * Builds the link graphs of content: the targets that pages link to. A graph is derived from the content only, so that
 * it is cached by root hash. It is built from stored outlines, so that only changed Markdown is parsed.
 */

import {
  keyOfTarget,
  type LinkContext,
  pathsOfPages,
  pathsOfReusableContents,
  resolveTarget,
  type Target,
  type Tree
} from "@lectern/content"
import { type BlobHash, cacheShare, PublicUrl, type StorageUnavailable } from "@lectern/kernel"
import type { PageRecord } from "@lectern/kernel/tables"
import { anchorFinder, type FindAnchor } from "@lectern/markdown/outline"
import type { PageId } from "@lectern/model/content"
import { Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import { Outlines } from "../content/Outlines.ts"
import { makeInclusions } from "./inclusionsOfPages.ts"

/** A section of a page that contains a link. */
export interface Place {
  readonly page: PageId
  /** The anchor of the section. Empty before the first heading, and for links in fields of the page. */
  readonly anchor: string
}

/** A target, with the places that link to it in an unspecified order. */
export interface Usage {
  /** The key of the target. */
  readonly key: string
  readonly target: Target
  readonly places: ReadonlyArray<Place>
}

/** The links of content. */
export interface LinkGraph {
  /** The usages by the keys of their targets. */
  readonly usages: ReadonlyMap<string, Usage>
  /** The paths of pages, by id. */
  readonly pathOf: ReadonlyMap<string, string>
}

/** The maximum size of the cache: the number of places and pages of all graphs. */
const maximumCachedPlaces = 500_000

/** The references in fields of a page: its target and cover. */
const fieldReferencesOf = ({ target, cover }: PageRecord) =>
  [target, cover?.ref, cover?.refDark].filter((ref) => ref !== undefined)

const makeLinkGraphs = Effect.gen(function* () {
  const outlines = yield* Outlines
  const base = yield* PublicUrl
  const cache = new LRUCache<BlobHash, LinkGraph>({ maxSize: yield* cacheShare(maximumCachedPlaces) })

  const buildGraph = Effect.fnUntraced(function* (
    tree: Tree
  ): Effect.fn.Return<LinkGraph, StorageUnavailable> {
    const pages = yield* tree.pages
    const files = yield* tree.files()
    const reusable = yield* tree.reusableContents
    const bodyOf = ({ type, body }: PageRecord) => (type === "document" ? body : undefined)
    const bodies = [...pages.map(({ page }) => bodyOf(page)), ...reusable.map(([, { body }]) => body)]
    const outlinesByHash = yield* outlines.getMany(bodies.filter((body) => body !== undefined))
    const inclusions = makeInclusions(reusable, outlinesByHash)
    const byId = new Map<string, PageRecord>(pages.map(({ id, page }) => [id, page]))
    const { pageByPath, pathOf: pagePaths } = pathsOfPages(pages)
    const paths = new Map([...pathsOfReusableContents(reusable), ...pagePaths])
    const anchors = new Map<string, FindAnchor>()
    const context: LinkContext = {
      base,
      pageByPath,
      pathOf: paths,
      anchorsOf: (id) => {
        const page = byId.get(id)
        if (page === undefined) return undefined
        const cachedAnchors = anchors.get(id)
        if (cachedAnchors !== undefined) return cachedAnchors
        const body = bodyOf(page)
        const own = body === undefined ? undefined : outlinesByHash.get(body)
        const included = inclusions.within(own).flatMap(({ outline }) => outline.anchors)
        const pageAnchors = anchorFinder([...(own?.anchors ?? []), ...included])
        anchors.set(id, pageAnchors)
        return pageAnchors
      },
      files: new Set(files.map(([id]) => id)),
      // The newest file with a name has precedence.
      fileByName: new Map(files.toReversed().map(([id, { name }]) => [name, id])),
      reusableContentOf: inclusions.resolve
    }
    const usages = new Map<string, { key: string; target: Target; places: Array<Place> }>()
    const addPlace = (page: PageId, anchor: string, target: Target) => {
      const key = keyOfTarget(target)
      const usage = usages.get(key)
      if (usage === undefined) {
        usages.set(key, { key, target, places: [{ page, anchor }] })
        return
      }
      // The places of one page are consecutive, so that only they need to be compared.
      for (let at = usage.places.length - 1; usage.places[at]?.page === page; at--) {
        if (usage.places[at]!.anchor === anchor) return
      }
      usage.places.push({ page, anchor })
    }
    for (const { id, page } of pages) {
      for (const ref of fieldReferencesOf(page)) addPlace(id, "", resolveTarget(context, id, ref))
      const body = bodyOf(page)
      if (body === undefined) continue
      const outline = outlinesByHash.get(body)!
      for (const { ref, anchor } of outline.references) addPlace(id, anchor, resolveTarget(context, id, ref))
      for (const { content, anchor, outline: included } of inclusions.within(outline)) {
        for (const { ref } of included.references) {
          // An anchor without a page is one of the page that readers see it in, which can be any.
          if (ref.kind === "anchor" && ref.page === undefined) continue
          addPlace(id, anchor, resolveTarget(context, content, ref))
        }
      }
    }
    return { usages, pathOf: paths }
  })

  return {
    /** Returns the link graph of the content with a root hash, from the cache if possible. */
    get: Effect.fnUntraced(function* (
      root: BlobHash,
      tree: Tree
    ): Effect.fn.Return<LinkGraph, StorageUnavailable> {
      const cached = cache.get(root)
      if (cached !== undefined) return cached
      const graph = yield* buildGraph(tree)
      cache.set(root, graph, {
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

/** Builds and caches link graphs. */
export class LinkGraphs extends Context.Service<LinkGraphs, LinkGraphsService>()("@lectern/core/LinkGraphs") {
  static readonly layer: Layer.Layer<LinkGraphs, never, Outlines> = Layer.effect(LinkGraphs, makeLinkGraphs)
}
