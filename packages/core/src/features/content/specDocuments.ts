/** Reads the OpenAPI documents that are files of the content, such as files of an imported repository. */

import { parsePathLink, resolveSegments } from "@lectern/content"
import { type ParsedDocument, type ParseSpec, unlessTransient } from "@lectern/formats"
import type { StorageUnavailable } from "@lectern/kernel"
import type { FileRecord } from "@lectern/kernel/tables"
import { bundleDocuments } from "@lectern/markdown/openapi"
import type { FileId } from "@lectern/model/content"
import { maximumBytes } from "@lectern/model/openapi-specs"
import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import type { ResolvedContent } from "./ContentAccess.ts"
import type { ContentStore } from "./ContentStore.ts"

/** The number of documents that are cached. */
const maximumCached = 8

/** The maximum number of files of one spec. */
const maximumFiles = 50

const pathOf = ({ name, imported }: FileRecord): string => imported?.resource ?? name

/** Returns the path that a reference in the file at a path leads to. */
const targetOf = (from: string, reference: string): string | undefined => {
  const link = parsePathLink(reference)
  if (link === undefined) return undefined
  const base = link.isAbsolute ? [] : from.split("/").slice(0, -1)
  return resolveSegments(base, link.segments)?.join("/")
}

/** Creates the function that reads the document of a file. It returns `undefined` for a file that is not an OpenAPI document. */
export const makeReadSpecFile = (store: ContentStore["Service"], parse: ParseSpec) => {
  const cache = new LRUCache<string, { readonly document: unknown }>({ max: maximumCached })

  const load = Effect.fnUntraced(function* (
    { hash, size }: FileRecord,
    isFirst: boolean
  ): Effect.fn.Return<ParsedDocument | undefined, StorageUnavailable> {
    const bytes = size > maximumBytes ? undefined : yield* store.files.readWhole(hash)
    if (bytes === undefined) return undefined
    return yield* parse(bytes, isFirst).pipe(
      Effect.catchTag("ParseFailed", (error) => unlessTransient(error, () => Effect.succeed(undefined)))
    )
  })

  const valueOf = ({ json }: ParsedDocument): unknown => JSON.parse(new TextDecoder().decode(json))

  return Effect.fnUntraced(function* (
    { tree, revision }: Pick<ResolvedContent, "tree" | "revision">,
    id: FileId
  ): Effect.fn.Return<unknown, StorageUnavailable> {
    const record = yield* tree.file(id)
    if (record === undefined) return undefined
    const ofRevision = `${revision.root} ${id}`
    const cached = cache.get(record.hash) ?? cache.get(ofRevision)
    if (cached !== undefined) return cached.document
    const main = yield* load(record, true)
    if (main === undefined) return undefined
    const documents = new Map([[pathOf(record), valueOf(main)]])
    const queue = main.files.map(({ file }) => targetOf(pathOf(record), file))
    const byPath = new Map(
      queue.length === 0 ? [] : (yield* tree.files()).map(([, file]) => [pathOf(file), file] as const)
    )
    for (const path of queue) {
      const part = path === undefined ? undefined : byPath.get(path)
      if (path === undefined || part === undefined || documents.has(path)) continue
      if (documents.size >= maximumFiles) break
      const parsed = yield* load(part, false)
      if (parsed === undefined) continue
      documents.set(path, valueOf(parsed))
      queue.push(...parsed.files.map(({ file }) => targetOf(path, file)))
    }
    const document = bundleDocuments(documents, (from, file) => {
      const path = targetOf(from, file)
      return path !== undefined && documents.has(path) ? path : undefined
    })
    // The other files of a spec can change without its main file.
    cache.set(main.files.length === 0 ? record.hash : ofRevision, { document })
    return document
  })
}
