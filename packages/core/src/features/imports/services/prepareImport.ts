/** Fetches the source of an import, and prepares the changes that write it: bodies and files are stored beforehand. */

import type { Tree } from "@lectern/content"
import type { FetchedContent } from "@lectern/formats"
import { type BlobHash, chunkSize, type Ids, type StorageUnavailable } from "@lectern/kernel"
import type { Outline } from "@lectern/markdown/outline"
import type { ImportContent } from "@lectern/model/imports"
import { Effect, Stream } from "effect"
import type { ContentStore } from "../../content/ContentStore.ts"
import type { Outlines } from "../../content/Outlines.ts"
import { fetchDocument } from "../document.ts"
import { fetchGitRepository } from "../git/fetchGitRepository.ts"
import type { FetchError, ImportContext } from "../ImportContext.ts"
import type { PreparedImport } from "../PreparedImport.ts"
import { type Plan, planImport, type TargetPage } from "../planImport.ts"
import { fetchRepository } from "../repository/archive.ts"
import { findImported } from "../repository/findImported.ts"
import { planRepository } from "../repository/planRepository.ts"
import type { RepositoryContent } from "../repository/RepositoryContent.ts"
import { changedUrls } from "../repository/sourceSlugs.ts"
import { fetchWiki } from "../repository/wiki.ts"
import { fetchWebsite } from "../website.ts"

/** The services that imports use. */
export interface ImportServices {
  readonly ids: Ids["Service"]
  readonly store: ContentStore["Service"]
  readonly outlines: Outlines["Service"]
}

/** A fetched source: pages that are parsed, or a repository whose pages are not. */
export type FetchedSource =
  | { readonly _tag: "Pages"; readonly content: FetchedContent }
  | { readonly _tag: "Repository"; readonly content: RepositoryContent }

/** Fetches the source of an import. */
export const fetchSource = (
  context: ImportContext,
  { source, url }: ImportContent
): Effect.Effect<FetchedSource, FetchError> => {
  const asPages = (content: FetchedContent): FetchedSource => ({ _tag: "Pages", content })
  const asRepository = (content: RepositoryContent): FetchedSource => ({ _tag: "Repository", content })
  switch (source) {
    case "website":
      return Effect.map(fetchWebsite(context, url), asPages)
    case "github-wiki":
      return Effect.map(fetchWiki(context, url), asPages)
    case "docx":
    case "markdown":
    case "html":
      return Effect.map(fetchDocument(context, source, url), asPages)
    case "git":
      return Effect.map(fetchGitRepository(context, url, source), asRepository)
    default:
      // The repository of another tool is an archive or a repository of Git.
      return Effect.map(
        /\.git\/?$/.test(new URL(url).pathname)
          ? fetchGitRepository(context, url, source)
          : fetchRepository(context, url, source),
        asRepository
      )
  }
}

/** The maximum size of the blobs that one statement stores, in bytes. */
const batchBytes = 1024 * 1024

/** The maximum number of blobs that one statement stores. */
const batchBlobs = 100

/** Splits blobs into batches, one per statement, and preserves their order. */
const toBatches = (blobs: ReadonlyArray<Uint8Array>): ReadonlyArray<ReadonlyArray<Uint8Array>> => {
  const batches: Array<Array<Uint8Array>> = []
  let remainingBytes = 0
  for (const bytes of blobs) {
    const last = batches.at(-1)
    remainingBytes -= bytes.length
    if (last === undefined || remainingBytes < 0 || last.length === batchBlobs) {
      batches.push([bytes])
      remainingBytes = batchBytes - bytes.length
    } else last.push(bytes)
  }
  return batches
}

const storeBytes = Effect.fnUntraced(function* (
  { store }: ImportServices,
  { files, texts }: Plan
): Effect.fn.Return<void, StorageUnavailable> {
  const small = files.filter(({ length }) => length <= chunkSize)
  for (const batch of toBatches([...small, ...texts.values()])) {
    yield* Effect.yieldNow
    yield* store.blobs.put(batch)
  }
  for (const bytes of files) {
    if (bytes.length > chunkSize) yield* store.files.link(yield* store.files.write(Stream.make(bytes)))
  }
})

/** Parses the outlines of new page bodies, in the threads of the import reader. */
const parseOutlines = (
  { outlines }: ImportServices,
  texts: ReadonlyMap<BlobHash, Uint8Array>
): Effect.Effect<ReadonlyMap<BlobHash, Outline>, StorageUnavailable> =>
  Effect.map(
    Effect.forEach(
      texts,
      ([hash, bytes]) => Effect.map(outlines.parseLongText(bytes), (outline) => [hash, outline] as const),
      { concurrency: 4 }
    ),
    (all) => new Map(all)
  )

/** Prepares the import of a fetched source into a tree. `from` is the URL of the source, which identifies earlier imports. */
export const prepareImport = Effect.fnUntraced(function* (
  services: ImportServices,
  { read, mark, run }: ImportContext,
  source: FetchedSource,
  from: string,
  tree: Tree
): Effect.fn.Return<PreparedImport, FetchError | StorageUnavailable> {
  if (source._tag === "Repository") {
    const earlier = yield* findImported(tree, from)
    const plan = yield* planRepository(
      { ...services, read, mark, journal: run?.journal },
      source.content,
      from,
      earlier
    )
    const changed = yield* changedUrls(source.content.layout, plan.nodes, plan.changes, tree)
    const skipped = [...plan.skipped, ...(source.content.problems?.() ?? []), ...changed]
    return { ...plan, skipped, git: source.content.git, store: Effect.void }
  }
  return yield* prepareFetched(services, source.content, { from, mark }, tree)
})

/** Prepares the import of fetched pages into a tree, or of one document into an existing page of it. */
const prepareFetched = Effect.fnUntraced(function* (
  services: ImportServices,
  fetched: FetchedContent,
  options: Parameters<typeof planImport>[2],
  tree: Tree
): Effect.fn.Return<PreparedImport, StorageUnavailable> {
  const plan = yield* planImport(tree, fetched, options, services.ids)
  return {
    changes: plan.changes,
    outlines: yield* parseOutlines(services, plan.texts),
    imported: fetched.pages.length + fetched.files.length,
    total: fetched.total,
    skipped: fetched.skipped,
    git: fetched.git,
    store: storeBytes(services, plan)
  }
})

/** Prepares the import of a fetched document into an existing page of a tree. */
export const preparePage = (
  services: ImportServices,
  { mark }: ImportContext,
  fetched: FetchedContent,
  from: string,
  tree: Tree,
  into: TargetPage
): Effect.Effect<PreparedImport, StorageUnavailable> =>
  prepareFetched(services, fetched, { from, mark, into }, tree)
