/**
 * Rewrites links by path when pages are moved or renamed, so that they refer to the same pages as before. Links by id,
 * as in `/pages/p1`, are unaffected. Only the destinations change, byte for byte.
 */
import { Effect } from "effect"
import type { BlobHash, StorageUnavailable } from "../../../kernel/storage/index.ts"
import type { PageRecord } from "../../../model/content/ContentRecord.ts"
import { keys } from "../../../model/content/ContentRecord.ts"
import type { PageId } from "../../../model/content/Page.ts"
import { rewriteLinks } from "../document/rewriteLinks.ts"
import type { Outlines } from "../outline/Outlines.ts"
import {
  foldersOf,
  type PagePaths,
  type PathLink,
  parsePathLink,
  pathsOfPages,
  resolvePathLink
} from "../pagePaths.ts"
import { pathsOfReusableContents } from "../reusableContentFinder.ts"
import type { Tree } from "../Tree.ts"
import { type EditContext, recordOutcome } from "./EditContext.ts"
import { putPage } from "./pagePlacement.ts"

/** The maximum number of pages and reusable contents that one batch rewrites. Further links are unchanged. */
const maximumRewritten = 1000

/** The Markdown of a page or a reusable content, with its path before and after the batch. */
interface Source {
  readonly body: BlobHash
  /** The path before the batch; for a new item, its path after the batch. */
  readonly from: string
  readonly path: string
  /** Whether the batch wrote the Markdown, so that its links can refer to the new paths. */
  readonly isNew: boolean
  readonly write: (body: BlobHash | undefined) => void
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

/** Returns the new URL of a link; undefined if it stays unchanged. */
const movedUrl = (before: PagePaths, after: PagePaths, { from, path, isNew }: Source, url: string) => {
  const link = parsePathLink(url)
  const target = link === undefined ? undefined : resolvePathLink(before, from, link)
  if (link === undefined || target === undefined || !after.pathOf.has(target.page)) return undefined
  const current = resolvePathLink(after, path, link)?.page
  if (current === target.page || (isNew && current !== undefined)) return undefined
  return urlTo(after, path, target.page, link, target.folder)
}

/** Returns whether a page has another parent or slug than before. */
const isMoved = (before: PageRecord | undefined, after: PageRecord | undefined): boolean =>
  before !== undefined &&
  after !== undefined &&
  (before.parent !== after.parent || before.slug !== after.slug)

/**
 * Rewrites the links by path to pages that the batch moved or renamed, and the links of these pages. `base` is the content
 * before the batch. It reads the stored outlines of the content, and parses only Markdown that changes.
 */
export const rewriteMovedLinks = Effect.fnUntraced(function* (
  context: EditContext,
  base: Tree,
  outlines: Outlines["Service"]
): Effect.fn.Return<void, StorageUnavailable> {
  const { draft, time } = context
  let hasMoved = false
  for (const id of context.outcomes.keys()) {
    if (isMoved(yield* base.page(id), yield* draft.page(id))) hasMoved = true
  }
  if (!hasMoved) return
  const [oldPages, newPages] = [yield* base.pages, yield* draft.pages]
  const [before, after] = [pathsOfPages(oldPages), pathsOfPages(newPages)]
  const oldBodies = new Map<string, BlobHash | undefined>(oldPages.map(({ id, page }) => [id, page.body]))
  const sources: Array<Source> = []
  for (const { id, page } of newPages) {
    if (page.type !== "document" || page.body === undefined) continue
    const path = after.pathOf.get(id)!
    sources.push({
      body: page.body,
      from: before.pathOf.get(id) ?? path,
      path,
      isNew: oldBodies.get(id) !== page.body,
      write: (body) => {
        const { body: _, ...rest } = page
        putPage(draft, id, page, { ...rest, ...(body === undefined ? {} : { body }), updatedAt: time })
        recordOutcome(context, id as PageId, "updated")
      }
    })
  }
  const reusable = yield* draft.reusableContents
  const reusablePaths = new Map(pathsOfReusableContents(reusable))
  for (const [id, content] of reusable) {
    if (content.body === undefined) continue
    const path = reusablePaths.get(id)!
    const isNew = (yield* base.reusableContent(id))?.body !== content.body
    const write = (body: BlobHash | undefined) => {
      const { body: _, ...rest } = content
      draft.set(keys.reusableContent(id), { ...rest, ...(body === undefined ? {} : { body }) } as never)
    }
    sources.push({ body: content.body, from: path, path, isNew, write })
  }
  const outlinesByHash = yield* outlines.getMany(sources.map(({ body }) => body))
  let rewritten = 0
  for (const source of sources) {
    const moves = (url: string) => movedUrl(before, after, source, url)
    const hasLink = outlinesByHash
      .get(source.body)!
      .references.some(({ ref }) => ref.kind === "url" && moves(ref.url) !== undefined)
    if (!hasLink || rewritten >= maximumRewritten) continue
    rewritten++
    const markdown = yield* context.content.texts.get(source.body)
    source.write(yield* context.content.putText(rewriteLinks(markdown, ({ url }) => moves(url))))
    // Each page is parsed. Yielding lets other requests proceed.
    yield* Effect.yieldNow
  }
})
