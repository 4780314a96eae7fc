/** Extracts text, links, images and the outline from PDFs with pdf.js. */
import { getDocument, type PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs"

/** A link: its text, and its target, which is a URL or the number of a page. */
export interface ReadLink {
  readonly text: string
  readonly url?: string
  readonly page?: number
}

/** The content of a page. */
export interface ReadPage {
  readonly text: string
  readonly links: ReadonlyArray<ReadLink>
  /** The number of images. */
  readonly pictures: number
}

/** An entry of the outline, with the number of its page. */
export interface ReadOutline {
  readonly title: string
  readonly page: number
  readonly items: ReadonlyArray<ReadOutline>
}

interface Item {
  readonly str: string
  readonly transform: ReadonlyArray<number>
  readonly width: number
  readonly hasEOL: boolean
}

interface Annotation {
  readonly subtype: string
  readonly rect: readonly [number, number, number, number]
  readonly url?: string
  readonly dest?: string
}

/** The operators of pdf.js that draw an image. */
const imageOperators = new Set([85, 86, 88])

/** Returns the number of the page of a destination, which is a name or an explicit destination. */
const resolvePageNumber = async (document: PDFDocumentProxy, dest: unknown): Promise<number> => {
  const destination =
    typeof dest === "string" ? await document.getDestination(dest) : (dest as Array<unknown>)
  if (!destination) throw new Error(`The PDF has no destination \`${String(dest)}\`.`)
  return 1 + (await document.getPageIndex(destination[0] as Parameters<PDFDocumentProxy["getPageIndex"]>[0]))
}

const readOutline = async (
  document: PDFDocumentProxy,
  items: ReadonlyArray<{ readonly title: string; readonly dest: unknown; readonly items: unknown }>
): Promise<ReadonlyArray<ReadOutline>> =>
  Promise.all(
    items.map(async ({ title, dest, items }) => ({
      title,
      page: await resolvePageNumber(document, dest),
      items: await readOutline(document, items as Parameters<typeof readOutline>[1])
    }))
  )

/** Reads a PDF. Rejects if the bytes are not a valid PDF. */
export const readPdf = async (bytes: Uint8Array) => {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 })
  const document = await task.promise
  const pages: Array<ReadPage> = []
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const items = (await page.getTextContent()).items as unknown as ReadonlyArray<Item>
    const annotations = (await page.getAnnotations()) as ReadonlyArray<Annotation>
    const { fnArray } = await page.getOperatorList()
    const links: Array<ReadLink> = []
    for (const { subtype, rect, url, dest } of annotations) {
      if (subtype !== "Link") continue
      const [left, bottom, right, top] = rect
      const coveredItems = items.filter(({ transform, width, str }) => {
        const [x, y] = [transform[4]!, transform[5]!]
        return str.trim() !== "" && x < right && x + width > left && y >= bottom && y <= top
      })
      const text = coveredItems.map(({ str }) => str).join(" ")
      links.push(url === undefined ? { text, page: await resolvePageNumber(document, dest) } : { text, url })
    }
    pages.push({
      text: items.map(({ str, hasEOL }) => str + (hasEOL ? "\n" : "")).join(""),
      links,
      pictures: fnArray.filter((operator) => imageOperators.has(operator)).length
    })
  }
  const outline = await readOutline(document, (await document.getOutline()) ?? [])
  const { info } = await document.getMetadata()
  await task.destroy()
  return {
    pages,
    outline,
    info: info as Record<string, unknown>,
    text: pages.map(({ text }) => text).join("\n")
  }
}

/** Returns the entries of an outline as lines with title and page number, indented by depth. */
export const titlesOf = (outline: ReadonlyArray<ReadOutline>, depth = 0): ReadonlyArray<string> =>
  outline.flatMap(({ title, page, items }) => [
    `${"  ".repeat(depth)}${title} ${page}`,
    ...titlesOf(items, depth + 1)
  ])
