/** Collects the input of a PDF from content: pages in reading order, with the Markdown and files that they need. */

import type { Tree } from "@lectern/content"
import { type Book, type BookFile, type BookPage, type BookTarget, PdfFailed } from "@lectern/formats"
import { type BlobReader, chunkSize, type StorageUnavailable } from "@lectern/kernel"
import type { FileRecord, PageRecord, Placed } from "@lectern/kernel/tables"
import { markdownForVisitor } from "@lectern/markdown/conditions"
import { runInSteps } from "@lectern/markdown/merge"
import type { ContentRef, FileId, Page, PageId } from "@lectern/model/content"
import type { PdfOptions } from "@lectern/model/pdf"
import { Effect } from "effect"
import { layoutOf, presentPages } from "../../views/content/PageView.ts"
import type { Computed } from "../content/ComputedPages.ts"
import type { ContentStore } from "../content/ContentStore.ts"
import { withInclusions } from "../content/inclusions.ts"

/** The maximum length of all Markdown of a book, in UTF-16 code units: about ten thousand printed pages. */
const maximumCharacters = 20_000_000

/** The maximum size of all images, in bytes. Further images are rendered as links. */
const maximumImageBytes = 48 * 1024 * 1024

/** The number of blobs per query. */
const blobBatchSize = 32

/** The media types of images that are rendered. */
const renderedImageType = /^image\/(png|jpe?g|gif|webp|svg\+xml)$/i

/** Matches references to files in Markdown. False positives are harmless. */
const fileReferencePattern = /\/files\/([A-Za-z0-9._~-]{1,64})/g

/** The sources of a book. */
export interface BookSources {
  readonly content: ContentStore["Service"]
  readonly images: BlobReader<Uint8Array>
  readonly tree: Tree
  readonly computed: Computed
  readonly urlOf: (file: FileRecord) => string
  /** Returns the URL of a space in the application. */
  readonly spaceApp: (space: string) => string
  /** The URL of the content in the application. */
  readonly app: string
}

/** A page with its depth in the book. */
interface SelectedPage {
  readonly page: Page
  readonly depth: number
}

