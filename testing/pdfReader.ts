/** Reads PDFs as a reader of them does: texts, links, outline, by pdf.js. */
import { getDocument, type PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs"

/** A link: what it stands on, and where it leads, an address or a page by its number. */
export interface ReadLink {
  readonly text: string
  readonly url?: string
  readonly page?: number
}

export interface ReadPage {
  readonly text: string
  readonly links: ReadonlyArray<ReadLink>
  readonly pictures: number
}

/** An entry of the outline, with the number of the page that it leads to. */
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

/** The operators that draw a picture. */
const drawing = new Set([85, 86, 88])

const numberOf = async (document: PDFDocumentProxy, dest: unknown): Promise<number> => {
  const found = typeof dest === "string" ? await document.getDestination(dest) : (dest as Array<unknown>)
  if (!found) throw new Error(`There is no place ${String(dest)}.`)
  return 1 + (await document.getPageIndex(found[0] as Parameters<PDFDocumentProxy["getPageIndex"]>[0]))
}

const readOutline = async (
  document: PDFDocumentProxy,
  items: ReadonlyArray<{ readonly title: string; readonly dest: unknown; readonly items: unknown }>
): Promise<ReadonlyArray<ReadOutline>> =>
  Promise.all(
    items.map(async ({ title, dest, items }) => ({
      title,
      page: await numberOf(document, dest),
      items: await readOutline(document, items as Parameters<typeof readOutline>[1])
    }))
  )

/** Reads a PDF. It throws where that is none. */
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
      const on = items.filter(({ transform, width, str }) => {
        const [x, y] = [transform[4]!, transform[5]!]
        return str.trim() !== "" && x < right && x + width > left && y >= bottom && y <= top
      })
      const text = on.map(({ str }) => str).join(" ")
      links.push(url === undefined ? { text, page: await numberOf(document, dest) } : { text, url })
    }
    pages.push({
      text: items.map(({ str, hasEOL }) => str + (hasEOL ? "\n" : "")).join(""),
      links,
      pictures: fnArray.filter((operator) => drawing.has(operator)).length
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

/** The texts of an outline, each as deep as it is. */
export const titlesOf = (outline: ReadonlyArray<ReadOutline>, depth = 0): ReadonlyArray<string> =>
  outline.flatMap(({ title, page, items }) => [
    `${"  ".repeat(depth)}${title} ${page}`,
    ...titlesOf(items, depth + 1)
  ])
