/**
 * Rewrites links by path in merged content. One side of a merge can move the page to which the other side adds a link by
 * its path, so that each link is resolved in the content of the side that has it.
 */
import { Effect } from "effect"
import type { BlobHash, StorageUnavailable } from "../../../kernel/storage/index.ts"
import { type PageRecord, recordOf } from "../../../tables/content/ContentRecord.ts"
import type { ContentStore } from "../ContentStore.ts"
import {
  isMoved,
  type LinkedContent,
  type LinkOrigin,
  linkedTextsOf,
  newUrlsOf,
  type Rewrite,
  readLinkedContent,
  rewritePathLinks
} from "../edit/rewritePathLinks.ts"
import type { Outlines } from "../Outlines.ts"
import * as Tree from "../Tree.ts"
import type { MergeInput } from "./merge.ts"

/** Whether a page of content has another place in other content. */
const hasMovedPage = Effect.fnUntraced(function* (
  { maps }: ContentStore["Service"],
  before: BlobHash,
  after: BlobHash
): Effect.fn.Return<boolean, StorageUnavailable> {
  return (yield* maps.diff(before, after)).some(
    (difference) =>
      recordOf(difference.key)?.kind === "page" &&
      isMoved(difference.before as PageRecord | undefined, difference.after as PageRecord | undefined)
  )
})

/**
 * Rewrites the links of merged content whose targets have other paths than on the side that has the link. Returns the root of
 * the result. The Markdown of the change has precedence over that of the primary content.
 */
export const rewriteMergedLinks = Effect.fnUntraced(function* (
  content: ContentStore["Service"],
  outlines: Outlines["Service"],
  { primary, change }: MergeInput,
  root: BlobHash,
  time: string
): Effect.fn.Return<BlobHash, StorageUnavailable> {
  if (!((yield* hasMovedPage(content, change, root)) || (yield* hasMovedPage(content, primary, root))))
    return root
  const draft = Tree.makeDraft(content.maps, root)
  const merged = yield* readLinkedContent(draft)
  const sides = [
    yield* readLinkedContent(Tree.readTree(content.maps, change)),
    yield* readLinkedContent(Tree.readTree(content.maps, primary))
  ]
  const texts = linkedTextsOf(draft, merged, time, () => undefined)
  const bodiesOfSides = texts.flatMap(({ key }) => sides.flatMap(({ bodies }) => bodies.get(key) ?? []))
  const outlinesByHash = yield* outlines.getMany(bodiesOfSides)
  const urlsOf = (body: BlobHash): ReadonlySet<string> =>
    new Set(outlinesByHash.get(body)!.references.flatMap(({ ref }) => (ref.kind === "url" ? [ref.url] : [])))
  const originsOf = (key: string, body: BlobHash): ReadonlyArray<LinkOrigin> => {
    const withText = sides.filter(({ bodies }) => bodies.get(key) !== undefined)
    const equal = withText.filter(({ bodies }) => bodies.get(key) === body)
    return (equal.length > 0 ? equal : withText).map(({ bodies, paths, pathOf }: LinkedContent) => {
      const urls = urlsOf(bodies.get(key)!)
      return { paths, path: pathOf.get(key)!, has: (url) => urls.has(url) }
    })
  }
  const rewrites = texts.map((text): Rewrite => {
    const origins = originsOf(text.key, text.body)
    return { text, newUrl: newUrlsOf(merged.paths, text.path, origins, () => false) }
  })
  yield* rewritePathLinks(content, outlines, rewrites)
  return yield* draft.write
})
