/**
 * Computed pages, computed: in the place of each stands what its spec is shown by, by the spec's last version. What is
 * made from a version is made once. A revision never changes, so in one they are shown as they are stored.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import type { GrantedReader } from "../../access/grants/Grant.ts"
import { freeAmong } from "../../kernel/schema/Slug.ts"
import { type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import type { PageRecord, Placed } from "../../model/content/ContentRecord.ts"
import { type ComputedSource, PageId } from "../../model/content/Page.ts"
import {
  openApiSpecs,
  openApiVersions,
  type SpecRow,
  type SpecVersionId
} from "../../model/openapi-specs/OpenApiSpec.ts"
import { type SpecPage, specPagesOf } from "../openapi-specs/specPages.ts"
import type { Located } from "./ContentAccess.ts"

/** What is computed in a content. */
export interface Computed {
  /** Tells it from what other versions of the specs would give. */
  readonly seed: string
  /** The computed pages that others stand in the place of. */
  readonly replaced: ReadonlySet<PageId>
  readonly pages: ReadonlyArray<Placed & { readonly markdown: string }>
}

/** Content without computed pages, or one that is shown without computing them. */
export const nothingComputed: Computed = { seed: "", replaced: new Set(), pages: [] }

/** How many characters of a hash name a page: as many as other pages have. */
const idLength = 30

/** How many versions of specs are kept as pages, and of how many contents it is known what is computed in them. */
const cacheSizes = { versions: 20, roots: 1_000 }

/** Whether a page of a spec is one that a source asks for. */
const isAsked =
  ({ props }: ComputedSource) =>
  ({ doc, key }: SpecPage): boolean =>
    (props.doc === undefined || props.doc === doc) &&
    (props.page === undefined || props.page === key) &&
    !(props.models === false && doc === "models")

const makeComputedPages = Effect.gen(function* () {
  const made = new LRUCache<SpecVersionId, ReadonlyArray<SpecPage>>({ max: cacheSizes.versions })
  const sources = new LRUCache<string, ReadonlyArray<Placed>>({ max: cacheSizes.roots })

  /** The computed pages of a content, as they are stored. */
  const sourcesOf = Effect.fnUntraced(function* ({ revision, tree }: Pick<Located, "revision" | "tree">) {
    const known = sources.get(revision.root)
    if (known !== undefined) return known
    const found = (yield* tree.pages).filter(({ page }) => page.type === "computed")
    sources.set(revision.root, found)
    return found
  })

  const pagesOfVersion = Effect.fnUntraced(function* (
    records: GrantedReader,
    id: SpecVersionId
  ): Effect.fn.Return<ReadonlyArray<SpecPage>, StorageUnavailable> {
    const known = made.get(id)
    if (known !== undefined) return known
    const version = yield* records.get(openApiVersions, { id }, ["files"])
    const files = version === undefined ? {} : JSON.parse(new TextDecoder().decode(version.files))
    const pages = specPagesOf(Object.values(files)[0])
    made.set(id, pages)
    return pages
  })

  /** The pages that stand in the place of one, in order, right where it stands. */
  const placed = (
    { id, page }: Placed,
    source: ComputedSource,
    version: SpecVersionId,
    pages: ReadonlyArray<SpecPage>,
    taken: ReadonlySet<string>
  ): ReadonlyArray<Computed["pages"][number]> =>
    pages.filter(isAsked(source)).map((one, index) => {
      const record: PageRecord = {
        type: "document",
        title: one.title,
        slug: freeAmong(taken, one.slug),
        parent: page.parent,
        // Behind the place of the computed page, and before all that could come to stand behind it.
        position: `${page.position}!${String(index).padStart(6, "0")}`,
        createdAt: page.createdAt,
        updatedAt: page.updatedAt,
        ...(one.description === undefined ? {} : { description: one.description }),
        ...(page.hidden === true ? { hidden: true } : {}),
        computed: { ...source, props: { ...source.props, doc: one.doc, page: one.key } },
        computedSeed: version
      }
      const hash = bytesToHex(sha256(utf8ToBytes(`${id}\n${one.doc}\n${one.key}`)))
      return { id: PageId.make(hash.slice(0, idLength)), page: record, markdown: one.markdown }
    })

  return {
    /** What is computed in a content, by the specs of its organization as they are now. */
    in: Effect.fnUntraced(function* (
      located: Pick<Located, "space" | "revision" | "tree" | "grant">
    ): Effect.fn.Return<Computed, StorageUnavailable> {
      const stored = yield* sourcesOf(located)
      if (stored.length === 0) return nothingComputed
      const { records } = located.grant
      const named = stored.map(({ page }) => page.computed!.dependencies.spec.ref.spec)
      const specs = yield* records.find(openApiSpecs, {
        where: Where.and<SpecRow>(
          Where.eq("organization", located.space.organization),
          Where.isIn("id", [...new Set(named)])
        )
      })
      const versions = new Map(specs.map(({ id, lastVersion }) => [id, lastVersion]))
      const replaced = new Set<PageId>()
      const pages: Array<Computed["pages"][number]> = []
      const seeds: Array<string> = []
      for (const one of stored) {
        const source = one.page.computed!
        const version = versions.get(source.dependencies.spec.ref.spec) ?? null
        // A spec that is not there, or was never read, has nothing to show: the page stays what it is.
        if (version === null) continue
        const siblings = yield* located.tree.children(one.page.parent)
        const slugs = new Set(
          pages.filter(({ page }) => page.parent === one.page.parent).map(({ page }) => page.slug)
        )
        for (const { id } of siblings) {
          const sibling = yield* located.tree.page(id)
          if (sibling !== undefined && sibling.type !== "computed") slugs.add(sibling.slug)
        }
        pages.push(...placed(one, source, version, yield* pagesOfVersion(records, version), slugs))
        replaced.add(one.id)
        seeds.push(`${one.id} ${version}`)
      }
      return { seed: seeds.join("\n"), replaced, pages }
    })
  }
})

/** The methods of {@link ComputedPages}. */
export interface ComputedPagesService extends Effect.Success<typeof makeComputedPages> {}

/** See the module's comment. */
export class ComputedPages extends Context.Service<ComputedPages, ComputedPagesService>()(
  "@lectern/core/ComputedPages"
) {
  static readonly layer: Layer.Layer<ComputedPages, never> = Layer.effect(ComputedPages, makeComputedPages)
}
