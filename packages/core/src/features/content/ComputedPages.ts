/**
 * Expands computed pages. A stored computed page is a placeholder that names a source, such as an OpenAPI spec. When
 * content is read, pages that are generated from the latest version of the spec replace it, in revisions too. Generated pages
 * are cached by version.
 */

import type { GrantedReader } from "@lectern/access"
import type { Tree } from "@lectern/content"
import { type SpecPage, SpecParser, specPagesOfFiles, unlessTransient } from "@lectern/formats"
import type { BlobHash, StorageUnavailable } from "@lectern/kernel"
import { sha256Hex } from "@lectern/kernel/sha256"
import { openApiVersions, type PageRecord, type Placed } from "@lectern/kernel/tables"
import { freeAmong } from "@lectern/markdown/text"
import { type ComputedSource, PageId } from "@lectern/model/content"
import type { SpecVersionId } from "@lectern/model/openapi-specs"
import { Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import type { ResolvedContent } from "./ContentAccess.ts"
import { findSpecs } from "./findSpecs.ts"

/** The pages that replace the placeholders of content. */
export interface Computed {
  /** Identifies the versions of the specs that the pages were generated from, for cache keys. */
  readonly version: string
  /** The stored computed pages that `pages` replace. */
  readonly placeholders: ReadonlySet<PageId>
  /** The generated pages. */
  readonly pages: ReadonlyArray<Placed & { readonly markdown: string; readonly placeholder: PageId }>
}

/** The result for content without computed pages, and for callers that exclude them. */
export const nothingComputed: Computed = { version: "", placeholders: new Set(), pages: [] }

/** The number of characters of the id of a generated page, taken from a hash. */
const idLength = 30

/**
 * The number of entries of each cache: spec versions with their pages, contents with their placeholders, and contents with the
 * pages that replace these. The pages of cached versions have at most `characters` in all.
 */
const cacheSizes = {
  versions: 20,
  characters: 64_000_000,
  roots: 1_000,
  expansions: 100,
  expandedPages: 100_000
}

/** The size of documents from which pages are generated in a thread, in bytes. */
const threadBytes = 256 * 1024

/** Whether a source selects a page of its spec. */
const matchesSource =
  ({ props }: ComputedSource) =>
  ({ doc, key }: SpecPage): boolean =>
    (props.doc === undefined || props.doc === doc) &&
    (props.page === undefined || props.page === key) &&
    !(props.models === false && doc === "models")

/** Content whose computed pages are generated. */
interface Source extends Pick<ResolvedContent, "space" | "revision" | "tree"> {
  /** All pages, if the tree has only the pages that a visitor sees. */
  readonly wholeTree?: Tree
  readonly grant: { readonly records: GrantedReader }
}

/** The pages that replace a placeholder, in order, positioned between its siblings. */
const expandPlaceholder = (
  { id, page }: Placed,
  source: ComputedSource,
  version: SpecVersionId,
  pages: ReadonlyArray<SpecPage>,
  taken: ReadonlySet<string>
): ReadonlyArray<Computed["pages"][number]> =>
  pages.filter(matchesSource(source)).map((specPage, index) => {
    const record: PageRecord = {
      type: "document",
      title: specPage.title,
      slug: freeAmong(taken, specPage.slug),
      parent: page.parent,
      // `!` sorts before all characters of positions: after the placeholder, and before any later sibling.
      position: `${page.position}!${String(index).padStart(6, "0")}`,
      createdAt: page.createdAt,
      updatedAt: page.updatedAt,
      ...(specPage.description === undefined ? {} : { description: specPage.description }),
      ...(page.hidden === true ? { hidden: true } : {}),
      ...(page.condition === undefined ? {} : { condition: page.condition }),
      computed: { ...source, props: { ...source.props, doc: specPage.doc, page: specPage.key } },
      computedSeed: version
    }
    const hash = sha256Hex(`${id}\n${specPage.doc}\n${specPage.key}`)
    return {
      id: PageId.make(hash.slice(0, idLength)),
      page: record,
      markdown: specPage.markdown,
      placeholder: id
    }
  })

const makeCaches = () => ({
  pagesByVersion: new LRUCache<SpecVersionId, ReadonlyArray<SpecPage>>({
    max: cacheSizes.versions,
    maxSize: cacheSizes.characters,
    sizeCalculation: (pages) => 1 + pages.reduce((size, { markdown }) => size + markdown.length, 0)
  }),
  placeholdersByRoot: new LRUCache<string, ReadonlyArray<Placed>>({ max: cacheSizes.roots }),
  expansions: new LRUCache<string, Computed>({
    max: cacheSizes.expansions,
    maxSize: cacheSizes.expandedPages,
    sizeCalculation: ({ pages }) => 1 + pages.length
  })
})

const makeComputedPages = Effect.gen(function* () {
  const { generatePages } = yield* SpecParser

  const { pagesByVersion, placeholdersByRoot, expansions } = makeCaches()

  /** The stored computed pages of content. */
  const placeholdersOf = Effect.fnUntraced(function* (root: BlobHash, tree: Tree) {
    const cached = placeholdersByRoot.get(root)
    if (cached !== undefined) return cached
    const found = (yield* tree.pages).filter(({ page }) => page.type === "computed")
    placeholdersByRoot.set(root, found)
    return found
  })

  /** The stored computed pages that the reader of content sees. */
  const visiblePlaceholders = Effect.fnUntraced(function* ({ revision, tree, wholeTree = tree }: Source) {
    const all = yield* placeholdersOf(revision.root, wholeTree)
    return tree === wholeTree
      ? all
      : yield* Effect.filter(all, ({ id }) => Effect.map(tree.page(id), (page) => page !== undefined))
  })

  /** Generates the pages of a version of a spec. */
  const pagesOfVersion = Effect.fnUntraced(function* (
    records: GrantedReader,
    id: SpecVersionId
  ): Effect.fn.Return<ReadonlyArray<SpecPage>, StorageUnavailable> {
    const cached = pagesByVersion.get(id)
    if (cached !== undefined) return cached
    const version = yield* records.get(openApiVersions, { id }, ["files"])
    if (version === undefined) return []
    const { files } = version
    if (generatePages === undefined || files.length < threadBytes) {
      const pages = specPagesOfFiles(files)
      pagesByVersion.set(id, pages)
      return pages
    }
    return yield* generatePages(files).pipe(
      Effect.tap((pages) => Effect.sync(() => pagesByVersion.set(id, pages))),
      Effect.catchTag("ParseFailed", (error) =>
        unlessTransient(error, ({ message }) =>
          Effect.as(Effect.logWarning("pages of an OpenAPI spec", { version: id, message }), [])
        )
      )
    )
  })

  return {
    /** Generates the computed pages of content from the current specs of its organization. */
    in: Effect.fnUntraced(function* (resolved: Source): Effect.fn.Return<Computed, StorageUnavailable> {
      const stored = yield* visiblePlaceholders(resolved)
      if (stored.length === 0) return nothingComputed
      const { records } = resolved.grant
      const { wholeTree = resolved.tree } = resolved
      const specIds = stored.map(({ page }) => page.computed!.dependencies.spec.ref.spec)
      const specs = yield* findSpecs(records, resolved.space.organization, specIds)
      const versionOf = ({ page }: Placed) =>
        specs.get(page.computed!.dependencies.spec.ref.spec)?.lastVersion ?? null
      // Every request of a page, of its spec or of its site needs all pages, which a spec can have thousands of.
      const key = [resolved.revision.root, ...stored.map((one) => `${one.id} ${versionOf(one)}`)].join("\n")
      const known = expansions.get(key)
      if (known !== undefined) return known
      const placeholders = new Set<PageId>()
      const pages: Array<Computed["pages"][number]> = []
      const usedVersions: Array<string> = []
      let isComplete = true
      for (const placeholder of stored) {
        const source = placeholder.page.computed!
        const version = versionOf(placeholder)
        // The placeholder stays if its spec was deleted or has no version yet.
        if (version === null) continue
        // Slugs do not depend on who reads the content.
        const siblings = yield* wholeTree.children(placeholder.page.parent)
        const slugs = new Set(
          pages.filter(({ page }) => page.parent === placeholder.page.parent).map(({ page }) => page.slug)
        )
        for (const { id } of siblings) {
          const sibling = yield* wholeTree.page(id)
          if (sibling !== undefined && sibling.type !== "computed") slugs.add(sibling.slug)
        }
        const generated = yield* pagesOfVersion(records, version)
        isComplete &&= pagesByVersion.has(version)
        for (const page of expandPlaceholder(placeholder, source, version, generated, slugs)) pages.push(page)
        placeholders.add(placeholder.id)
        usedVersions.push(`${placeholder.id} ${version}`)
      }
      const computed: Computed = { version: usedVersions.join("\n"), placeholders, pages }
      if (isComplete) expansions.set(key, computed)
      return computed
    })
  }
})

/** The methods of {@link ComputedPages}. */
export interface ComputedPagesService extends Effect.Success<typeof makeComputedPages> {}

/** Expands the computed pages of content. */
export class ComputedPages extends Context.Service<ComputedPages, ComputedPagesService>()(
  "@lectern/core/ComputedPages"
) {
  static readonly layer: Layer.Layer<ComputedPages, never> = Layer.effect(ComputedPages, makeComputedPages)
}
