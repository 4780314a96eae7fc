/**
 * Rewrites links by path in merged content. One side of a merge can move the page to which the other side adds a link by
 * its path, so that each link is resolved in the content of the side that has it.
 */

import { Trees as Tree } from "@lectern/content"
import type { BlobHash, StorageUnavailable } from "@lectern/kernel"
import { type PageRecord, recordOf } from "@lectern/kernel/tables"
import { runInSteps } from "@lectern/markdown/merge"
import { Effect } from "effect"
import type { ContentStore } from "../ContentStore.ts"
import {
  isMoved,
  type LinkedContent,
  type LinkedText,
  type LinkOrigin,
  linkedTextsOf,
  maximumRewritten,
  newUrlsOf,
  type Rewrite,
  readLinkedContent,
  rewritePathLinks
} from "../edit/rewritePathLinks.ts"
import type { Outlines } from "../Outlines.ts"
import { ambiguousUrls, type LinkedVersions, mergeAmbiguousLinks } from "./ambiguousLinks.ts"
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

/** Markdown that both sides changed, with the URLs that refer to different pages on both sides. */
interface AmbiguousText {
  readonly text: LinkedText
  readonly primary: LinkOrigin
  readonly change: LinkOrigin
  readonly urls: ReadonlySet<string>
}

/** Merges Markdown again whose links are ambiguous. Returns the Markdown whose links are written. */
const mergeAmbiguousTexts = Effect.fnUntraced(function* (
  content: ContentStore["Service"],
  base: LinkedContent,
  merged: LinkedContent,
  bodiesOf: { readonly primary: LinkedContent["bodies"]; readonly change: LinkedContent["bodies"] },
  texts: ReadonlyArray<AmbiguousText>,
  newUrlOf: (text: LinkedText) => (url: string) => string | undefined
): Effect.fn.Return<ReadonlySet<LinkedText>, StorageUnavailable> {
  const written = new Set<LinkedText>()
  for (const { text, primary, change, urls } of texts.slice(0, maximumRewritten)) {
    const { key } = text
    const readText = (body: BlobHash | undefined) =>
      body === undefined ? Effect.succeed("") : content.texts.get(body)
    const path = base.pathOf.get(key)
    const versions: LinkedVersions = {
      base: {
        text: yield* readText(base.bodies.get(key)),
        origin: path === undefined ? undefined : { paths: base.paths, path, has: () => true }
      },
      primary: { text: yield* readText(bodiesOf.primary.get(key)), origin: primary },
      change: { text: yield* readText(bodiesOf.change.get(key)), origin: change }
    }
    const after = { paths: merged.paths, path: text.path }
    const result = yield* runInSteps(mergeAmbiguousLinks(versions, urls, after, newUrlOf(text)))
    if (result === undefined) continue
    text.write(yield* content.putText(result, text.body))
    written.add(text)
  }
  return written
})

/**
 * Rewrites the links of merged content whose targets have other paths than on the side that has the link. Returns the root of
 * the result. The Markdown of the change has precedence over that of the primary content.
 */
export const rewriteMergedLinks = Effect.fnUntraced(function* (
  content: ContentStore["Service"],
  outlines: Outlines["Service"],
  { base, primary, change }: MergeInput,
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
  ] as const
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
  const newUrlOf = (text: LinkedText) =>
    newUrlsOf(merged.paths, text.path, originsOf(text.key, text.body), () => false)
  const [ofChange, ofPrimary] = sides
  const ambiguous = texts.flatMap((text): ReadonlyArray<AmbiguousText> => {
    const [theirs, ours] = [ofChange.bodies.get(text.key), ofPrimary.bodies.get(text.key)]
    if (theirs === undefined || ours === undefined || theirs === text.body || ours === text.body) return []
    const [change, primary] = originsOf(text.key, text.body) as [LinkOrigin, LinkOrigin]
    const urls = ambiguousUrls(urlsOf(theirs), primary, change)
    return urls.size === 0 ? [] : [{ text, primary, change, urls }]
  })
  const written =
    ambiguous.length === 0
      ? new Set<LinkedText>()
      : yield* mergeAmbiguousTexts(
          content,
          yield* readLinkedContent(Tree.readTree(content.maps, base)),
          merged,
          { primary: ofPrimary.bodies, change: ofChange.bodies },
          ambiguous,
          newUrlOf
        )
  const rewrites = texts.flatMap(
    (text): ReadonlyArray<Rewrite> => (written.has(text) ? [] : [{ text, newUrl: newUrlOf(text) }])
  )
  yield* rewritePathLinks(content, outlines, rewrites)
  return yield* draft.write
})
