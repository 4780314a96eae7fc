/** Renders the PDF of a book: cover, table of contents, pages, outline. */
import { type Book, type BookPage, isVerbatim, parseMarkdown } from "@lectern/core/conversion"
import type { Html } from "mdast"
import { Blocks } from "./blocks.ts"
import { type ContentsEntry, TableOfContents } from "./contents.ts"
import { Flow, wholeFrame } from "./Flow.ts"
import { PdfImages } from "./images.ts"
import { destinationName, Links } from "./links.ts"
import { PageSource } from "./spans.ts"
import { colors, paper, space, styles } from "./theme.ts"

/** The lowest level of headings in the outline. */
const maxOutlineLevel = 3

/** The maximum size of a PDF, in bytes. */
const maxPdfBytes = 64 * 1024 * 1024

/** The PDF of a book exceeds the size limit of 64 MB. The message can be shown to users. */
export class PdfTooLarge extends Error {}

/** Renders a book on the calling thread. The same book always results in the same bytes. Throws `PdfTooLarge`. */
export const renderPdf = async (book: Book): Promise<Uint8Array> => {
  const printed = new Set(printedPages(book))
  const flow = new Flow(
    {
      pdfVersion: "1.7",
      displayTitle: true,
      info: {
        Title: book.title,
        ...(book.about === undefined ? {} : { Subject: book.about }),
        Creator: "Lectern",
        Producer: "Lectern",
        CreationDate: new Date(book.date)
      }
    },
    book.title
  )
  const links = new Links(book, new Set(Array.from(printed, ({ id }) => id)))
  const images = new PdfImages(flow.document)
  const entries = contentsEntries(book, printed, links)
  const contents = new TableOfContents(flow, entries)
  let coverPages = 0
  if (book.hasContents) {
    addCover(flow, book)
    coverPages = flow.pageNumber
    flow.reservePages(contents.pageCount)
  }
  const outline = new Outline(flow)
  const numbers = new Map<string, number>()
  const groups: Array<BookPage> = []
  for (const page of book.pages) {
    if (!printed.has(page)) {
      if (page.type === "group") groups.push(page)
      continue
    }
    flow.startPage()
    for (const group of groups.splice(0)) {
      numbers.set(group.id, flow.pageNumber)
      outline.addPage(group)
      flow.addDestination(destinationName(group.id))
    }
    numbers.set(page.id, flow.pageNumber)
    outline.addPage(page)
    addPage(flow, page, links, images, outline)
  }
  if (!book.hasContents && printed.size === 0) flow.startPage()
  flow.endPage()
  if (book.hasContents) {
    contents.addTo(numbers, coverPages + 1)
    flow.moveLastPages(contents.pageCount, coverPages)
  }
  // Links to missing headings point to the start of their page.
  for (const [destination, id] of links.referenced) flow.addAlias(destination, destinationName(id))
  const bytes = await flow.finish()
  if (bytes.length > maxPdfBytes)
    throw new PdfTooLarge(
      `The PDF of this content is larger than ${maxPdfBytes / 1024 / 1024} MB. Export a part of it: one page, or the pages below one.`
    )
  return bytes
}

/** Returns the pages to print: pages of type `document`, or the only page of a book, of any type. */
const printedPages = ({ pages }: Book): ReadonlyArray<BookPage> =>
  pages.length === 1 ? pages : pages.filter(({ type }) => type === "document")

/** Returns the entries of the table of contents. */
const contentsEntries = (
  { pages }: Book,
  printed: ReadonlySet<BookPage>,
  links: Links
): ReadonlyArray<ContentsEntry> =>
  pages.map((page) => {
    const { title, depth, type, target } = page
    if (printed.has(page) || type === "group") {
      return {
        title,
        depth,
        isGroup: type === "group",
        page: page.id,
        link: { destination: destinationName(page.id) }
      }
    }
    const link = target === undefined ? undefined : links.resolveTarget(target)
    const isInDocument = link !== undefined && "destination" in link
    return {
      title,
      depth,
      isGroup: false,
      ...(link === undefined ? {} : { link }),
      ...(isInDocument && target !== undefined && "page" in target ? { page: target.page } : {})
    }
  })

const dateFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" })

const addCover = (flow: Flow, { title, about, date }: Book): void => {
  flow.startPage(false)
  flow.y = paper.height * 0.3
  flow.addText([{ text: title, style: styles.coverTitle }], wholeFrame, styles.coverTitle)
  flow.addGap(14)
  flow.addBlock(3, (top) => flow.document.rect(wholeFrame.left, top, 64, 3).fill(colors.link))
  flow.addGap(14)
  if (about !== undefined) {
    flow.addText([{ text: about, style: styles.coverAbout }], wholeFrame, styles.coverAbout)
    flow.addGap(6)
  }
  flow.addText(
    [{ text: dateFormat.format(new Date(date)), style: styles.coverAbout }],
    wholeFrame,
    styles.coverAbout
  )
}

const addPage = (flow: Flow, page: BookPage, links: Links, images: PdfImages, outline: Outline): void => {
  flow.addDestination(destinationName(page.id))
  flow.addText([{ text: page.title, style: styles.title }], wholeFrame, styles.title)
  if (page.description !== undefined && page.description !== "") {
    flow.addGap(4)
    flow.addText([{ text: page.description, style: styles.description }], wholeFrame, styles.description)
  }
  flow.addGap(space.heading)
  const root = parseMarkdown(page.markdown)
  const source = new PageSource(page, root, links, images)
  const blocks = new Blocks(flow, source, (title, level) => outline.addHeading(title, level))
  // The parser returns adversarial input as a single verbatim node.
  if (isVerbatim(root)) blocks.addLiteral((root.children[0] as Html).value, wholeFrame)
  else blocks.addPage(root)
  if (page.target !== undefined) {
    const link = links.resolveTarget(page.target)
    if (link !== undefined && "url" in link) {
      flow.addText(
        [{ text: link.url, style: { ...styles.body, color: colors.link, link } }],
        wholeFrame,
        styles.body
      )
    }
  }
}

/** The outline (bookmarks) of a document: its tree of pages, each with its headings. */
class Outline {
  private readonly flow: Flow
  private readonly pages: Array<PDFKit.PDFOutline> = []
  private headings: Array<{ readonly level: number; readonly item: PDFKit.PDFOutline }> = []

  constructor(flow: Flow) {
    this.flow = flow
  }

  /** Adds the page that starts at the current position. */
  addPage({ title, depth }: BookPage): void {
    const parent = this.pages.slice(0, depth).at(-1) ?? this.flow.document.outline
    this.pages.length = Math.min(this.pages.length, depth)
    this.pages.push(this.addItem(parent, title))
    this.headings = []
  }

  /** Adds a heading of the current page. */
  addHeading(title: string, level: number): void {
    if (level > maxOutlineLevel) return
    while (this.headings.length > 0 && this.headings.at(-1)!.level >= level) this.headings.pop()
    const parent = this.headings.at(-1)?.item ?? this.pages.at(-1)!
    this.headings.push({ level, item: this.addItem(parent, title) })
  }

  private addItem(parent: PDFKit.PDFOutline, title: string): PDFKit.PDFOutline {
    const top = Math.max(0, this.flow.y - 8)
    // pdfkit's types omit the position on the page. It counts `left` from the right edge.
    return parent.addItem(title, { expanded: false, top, left: paper.width } as { expanded: boolean })
  }
}
