/** pdfkit, with the parts of it that its types leave out: this is the one place that knows of them. */
import PDFDocument from "pdfkit"

/** A font that is open. `layoutCache` has what it remembers of texts, without end. */
export interface OpenFont {
  readonly font: { hasGlyphForCodePoint(codePoint: number): boolean }
  layoutCache?: object
}

/** A picture as pdfkit reads it. An orientation over 4 is that of one that lies on its side. */
interface OpenImage {
  readonly width: number
  readonly height: number
  readonly orientation?: number
}

/** A place in the document: a page, how it is shown, the distances from its left and its lower edge, how large. */
export type Destination = readonly [page: unknown, "XYZ", null, number, null]

/** A document. */
export type Document = typeof PDFDocument & {
  /** The font that is set in at the moment. */
  readonly _font: OpenFont
  readonly _root: {
    readonly data: {
      /** All pages in their order. */
      readonly Pages: { readonly data: { Kids: Array<unknown> } }
      readonly Names: {
        readonly data: { readonly Dests: { add(name: string, destination: Destination): void } }
      }
    }
  }
  openImage(bytes: Uint8Array): OpenImage
}

/** A new document without any page. */
export const makeDocument = (options: PDFKit.PDFDocumentOptions): Document =>
  new PDFDocument({ margin: 0, autoFirstPage: false, ...options }) as unknown as Document
