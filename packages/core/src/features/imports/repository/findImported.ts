/** Finds the content of earlier imports of a repository from the same source. */

import type { Tree } from "@lectern/content"
import type { StorageUnavailable } from "@lectern/kernel"
import { Effect } from "effect"
import type { EarlierContent } from "./planRepository.ts"

/** Returns the pages, files and includes that were imported from a source, by their keys and paths. */
export const findImported = Effect.fnUntraced(function* (
  tree: Tree,
  from: string
): Effect.fn.Return<EarlierContent, StorageUnavailable> {
  const sources = yield* tree.sources
  const found = {
    sources: new Map(sources.map(([path, { hash }]) => [path, hash])),
    pages: new Map<string, NonNullable<ReturnType<EarlierContent["pages"]["get"]>>>(),
    files: new Map<string, NonNullable<ReturnType<EarlierContent["files"]["get"]>>>(),
    includes: new Map<string, NonNullable<ReturnType<EarlierContent["includes"]["get"]>>>()
  }
  for (const { id, page } of yield* tree.pages) {
    if (page.imported?.from === from) found.pages.set(page.imported.resource, { id, page })
  }
  for (const [id, record] of yield* tree.files()) {
    if (record.imported?.from === from) found.files.set(record.imported.resource, { id, record })
  }
  for (const [id, record] of yield* tree.reusableContents) {
    if (record.imported?.from === from) found.includes.set(record.imported.resource, { id, record })
  }
  return found
})
