/** Collects the pages of a book from content in reading order, with the texts and files that they need. */
import { Effect } from "effect"
import type { BlobReader, StorageUnavailable } from "../../kernel/storage/index.ts"
import type { FileRecord, PageRecord, Placed } from "../../model/content/ContentRecord.ts"
import type { FileId } from "../../model/content/File.ts"
import type { ContentRef, Page, PageId } from "../../model/content/Page.ts"
import type { PdfOptions } from "../../model/pdf/Pdf.ts"
import { layoutOf, presentPages } from "../../views/content/PageView.ts"
import type { Computed } from "../content/ComputedPages.ts"
import type { ContentStore } from "../content/ContentStore.ts"
import { withInclusions } from "../content/inclusions.ts"
import type { Tree } from "../content/Tree.ts"
import { type Book, type BookFile, type BookPage, type BookTarget, PdfFailed } from "./PdfMaker.ts"

/** The most characters of all texts of a book: about ten thousand printed pages. */
const maximumCharacters = 20_000_000

/** The most bytes of images; later images are rendered as links. */
const maximumImageBytes = 48 * 1024 * 1024

/** How many texts or images one query loads. */
const textBatchSize = 32

/** The media types of images that are rendered. */
const imageType = /^image\/(png|jpe?g|gif|webp)$/i

/** Matches references to files in a text. False positives are harmless. */
const fileNames = /\/files\/([A-Za-z0-9._~-]{1,64})/g

/** The sources of a book. */
export interface Shelf {
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
interface Chosen {
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
const readingOrder = (pages: ReadonlyArray<Page>, depth: number): ReadonlyArray<Chosen> =>
  pages.flatMap((page) => {
    if ("hidden" in page && page.hidden === true) return []
    const below = "pages" in page ? readingOrder(page.pages, depth + 1) : []
    return page.type === "group" && below.length === 0 ? [] : [{ page, depth }, ...below]
  })

/** Selects the requested pages; undefined if the requested page does not exist. */
const choose = (
  all: ReadonlyArray<Page>,
  { placeholders, pages }: Computed,
  stored: ReadonlyMap<string, PageRecord>,
  { page: id, only = false }: PdfOptions
): ReadonlyArray<Chosen> | undefined => {
  if (id === undefined) return readingOrder(all, 0)
  if (placeholders.has(id)) {
    const source = stored.get(id)!
    // Computed pages replace their source: their positions begin with its position.
    return pages
      .filter(({ page }) => page.parent === source.parent && page.position.startsWith(`${source.position}!`))
      .map((one) => ({ page: findPage(all, one.id)!, depth: 0 }))
  }
  const page = findPage(all, id)
  if (page === undefined) return undefined
  const below = only || !("pages" in page) ? [] : readingOrder(page.pages, 1)
  return [{ page, depth: 0 }, ...below]
}

/** Returns the book of content; undefined if the requested page does not exist. */
export const gatherBook = Effect.fnUntraced(function* (
  shelf: Shelf,
  cover: Pick<Book, "title" | "about" | "date">,
  options: PdfOptions
): Effect.fn.Return<Book | undefined, PdfFailed | StorageUnavailable> {
  const { content, tree, computed, app } = shelf
  const stored = yield* tree.pages
  const shown: ReadonlyArray<Placed> = [
    ...stored.filter(({ id }) => !computed.placeholders.has(id)),
    ...computed.pages
  ]
  const all = presentPages({ app, metadata: false }, shown)
  const storedById = new Map<string, PageRecord>(stored.map(({ id, page }) => [id, page]))
  const chosen = choose(all, computed, storedById, options)
  if (chosen === undefined) return undefined

  const records = new Map<string, PageRecord>(shown.map(({ id, page }) => [id, page]))
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
  const withBodies = chosen.filter(({ page }) => records.get(page.id)?.body !== undefined)
  for (let at = 0; at < withBodies.length; at += textBatchSize) {
    const some = withBodies.slice(at, at + textBatchSize)
    const bodies = yield* content.texts.getMany(some.map(({ page }) => records.get(page.id)!.body!))
    for (const [index, { page }] of some.entries()) {
      const text = yield* withInclusions(content, tree, bodies[index]!)
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

  const named = new Set<FileId>()
  for (const text of texts.values()) for (const [, id] of text.matchAll(fileNames)) named.add(id as FileId)
  for (const { page } of chosen) {
    if (page.type === "link" && page.target.kind === "file") named.add(page.target.file as FileId)
  }
  const files = yield* filesOf(shelf, named)

  const pages = chosen.map(({ page, depth }): BookPage => {
    const record = records.get(page.id)!
    const target = page.type === "link" ? targetOf(shelf, files, page.target) : undefined
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
  { tree, images, urlOf }: Shelf,
  ids: ReadonlySet<FileId>
): Effect.fn.Return<ReadonlyMap<FileId, BookFile>, StorageUnavailable> {
  const found: Array<readonly [FileId, FileRecord]> = []
  for (const id of ids) {
    const file = yield* tree.file(id)
    if (file !== undefined) found.push([id, file])
  }
  let left = maximumImageBytes
  const imageFiles = found.filter(([, file]) => {
    if (!imageType.test(file.contentType) || file.size > left) return false
    left -= file.size
    return true
  })
  const bytes = new Map<FileId, Uint8Array>()
  for (let at = 0; at < imageFiles.length; at += textBatchSize) {
    const some = imageFiles.slice(at, at + textBatchSize)
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
  { spaceApp }: Shelf,
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
