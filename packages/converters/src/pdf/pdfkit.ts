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

/** Marked content of a page that belongs to an element. */
interface MarkedContent {
  readonly refs: ReadonlyArray<unknown>
}

/** Options of an element of the structure. */
export interface StructureOptions {
  /** The alternative text of a figure or a formula. */
  readonly alt?: string
  /** The language, as a BCP 47 tag. */
  readonly lang?: string
  /** The axis that a header cell describes. */
  readonly scope?: "Column" | "Row"
}

/** An element of the structure. */
export interface StructureElement {
  add(child: StructureElement | MarkedContent): unknown
  end(): void
}

/** A document. */
export type Document = Omit<
  typeof PDFDocument,
  "struct" | "addStructure" | "markStructureContent" | "markContent" | "link" | "goTo"
> & {
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
  /** Called when an object is written. */
  _refEnd: (object: PdfObject) => void
  openImage(bytes: Uint8Array): OpenImage
  struct(type: string, options?: StructureOptions): StructureElement
  addStructure(element: StructureElement): unknown
  markStructureContent(tag: string): MarkedContent
  markContent(tag: string): unknown
  endMarkedContent(): unknown
  link(x: number, y: number, width: number, height: number, url: string, options: LinkOptions): unknown
  goTo(x: number, y: number, width: number, height: number, name: string, options: LinkOptions): unknown
}

/** Options of an annotation: the element that it belongs to, and its text for screen readers. */
interface LinkOptions {
  readonly structParent: StructureElement
  readonly Contents: object
}

/** An object of the file. `data` and `buffer` are written when the object ends. */
interface PdfObject {
  data: { readonly Type?: unknown; readonly S?: unknown; readonly P?: unknown }
  buffer: ReadonlyArray<unknown>
  readonly uncompressedLength: number
}

/** The data of all released objects. pdfkit examines the parent `P` of elements that have ended. */
const releasedData = { P: true }

const noBuffer: ReadonlyArray<unknown> = []

/**
 * Releases the data of pages, annotations, elements and streams when they are written. pdfkit retains every object until the
 * document ends, for references by number, so that the memory would grow with the number of pages.
 */
const releaseWrittenObjects = (document: Document): void => {
  const onEnd = document._refEnd.bind(document)
  document._refEnd = (object) => {
    onEnd(object)
    const { Type, S, P } = object.data
    const isElement = S !== undefined && P !== undefined
    if (Type !== "Page" && Type !== "Annot" && !isElement && object.uncompressedLength === 0) return
    object.data = releasedData
    object.buffer = noBuffer
  }
}

/** Creates a document without pages. */
export const createDocument = (options: PDFKit.PDFDocumentOptions): Document => {
  const document = new PDFDocument({ margin: 0, autoFirstPage: false, ...options }) as unknown as Document
  releaseWrittenObjects(document)
  return document
}

/** Returns a string of PDF. pdfkit writes primitive strings as names. */
export const toPdfString = (text: string): object => Object(text) as object
