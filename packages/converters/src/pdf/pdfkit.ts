/** Types for the parts of pdfkit that its own types omit. No other file depends on them. */
import PDFDocument from "pdfkit"

/** A loaded font. `layoutCache` is pdfkit's cache of laid-out strings, which is unbounded. */
export interface OpenFont {
  readonly font: { hasGlyphForCodePoint(codePoint: number): boolean }
  layoutCache?: object
}

/** An image that pdfkit has read. An EXIF orientation above 4 means that width and height are swapped. */
interface OpenImage {
  readonly width: number
  readonly height: number
  readonly orientation?: number
}

/** An explicit destination of PDF: the page, the fit mode, the coordinates from its lower left corner, and the zoom. */
export type Destination = readonly [page: unknown, "XYZ", null, number, null]

/** A document. */
export type Document = typeof PDFDocument & {
  /** The current font. */
  readonly _font: OpenFont
  readonly _root: {
    readonly data: {
      /** All pages, in order. */
      readonly Pages: { readonly data: { Kids: Array<unknown> } }
      readonly Names: {
        readonly data: { readonly Dests: { add(name: string, destination: Destination): void } }
      }
    }
  }
  openImage(bytes: Uint8Array): OpenImage
}

/** Creates a document without pages. */
export const createDocument = (options: PDFKit.PDFDocumentOptions): Document =>
  new PDFDocument({ margin: 0, autoFirstPage: false, ...options }) as unknown as Document
