/** Rewrites links by path, so that they refer to the pages that they were written for. Only their destinations change. */

import {
  type Draft,
  foldersOf,
  type PagePaths,
  type PathLink,
  parsePathLink,
  pathsOfPages,
  pathsOfReusableContents,
  putPage,
  resolvePathLink,
  type Tree
} from "@lectern/content"
import type { BlobHash, StorageUnavailable } from "@lectern/kernel"
import { keys, type PageRecord, type Placed } from "@lectern/kernel/tables"
import { rewriteLinks } from "@lectern/markdown/document"
import type { PageId } from "@lectern/model/content"
import { Effect } from "effect"
import type { ContentStore } from "../ContentStore.ts"
import type { Outlines } from "../Outlines.ts"

/** The maximum number of pages and reusable contents that are rewritten together. Further links are unchanged. */
export const maximumRewritten = 1000

/** Returns whether a page has another parent or slug than before. */
export const isMoved = (before: PageRecord | undefined, after: PageRecord | undefined): boolean =>
  before !== undefined &&
  after !== undefined &&
  (before.parent !== after.parent || before.slug !== after.slug)

/** The Markdown of a page or a reusable content of a draft. */
export interface LinkedText {
  /** The key of its record. */
  readonly key: string
  readonly body: BlobHash
  /** The path that its relative links refer to. */
  readonly path: string
  /** Replaces the Markdown in the draft. */
  readonly write: (body: BlobHash | undefined) => void
}

/** Content in which links were written. */
export interface LinkOrigin {
  readonly paths: PagePaths
  /** The path of the text there. */
  readonly path: string
  /** Whether the text has the link there. */
  readonly has: (url: string) => boolean
}

/** Returns the pages of content with their paths, and the bodies of its pages and reusable contents by key. */
export const readLinkedContent = Effect.fnUntraced(function* (tree: Tree) {
  const pages = yield* tree.pages
  const reusable = yield* tree.reusableContents
  const bodies = new Map<string, BlobHash | undefined>(
    pages.map(({ id, page }) => [keys.page(id), page.body])
  )
  for (const [id, { body }] of reusable) bodies.set(keys.reusableContent(id), body)
  const paths = pathsOfPages(pages)
  const pathOf = new Map(pages.map(({ id }) => [keys.page(id), paths.pathOf.get(id)!]))
  for (const [id, path] of pathsOfReusableContents(reusable)) pathOf.set(keys.reusableContent(id), path)
  return { pages, reusable, bodies, paths, pathOf }
})

/** The result of {@link readLinkedContent}. */
export type LinkedContent = Effect.Success<ReturnType<typeof readLinkedContent>>

/** Returns the linked Markdown of a draft with its content. `onWrite` is called with each page whose Markdown is replaced. */
export const linkedTextsOf = (
  draft: Draft,
  { pages, reusable, pathOf }: LinkedContent,
  time: string,
  onWrite: (page: PageId) => void
): ReadonlyArray<LinkedText> => {
  const ofPage = ({ id, page }: Placed): ReadonlyArray<LinkedText> => {
    if (page.type !== "document" || page.body === undefined) return []
    const write = (body: BlobHash | undefined) => {
      const { body: _, ...rest } = page
      putPage(draft, id, page, { ...rest, ...(body === undefined ? {} : { body }), updatedAt: time })
      onWrite(id)
    }
    return [{ key: keys.page(id), body: page.body, path: pathOf.get(keys.page(id))!, write }]
  }
  const ofReusable = ([id, content]: LinkedContent["reusable"][number]): ReadonlyArray<LinkedText> => {
    if (content.body === undefined) return []
    const key = keys.reusableContent(id)
    const write = (body: BlobHash | undefined) => {
      const { body: _, ...rest } = content
      draft.set(key, { ...rest, ...(body === undefined ? {} : { body }) })
    }
    return [{ key, body: content.body, path: pathOf.get(key)!, write }]
  }
  return [...pages.flatMap(ofPage), ...reusable.flatMap(ofReusable)]
}

