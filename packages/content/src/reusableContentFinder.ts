/** Finds the reusable content that an inclusion refers to: by its id, or by the path of its file in a repository. */

import type { BlobHash, StorageUnavailable } from "@lectern/kernel"
import type { ReusableContentRecord } from "@lectern/kernel/tables"
import { slugOf } from "@lectern/markdown/text"
import type { ReusableContentId } from "@lectern/model/content"
import { Effect } from "effect"
import type { Tree } from "./Tree.ts"

/** A reusable content with the hash of its Markdown. */
export interface FoundContent {
  readonly id: ReusableContentId
  readonly body: BlobHash | undefined
}

type Entry = readonly [ReusableContentId, ReusableContentRecord]

/** Removes the relative segments at the start of a path. */
const withoutRelative = (path: string): string => path.replace(/^(?:\.{0,2}\/)+/, "")

/**
 * Returns the id of the reusable content at a path, as in `../.gitbook/includes/note.md`. The file of a reusable content
 * has the path that its repository has, or else the name of its title.
 */
export const reusableContentAt = (
  all: ReadonlyArray<Entry>,
  reference: string
): ReusableContentId | undefined => {
  if (!reference.includes("/")) return undefined
  const path = withoutRelative(reference)
  const byPath = all.find(([, { git }]) => {
    const own = git?.path === undefined ? undefined : withoutRelative(git.path)
    return own !== undefined && (own === path || own.endsWith(`/${path}`))
  })
  const name = /(?:^|\/)includes\/([^/]+)\.md$/.exec(path)?.[1]
  return (byPath ?? all.find(([, { title }]) => name !== undefined && slugOf(title, "") === name))?.[0]
}

/** Returns the paths of the files of reusable contents without their extension, to which their relative links refer. */
export const pathsOfReusableContents = (
  all: ReadonlyArray<Entry>
): ReadonlyArray<readonly [ReusableContentId, string]> =>
  all.map(([id, { git, title }]) => {
    const path = git?.path ?? `.gitbook/includes/${slugOf(title, id)}.md`
    return [id, path.replace(/\.md$/i, "")] as const
  })

/** Returns a function that finds reusable contents of a tree. It reads all of them at the first path. */
export const reusableContentFinder = (tree: Tree) => {
  let all: ReadonlyArray<Entry> | undefined
  return Effect.fnUntraced(function* (
    reference: string
  ): Effect.fn.Return<FoundContent | undefined, StorageUnavailable> {
    if (reference.includes("/")) all ??= yield* tree.reusableContents
    const id = all === undefined ? (reference as ReusableContentId) : reusableContentAt(all, reference)
    const record = id === undefined ? undefined : yield* tree.reusableContent(id)
    return record === undefined ? undefined : { id: id!, body: record.body }
  })
}