/** Finds a page by its id anywhere in a tree. */
const findPage = (pages: ReadonlyArray<Page>, id: PageId): Page | undefined => {
  for (const page of pages) {
    const found = page.id === id ? page : "pages" in page ? findPage(page.pages, id) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Flattens pages with those below them, without hidden pages and empty groups. */
const readingOrder = (pages: ReadonlyArray<Page>, depth: number): ReadonlyArray<SelectedPage> =>
  pages.flatMap((page) => {
    if ("hidden" in page && page.hidden === true) return []
    const below = "pages" in page ? readingOrder(page.pages, depth + 1) : []
    return page.type === "group" && below.length === 0 ? [] : [{ page, depth }, ...below]
  })

/** Selects the requested pages; undefined if the requested page does not exist. */
const selectPages = (
  all: ReadonlyArray<Page>,
  { placeholders, pages }: Computed,
  stored: ReadonlyMap<string, PageRecord>,
  { page: id, only = false }: PdfOptions
): ReadonlyArray<SelectedPage> | undefined => {
  if (id === undefined) return readingOrder(all, 0)
  if (placeholders.has(id)) {
    const source = stored.get(id)!
    // Computed pages replace their source: their positions begin with its position.
    return pages
      .filter(({ page }) => page.parent === source.parent && page.position.startsWith(`${source.position}!`))
      .map(({ id }) => ({ page: findPage(all, id)!, depth: 0 }))
  }
  const page = findPage(all, id)
  if (page === undefined) return undefined
  const below = only || !("pages" in page) ? [] : readingOrder(page.pages, 1)
  return [{ page, depth: 0 }, ...below]
}

/** Returns the book of content; undefined if the requested page does not exist. */
export const collectBook = Effect.fnUntraced(function* (
  sources: BookSources,
  cover: Pick<Book, "title" | "about" | "date">,
  options: PdfOptions
): Effect.fn.Return<Book | undefined, PdfFailed | StorageUnavailable> {
  const { content, tree, computed, app } = sources
  const stored = yield* tree.pages
  const placed: ReadonlyArray<Placed> = [
    ...stored.filter(({ id }) => !computed.placeholders.has(id)),
    ...computed.pages
  ]
  const all = yield* runInSteps(presentPages({ app, metadata: false, conditions: false }, placed))
  const storedById = new Map<string, PageRecord>(stored.map(({ id, page }) => [id, page]))
  const selected = selectPages(all, computed, storedById, options)
  if (selected === undefined) return undefined

  const records = new Map<string, PageRecord>(placed.map(({ id, page }) => [id, page]))
  const texts = new Map<string, string>(computed.pages.map(({ id, markdown }) => [id, markdown]))
  let left = maximumCharacters
  const take = (text: string) => {
    left -= text.length
    return left >= 0
  }
  const tooLong = () =>
    new PdfFailed({
      message: `The content is too long for a PDF: the limit is ${maximumCharacters} characters. Export one page with \`page\`.`
    })
  const withBodies = selected.filter(({ page }) => records.get(page.id)?.body !== undefined)
  for (let at = 0; at < withBodies.length; at += blobBatchSize) {
    const some = withBodies.slice(at, at + blobBatchSize)
    const bodies = yield* content.texts.getMany(some.map(({ page }) => records.get(page.id)!.body!))
    for (const [index, { page }] of some.entries()) {
      // The URL of a PDF is valid without a user, so that it has the content of visitors without claims.
      const text = markdownForVisitor(yield* withInclusions(content, tree, bodies[index]!), {})
      if (!take(text)) return yield* tooLong()
      texts.set(page.id, text)
    }
  }

  const addresses = new Map<string, string>()
  const paths = new Map<string, string>()
  const addPages = (pages: ReadonlyArray<Page>): void => {
    for (const page of pages) {
      if (page.type === "document") {
        addresses.set(page.id, page.urls.app)
        paths.set(page.path, page.id)
      }
      if ("pages" in page) addPages(page.pages)
    }
  }
  addPages(all)

  const fileIds = new Set<FileId>()
  for (const text of texts.values())
    for (const [, id] of text.matchAll(fileReferencePattern)) fileIds.add(id as FileId)
  for (const { page } of selected) {
    if (page.type === "link" && page.target.kind === "file") fileIds.add(page.target.file as FileId)
  }
  const files = yield* filesOf(sources, fileIds)

  const pages = selected.map(({ page, depth }): BookPage => {
    const record = records.get(page.id)!
    const target = page.type === "link" ? targetOf(sources, files, page.target) : undefined
    return {
      id: page.id,
      depth,
      type: page.type === "group" || page.type === "link" ? page.type : "document",
      title: titleOf(page),
      ...(record.description === undefined || !layoutOf(record).description
        ? {}
        : { description: record.description }),
      path: "path" in page ? page.path : "",
      markdown: texts.get(page.id) ?? "",
      ...(target === undefined ? {} : { target })
    }
  })
  const [first] = pages
  const isPart = options.page !== undefined && first !== undefined
  return {
    ...cover,
    ...(isPart ? { title: first.title, about: [cover.title, cover.about].filter(Boolean).join(" · ") } : {}),
    hasContents: options.only !== true,
    pages,
    addresses,
    paths,
    files
  }
})

/** The title of a page, preceded by its emoji, which is stored as hexadecimal code points or as a character. */
const titleOf = ({ emoji, title }: Pick<Page, "emoji" | "title">): string => {
  if (emoji === undefined || emoji === "") return title
  if (!/^[0-9a-f]{4,6}(-[0-9a-f]{2,6})*$/i.test(emoji)) return `${emoji} ${title}`
  const points = emoji.split("-").map((point) => Number.parseInt(point, 16))
  return points.every((point) => point <= 0x10ffff) ? `${String.fromCodePoint(...points)} ${title}` : title
}

/** Loads the files that exist, with the bytes of images up to the limit. */
const filesOf = Effect.fnUntraced(function* (
  { content, tree, images, urlOf }: BookSources,
  ids: ReadonlySet<FileId>
): Effect.fn.Return<ReadonlyMap<FileId, BookFile>, StorageUnavailable> {
  const found: Array<readonly [FileId, FileRecord]> = []
  for (const id of ids) {
    const file = yield* tree.file(id)
    if (file !== undefined) found.push([id, file])
  }
  let left = maximumImageBytes
  const imageFiles = found.filter(([, file]) => {
    if (!renderedImageType.test(file.contentType) || file.size > left) return false
    left -= file.size
    return true
  })
  const bytes = new Map<FileId, Uint8Array>()
  const small = imageFiles.filter(([, file]) => file.size <= chunkSize)
  for (const [id, file] of imageFiles) {
    if (file.size <= chunkSize) continue
    const image = yield* content.files.readWhole(file.hash)
    if (image !== undefined) bytes.set(id, image)
  }
  for (let at = 0; at < small.length; at += blobBatchSize) {
    const some = small.slice(at, at + blobBatchSize)
    const loaded = yield* images.getMany(some.map(([, file]) => file.hash))
    for (const [index, [id]] of some.entries()) bytes.set(id, loaded[index]!)
  }
  return new Map(
    found.map(([id, file]) => {
      const image = bytes.get(id)
      return [id, { name: file.name, url: urlOf(file), ...(image === undefined ? {} : { image }) }]
    })
  )
})

/** The target of a page of the type `link`; undefined if a reader cannot open it. */
const targetOf = (
  { spaceApp }: BookSources,
  files: ReadonlyMap<FileId, BookFile>,
  target: ContentRef
): BookTarget | undefined => {
  switch (target.kind) {
    case "url":
      return { url: target.url }
    case "file": {
      const file = files.get(target.file as FileId)
      return file === undefined ? undefined : { url: file.url }
    }
    case "page":
      return target.space === undefined ? { page: target.page } : { url: spaceApp(target.space) }
    case "anchor":
      if (target.space !== undefined) return { url: spaceApp(target.space) }
      return target.page === undefined ? undefined : { page: target.page, anchor: target.anchor }
    case "space":
      return { url: spaceApp(target.space) }
    default:
      return undefined
  }
}