/** Writes a path with the extension, or the name of the file, that a link has. */
const segmentsWithEnding = (path: string, { segments }: PathLink): ReadonlyArray<string> => {
  const last = segments.at(-1)!
  const target = path.split("/")
  if (/^(readme|index)(\.\w+)?$/i.test(last)) return [...target, last]
  const extension = /\.(md|mdx|markdown|html?)$/i.exec(last)?.[0] ?? ""
  return [...target.slice(0, -1), target.at(-1)! + extension]
}

const encodeSegment = (segment: string): string =>
  segment.replaceAll(/[^\p{L}\p{N}._~@$&+-]/gu, (character) => encodeURIComponent(character))

/** Writes a link from a folder to a path. */
const relativeUrl = (
  folder: ReadonlyArray<string>,
  target: ReadonlyArray<string>,
  hasDot: boolean
): string => {
  let common = 0
  while (common < folder.length && common < target.length - 1 && folder[common] === target[common]) common++
  const ups = folder.slice(common).map(() => "..")
  const segments = [...ups, ...target.slice(common).map(encodeSegment)]
  return (hasDot && ups.length === 0 ? "./" : "") + segments.join("/")
}

/** Returns the URL by which a link in a page refers to `page`, in the style of the link. */
const urlTo = (after: PagePaths, path: string, page: string, link: PathLink, folder: number): string => {
  const target = segmentsWithEnding(after.pathOf.get(page)!, link)
  const candidates = link.isAbsolute
    ? []
    : [folder, 1 - folder].map((index) =>
        relativeUrl(foldersOf(path)[index]!, target, link.segments[0] === ".")
      )
  for (const url of [...candidates, `/${target.map(encodeSegment).join("/")}`]) {
    const parsed = parsePathLink(url)
    if (parsed !== undefined && resolvePathLink(after, path, parsed)?.page === page) return url + link.suffix
  }
  return `/pages/${page}${link.suffix}`
}

/** Decides the new URLs of the links in Markdown. Returns `undefined` for links that stay unchanged. */
export const newUrlsOf =
  (
    after: PagePaths,
    path: string,
    origins: ReadonlyArray<LinkOrigin>,
    isUnchanged: (page: string | undefined) => boolean
  ) =>
  (url: string): string | undefined => {
    const link = parsePathLink(url)
    if (link === undefined) return undefined
    const targets = origins.flatMap((origin) => {
      const target = origin.has(url) ? resolvePathLink(origin.paths, origin.path, link) : undefined
      return target === undefined || !after.pathOf.has(target.page) ? [] : [target]
    })
    const [target] = targets
    if (target === undefined) return undefined
    const current = resolvePathLink(after, path, link)?.page
    if (isUnchanged(current) || targets.some(({ page }) => page === current)) return undefined
    return urlTo(after, path, target.page, link, target.folder)
  }

/** Markdown with the function that decides the new URLs of its links. */
export interface Rewrite {
  readonly text: LinkedText
  readonly newUrl: (url: string) => string | undefined
}

/** Rewrites the links of all given Markdown. It reads the stored outlines of the content, and parses only Markdown that changes. */
export const rewritePathLinks = Effect.fnUntraced(function* (
  content: ContentStore["Service"],
  outlines: Outlines["Service"],
  rewrites: ReadonlyArray<Rewrite>
): Effect.fn.Return<void, StorageUnavailable> {
  const outlinesByHash = yield* outlines.getMany(rewrites.map(({ text }) => text.body))
  let rewritten = 0
  for (const { text, newUrl } of rewrites) {
    const hasLink = outlinesByHash
      .get(text.body)!
      .references.some(({ ref }) => ref.kind === "url" && newUrl(ref.url) !== undefined)
    if (!hasLink || rewritten >= maximumRewritten) continue
    rewritten++
    const markdown = yield* content.texts.get(text.body)
    text.write(
      yield* content.putText(
        rewriteLinks(markdown, ({ url }) => newUrl(url)),
        text.body
      )
    )
    // Each page is parsed. Yielding lets other requests proceed.
    yield* Effect.yieldNow
  }
})
