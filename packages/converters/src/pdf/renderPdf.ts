/** Renders the PDF of a book: cover, table of contents, pages, outline. */
import { type Book, type BookPage, fromMarkdown } from "@lectern/formats/threads"
import { Blocks } from "./blocks.ts"
import { type ContentsEntry, TableOfContents } from "./contents.ts"
import { Flow, wholeFrame } from "./Flow.ts"
import { Formulas } from "./formulas.ts"
import { Highlighter } from "./highlight.ts"
import { PdfImages } from "./images.ts"
import { detectLanguage } from "./language.ts"
import { destinationName, Links } from "./links.ts"
import { Outline } from "./Outline.ts"
import { type BookResources, PageSource } from "./PageSource.ts"
import { PdfOutput } from "./PdfOutput.ts"
import { isSvg, loadSvgRenderer } from "./svg.ts"
import { colors, paper, space, styles } from "./theme.ts"

/** The language of a book without a language of its own, if its script does not determine one. */
const defaultLanguage = "en"

/** Options of {@link writePdf}. */
export interface RenderOptions {
  /** The paths of font files, in order of preference, for characters that the default fonts do not contain. */
  readonly fonts?: ReadonlyArray<string>
  /** Called after each page with the numbers of rendered pages and of all pages. */
  readonly onProgress?: (rendered: number, total: number) => void
  /** Whether the Markdown of a page is released when the page is rendered. The book cannot be used afterwards. */
  readonly releasesBook?: boolean
}

/**
 * Renders a book on the calling thread, and writes its bytes in blocks while it is rendered. The same book always results
 * in the same bytes. Throws `PdfTooLarge`.
 */
export const writePdf = async (
  book: Book,
  write: (block: Uint8Array) => void | Promise<void>,
  options: RenderOptions = {}
): Promise<void> => {
  const printed = new Set(printedPages(book))
  const language = book.language ?? detectLanguage(languageSample(book)) ?? defaultLanguage
  const flow = new Flow(
    {
      pdfVersion: "1.7",
      displayTitle: true,
      lang: language,
      info: {
        Title: book.title,
        ...(book.about === undefined ? {} : { Subject: book.about }),
        Creator: "Lectern",
        Producer: "Lectern",
        CreationDate: new Date(book.date)
      }
    },
    book.title,
    options.fonts
  )
  const output = new PdfOutput(flow, write)
  const links = new Links(book, new Set(Array.from(printed, ({ id }) => id)))
  const resources: BookResources = {
    links,
    images: new PdfImages(flow.document),
    formulas: new Formulas(),
    highlighter: new Highlighter()
  }
  if ([...book.files.values()].some(({ image }) => image !== undefined && isSvg(image)))
    await loadSvgRenderer()
  const contents = new TableOfContents(flow, contentsEntries(book, printed, links))
  let coverPages = 0
  if (book.hasContents) {
    addCover(flow, book)
    coverPages = flow.pageNumber
    flow.reservePages(contents.pageCount)
  }
  const outline = new Outline(flow)
  const numbers = new Map<string, number>()
  const groups: Array<BookPage> = []
  let rendered = 0
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
    await resources.formulas.loadFor(page.markdown)
    await resources.highlighter.loadFor(page.markdown)
    const pageLanguage = detectLanguage(page.markdown) ?? language
    flow.structure.within(
      "Sect",
      () => addPage(flow, page, resources, outline),
      pageLanguage === language ? {} : { lang: pageLanguage }
    )
    if (options.releasesBook === true) (page as { markdown: string }).markdown = ""
    options.onProgress?.(++rendered, printed.size)
    await output.flush()
  }
  if (!book.hasContents && printed.size === 0) flow.startPage()
  flow.endPage()
  if (book.hasContents) {
    contents.addTo(numbers, coverPages + 1)
    flow.moveLastPages(contents.pageCount, coverPages)
  }
  // Links to missing headings point to the start of their page.
  for (const [destination, id] of links.referenced) flow.addAlias(destination, destinationName(id))
  outline.finish()
  await output.finish()
}

/** Renders a book as {@link writePdf} does, and returns all bytes. */
export const renderPdf = async (book: Book, options: RenderOptions = {}): Promise<Uint8Array> => {
  const blocks: Array<Uint8Array> = []
  await writePdf(book, (block) => void blocks.push(block), options)
  return Buffer.concat(blocks)
}

/** The maximum number of pages whose text is examined for the language of a book. */
const sampledPages = 20

const languageSample = ({ title, pages }: Book): string =>
  [
    title,
    ...pages.slice(0, sampledPages).map(({ title, markdown }) => `${title} ${markdown.slice(0, 200)}`)
  ].join(" ")

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
  const addParagraph = (text: string, style: typeof styles.coverTitle) =>
    flow.structure.within("P", () => flow.addText([{ text, style }], wholeFrame, style))
  addParagraph(title, styles.coverTitle)
  flow.addGap(14)
  flow.addArtifact(3, (top) => flow.document.rect(wholeFrame.left, top, 64, 3).fill(colors.link))
  flow.addGap(14)
  if (about !== undefined) {
    addParagraph(about, styles.coverAbout)
    flow.addGap(6)
  }
  addParagraph(dateFormat.format(new Date(date)), styles.coverAbout)
}

const addPage = (flow: Flow, page: BookPage, resources: BookResources, outline: Outline): void => {
  flow.addDestination(destinationName(page.id))
  flow.structure.within("H1", () =>
    flow.addText([{ text: page.title, style: styles.title }], wholeFrame, styles.title)
  )
  if (page.description !== undefined && page.description !== "") {
    flow.addGap(4)
    const spans = [{ text: page.description, style: styles.description }]
    flow.structure.within("P", () => flow.addText(spans, wholeFrame, styles.description))
  }
  flow.addGap(space.heading)
  const source = new PageSource(page, fromMarkdown(page.markdown), resources)
  const blocks = new Blocks(flow, source, (title, level) => outline.addHeading(title, level))
  blocks.addPage()
  if (page.target !== undefined) {
    const link = resources.links.resolveTarget(page.target)
    if (link !== undefined && "url" in link) {
      const style = { ...styles.body, color: colors.link, link }
      blocks.addParagraph([{ text: link.url, style }], wholeFrame, styles.body)
    }
  }
}
