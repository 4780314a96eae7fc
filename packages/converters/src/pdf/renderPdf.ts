/** Makes the PDF of a book: cover, table of contents, pages, outline. */
import { type Book, type BookPage, isVerbatim, parseMarkdown } from "@lectern/core/conversion"
import type { Html } from "mdast"
import { Blocks } from "./blocks.ts"
import { Contents, type Entry } from "./contents.ts"
import { Flow, wholeFrame } from "./Flow.ts"
import { Links, placeOf } from "./links.ts"
import { Pictures } from "./pictures.ts"
import { Source } from "./spans.ts"
import { colors, page as paper, space, styles } from "./theme.ts"

/** The headings that are in the outline, with the pages. */
const deepestHeading = 3

/** The most bytes of a PDF. */
const mostBytes = 64 * 1024 * 1024

/** What comes of a book is too large. The message is for the one who asks. */
export class PdfTooLarge extends Error {}

/** The PDF of a book. Equal books give equal bytes. It throws where a PDF would be too large. */
export const renderPdf = async (book: Book): Promise<Uint8Array> => {
  const printed = new Set(pagesOf(book))
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
  const pictures = new Pictures(flow.document)
  const entries = entriesOf(book, printed, links)
  const contents = new Contents(flow, entries)
  let covers = 0
  if (book.hasContents) {
    putCover(flow, book)
    covers = flow.number
    flow.skip(contents.pages)
  }
  const outline = new Outline(flow)
  const numbers = new Map<string, number>()
  const groups: Array<BookPage> = []
  for (const page of book.pages) {
    if (!printed.has(page)) {
      if (page.type === "group") groups.push(page)
      continue
    }
    flow.turn()
    for (const group of groups.splice(0)) {
      numbers.set(group.id, flow.number)
      outline.page(group)
      flow.place(placeOf(group.id))
    }
    numbers.set(page.id, flow.number)
    outline.page(page)
    putPage(flow, page, links, pictures, outline)
  }
  if (!book.hasContents && printed.size === 0) flow.turn()
  flow.end()
  if (book.hasContents) {
    contents.put(numbers, covers + 1)
    flow.moveUp(contents.pages, covers)
  }
  // What is not in a page leads to its beginning.
  for (const [place, id] of links.wanted) flow.alias(place, placeOf(id))
  const bytes = await flow.finish()
  if (bytes.length > mostBytes)
    throw new PdfTooLarge(
      `This content makes a PDF of more than ${mostBytes / 1024 / 1024} MB. Export a part of it: one page, or the pages below one.`
    )
  return bytes
}

/** The pages that are printed: those with a text. What is asked for alone is printed whatever it is. */
const pagesOf = ({ pages }: Book): ReadonlyArray<BookPage> =>
  pages.length === 1 ? pages : pages.filter(({ type }) => type === "document")

/** The entries of the table of contents. */
const entriesOf = ({ pages }: Book, printed: ReadonlySet<BookPage>, links: Links): ReadonlyArray<Entry> =>
  pages.map((page) => {
    const { title, depth, type, target } = page
    if (printed.has(page) || type === "group") {
      return { title, depth, isGroup: type === "group", page: page.id, link: { place: placeOf(page.id) } }
    }
    const link = target === undefined ? undefined : links.ofTarget(target)
    const isHere = link !== undefined && "place" in link
    return {
      title,
      depth,
      isGroup: false,
      ...(link === undefined ? {} : { link }),
      ...(isHere && target !== undefined && "page" in target ? { page: target.page } : {})
    }
  })

const months = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" })

const putCover = (flow: Flow, { title, about, date }: Book): void => {
  flow.turn(false)
  flow.y = paper.height * 0.3
  flow.text([{ text: title, style: styles.coverTitle }], wholeFrame, styles.coverTitle)
  flow.gap(14)
  flow.slice(3, (top) => flow.document.rect(wholeFrame.left, top, 64, 3).fill(colors.link))
  flow.gap(14)
  if (about !== undefined) {
    flow.text([{ text: about, style: styles.coverAbout }], wholeFrame, styles.coverAbout)
    flow.gap(6)
  }
  flow.text(
    [{ text: months.format(new Date(date)), style: styles.coverAbout }],
    wholeFrame,
    styles.coverAbout
  )
}

const putPage = (flow: Flow, page: BookPage, links: Links, pictures: Pictures, outline: Outline): void => {
  flow.place(placeOf(page.id))
  flow.text([{ text: page.title, style: styles.title }], wholeFrame, styles.title)
  if (page.description !== undefined && page.description !== "") {
    flow.gap(4)
    flow.text([{ text: page.description, style: styles.description }], wholeFrame, styles.description)
  }
  flow.gap(space.heading)
  const root = parseMarkdown(page.markdown)
  const source = new Source(page, root, links, pictures)
  const blocks = new Blocks(flow, source, (title, level) => outline.heading(title, level))
  // A text that was made to hurt is shown as it came.
  if (isVerbatim(root)) blocks.literal((root.children[0] as Html).value, wholeFrame)
  else blocks.put(root)
  if (page.target !== undefined) {
    const link = links.ofTarget(page.target)
    if (link !== undefined && "url" in link) {
      flow.text(
        [{ text: link.url, style: { ...styles.body, color: colors.link, link } }],
        wholeFrame,
        styles.body
      )
    }
  }
}

/** The outline of a document: its pages as they are under each other, each with its headings. */
class Outline {
  private readonly flow: Flow
  private readonly pages: Array<PDFKit.PDFOutline> = []
  private headings: Array<{ readonly level: number; readonly item: PDFKit.PDFOutline }> = []

  constructor(flow: Flow) {
    this.flow = flow
  }

  /** Adds the page that begins here. */
  page({ title, depth }: BookPage): void {
    const above = this.pages.slice(0, depth).at(-1) ?? this.flow.document.outline
    this.pages.length = Math.min(this.pages.length, depth)
    this.pages.push(this.add(above, title))
    this.headings = []
  }

  /** Adds a heading of the page. */
  heading(title: string, level: number): void {
    if (level > deepestHeading) return
    while (this.headings.length > 0 && this.headings.at(-1)!.level >= level) this.headings.pop()
    const above = this.headings.at(-1)?.item ?? this.pages.at(-1)!
    this.headings.push({ level, item: this.add(above, title) })
  }

  private add(above: PDFKit.PDFOutline, title: string): PDFKit.PDFOutline {
    const top = Math.max(0, this.flow.y - 8)
    // The types leave out where on the page it leads. It counts from the right.
    return above.addItem(title, { expanded: false, top, left: paper.width } as { expanded: boolean })
  }
}
