/**
 * The content that visitors of a site can see: Markdown with its conditions evaluated for their claims, and the files,
 * reusable contents and OpenAPI specs that the Markdown of pages refers to.
 */

import { reusableContentAt } from "@lectern/content"
import type { BlobHash, StorageUnavailable } from "@lectern/kernel"
import type { PageRecord, ReusableContentRecord } from "@lectern/kernel/tables"
import { markdownForVisitor } from "@lectern/markdown/conditions"
import { includedContent } from "@lectern/markdown/document"
import type { DocumentOptions, FileId, ReusableContentId } from "@lectern/model/content"
import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import type { ResolvedContent } from "./ContentAccess.ts"
import type { ContentStore } from "./ContentStore.ts"

/** The files, the reusable contents and the OpenAPI specs that a visitor can see. */
export interface VisibleParts {
  readonly files: ReadonlySet<FileId>
  readonly reusableContents: ReadonlySet<ReusableContentId>
  /** The references to OpenAPI specs of blocks and of computed pages: ids or slugs. */
  readonly specs: ReadonlySet<string>
}

/** The references in the Markdown of a page or a reusable content. */
interface BodyReferences {
  readonly files: ReadonlyArray<FileId>
  /** The reusable contents that it includes, by id or by path. */
  readonly inclusions: ReadonlyArray<string>
  /** The OpenAPI specs of its blocks, by id or slug. */
  readonly specs: ReadonlyArray<string>
}

/** The number of cached bodies and of cached contents. A body has a few short references. */
const cacheSizes = { bodies: 50_000, contents: 100 }

/** The number of bodies that one query reads. */
const batchSize = 100

const filePattern = /\/files\/([A-Za-z0-9._~-]{1,64})/g
const inclusionPattern = /\{%-?[ \t]*include[ \t]+"([^"\n]{1,1000})"/g

/** Whether Markdown can have conditional content. */
const hasConditions = (markdown: string): boolean => /\{%-?\s*if\b/.test(markdown)

/** Matches the reference to a spec in the tags of blocks of OpenAPI. */
const specPattern = /\{%-?\s*openapi-(?:operation|webhook|schemas)\b[^%]{0,2000}?\bspec="([^"\n]{1,100})"/g

/** Matches the document of a block that names one by a file or a URL. */
const specSourcePattern = /\{%-?\s*(?:openapi|swagger)\s[^%]{0,4000}?\bsrc="([^"\n]{1,2000})"/g

/** Returns the OpenAPI specs that Markdown refers to, by id or slug. */
export const specsIn = (markdown: string): ReadonlyArray<string> =>
  Array.from(markdown.matchAll(specPattern), ([, spec]) => spec!)

/** Returns the OpenAPI documents that Markdown refers to by a file (`/files/<id>`) or a URL. */
export const specSourcesIn = (markdown: string): ReadonlyArray<string> =>
  Array.from(markdown.matchAll(specSourcePattern), ([, source]) => source!)

const referencesOf = (markdown: string): BodyReferences => ({
  files: Array.from(markdown.matchAll(filePattern), ([, id]) => id as FileId),
  inclusions: Array.from(
    markdown.matchAll(inclusionPattern),
    ([, path]) => includedContent(path!) ?? ""
  ).filter((reference) => reference !== ""),
  specs: specsIn(markdown)
})

/** The files that the record of a page refers to, outside of its body. */
const coverFiles = ({ cover }: PageRecord): ReadonlyArray<FileId> =>
  [cover?.ref, cover?.refDark].flatMap((ref) => (ref?.kind === "file" ? [ref.file as FileId] : []))

/** Returns the Markdown that the reader of content can see: for a visitor, with its conditions evaluated. */
export const visibleMarkdown = (
  { visitor }: Pick<ResolvedContent, "visitor">,
  markdown: string,
  { evaluated }: DocumentOptions = {}
): string => {
  const claims = visitor === undefined && evaluated === true ? {} : visitor?.claims
  return claims === undefined ? markdown : markdownForVisitor(markdown, claims)
}

/** Creates the function that finds the parts of content that its reader can see. */
export const makeVisibleParts = (store: ContentStore["Service"]) => {
  // Bodies without conditions have the same references for every visitor.
  const bodies = new LRUCache<string, BodyReferences>({
    // Unlike `max`, it allocates no memory for entries that do not exist.
    maxSize: cacheSizes.bodies,
    sizeCalculation: () => 1
  })
  const contents = new LRUCache<string, VisibleParts>({ max: cacheSizes.contents })

  /** Finds the references in the visible part of bodies. */
  const referencesIn = Effect.fnUntraced(function* (
    resolved: ResolvedContent,
    hashes: ReadonlyArray<BlobHash>
  ): Effect.fn.Return<ReadonlyArray<BodyReferences>, StorageUnavailable> {
    const visitor = resolved.visitor?.contextId
    const cachedAt = (hash: BlobHash) => bodies.get(hash) ?? bodies.get(`${hash} ${visitor}`)
    const missing = [...new Set(hashes)].filter((hash) => cachedAt(hash) === undefined)
    const found = new Map<BlobHash, BodyReferences>()
    for (let at = 0; at < missing.length; at += batchSize) {
      const some = missing.slice(at, at + batchSize)
      for (const [index, text] of (yield* store.texts.getMany(some)).entries()) {
        const references = referencesOf(visibleMarkdown(resolved, text))
        found.set(some[index]!, references)
        bodies.set(hasConditions(text) ? `${some[index]} ${visitor}` : some[index]!, references)
      }
      yield* Effect.yieldNow
    }
    return hashes.flatMap((hash) => found.get(hash) ?? cachedAt(hash) ?? [])
  })

  const find = Effect.fnUntraced(function* (
    resolved: ResolvedContent
  ): Effect.fn.Return<VisibleParts, StorageUnavailable> {
    const pages = yield* resolved.tree.pages
    const all = yield* resolved.tree.reusableContents
    const byId = new Map<string, ReusableContentRecord>(all)
    const files = new Set<FileId>(pages.flatMap(({ page }) => coverFiles(page)))
    const reusableContents = new Set<ReusableContentId>()
    const specs = new Set<string>(
      pages.flatMap(({ page: { computed } }) => computed?.dependencies.spec.ref.spec ?? [])
    )
    let reached = pages.flatMap(({ page: { body } }) => body ?? [])
    while (reached.length > 0) {
      const next: Array<BlobHash> = []
      for (const references of yield* referencesIn(resolved, reached)) {
        for (const file of references.files) files.add(file)
        for (const spec of references.specs) specs.add(spec)
        for (const reference of references.inclusions) {
          const id = reference.includes("/")
            ? reusableContentAt(all, reference)
            : (reference as ReusableContentId)
          const record = id === undefined ? undefined : byId.get(id)
          if (id === undefined || record === undefined || reusableContents.has(id)) continue
          reusableContents.add(id)
          if (record.body !== undefined) next.push(record.body)
        }
      }
      reached = next
    }
    return { files, reusableContents, specs }
  })

  /** Returns the parts that a visitor can see; undefined for a user, who can see all of them. */
  return (resolved: ResolvedContent): Effect.Effect<VisibleParts | undefined, StorageUnavailable> => {
    const { visitor, revision } = resolved
    if (visitor === undefined) return Effect.succeed(undefined)
    const key = `${revision.root} ${visitor.contextId}`
    const cached = contents.get(key)
    if (cached !== undefined) return Effect.succeed(cached)
    return Effect.tap(find(resolved), (parts) => Effect.sync(() => contents.set(key, parts)))
  }
}
