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

/** The map from the pages and annotations of a document to the elements of their content. */
export interface ParentTree {
  get(key: number): unknown
  add(key: number, value: unknown): unknown
}

/** A document. */
export type Document = Omit<
  typeof PDFDocument,
  | "struct"
  | "addStructure"
  | "markStructureContent"
  | "markContent"
  | "link"
  | "goTo"
  | "ref"
  | "page"
  | "getStructTreeRoot"
> & {
  /** The current font. */
  readonly _font: OpenFont
  readonly _root: {
    readonly data: {
      /** All pages, in order. */
      readonly Pages: { readonly data: { Kids: Array<unknown> } }
      readonly Names: { readonly data: { Dests: object } }
      Outlines?: PdfObject
      PageMode?: string
    }
  }
  readonly page: { readonly dictionary: PdfObject; readonly content: PdfObject }
  /** The number of bytes that are written. */
  _offset: number
  /** The number of objects that are not written yet. */
  readonly _waiting: number
  /** Writes bytes, or a line of text whose characters are bytes. */
  _write: (data: Uint8Array | string) => void
  /** Called when an object is written. */
  _refEnd: (object: PdfObject) => void
  /** Writes all pages. */
  flushPages: () => void
  ref(data: object): PdfObject
  getStructTreeRoot(): { readonly data: { ParentTree: ParentTree } }
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
export interface PdfObject {
  data: { readonly Type?: unknown; readonly S?: unknown; readonly P?: unknown }
  buffer: ReadonlyArray<unknown>
  readonly uncompressedLength: number
  write: (chunk: Uint8Array | string) => void
  finalize: () => void
  end(bytes?: Uint8Array): void
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
    release(object)
  }
}

const release = (object: PdfObject): void => {
  object.data = releasedData
  object.buffer = noBuffer
}

/** Writes an object without a stream, and releases its data. */
export const endObject = (object: PdfObject): PdfObject => {
  object.end()
  release(object)
  return object
}

/** The number of characters of a page that are converted to bytes together. */
const contentBatch = 16 * 1024

/**
 * Converts the operators of pages to bytes in batches. pdfkit creates an array for each operator, so that the memory of the
 * process would grow with fragmentation.
 */
const batchContent = (document: Document): void => {
  document.on("pageAdded", () => {
    const { content } = document.page
    const write = content.write.bind(content)
    const finalize = content.finalize.bind(content)
    let text = ""
    const flush = () => {
      if (text !== "") write(Buffer.from(text, "latin1"))
      text = ""
    }
    content.write = (chunk) => {
      if (typeof chunk === "string") {
        text += `${chunk}\n`
        if (text.length >= contentBatch) flush()
      } else {
        flush()
        write(chunk)
      }
    }
    content.finalize = () => {
      flush()
      finalize()
    }
  })
}

/**
 * The parent tree of a document. It writes the entries of each page when the page ends: pdfkit retains all entries,
 * with a reference to every element. Its own enumerable properties are its entries in the file.
 */
class WrittenParentTree implements ParentTree {
  readonly Kids: Array<PdfObject> = []
  readonly #document: Document
  #entries = new Map<number, unknown>()

  constructor(document: Document) {
    this.#document = document
  }

  get(key: number): unknown {
    return this.#entries.get(key)
  }

  add(key: number, value: unknown): unknown {
    this.#entries.set(key, value)
    return value
  }

  /** Writes the entries of pages that have ended. Their keys are ascending. */
  writeEntries(): void {
    if (this.#entries.size === 0) return
    const keys = [...this.#entries.keys()]
    this.Kids.push(
      endObject(
        this.#document.ref({
          Limits: [keys[0], keys.at(-1)],
          Nums: [...this.#entries].flat()
        })
      )
    )
    this.#entries = new Map()
  }
}

const writeParentTree = (document: Document): void => {
  const tree = new WrittenParentTree(document)
  document.getStructTreeRoot().data.ParentTree = tree
  const flushPages = document.flushPages.bind(document)
  document.flushPages = () => {
    flushPages()
    tree.writeEntries()
  }
}

/** Creates a document without pages. */
export const createDocument = (options: PDFKit.PDFDocumentOptions): Document => {
  const document = new PDFDocument({ margin: 0, autoFirstPage: false, ...options }) as unknown as Document
  releaseWrittenObjects(document)
  batchContent(document)
  writeParentTree(document)
  return document
}

/** Receives the bytes of a document as they are written. */
export interface PdfSink {
  /** Adds bytes, which are valid during the call. */
  addBytes(bytes: Uint8Array): void
  /** Adds text whose characters are bytes. */
  addText(text: string): void
}

/** Writes a document to a sink. The buffers of its stream would hold several thousand small arrays per page. */
export const redirectOutput = (document: Document, sink: PdfSink): void => {
  const start = document.read() as Uint8Array | null
  if (start !== null) sink.addBytes(start)
  document._write = (data) => {
    if (typeof data === "string") sink.addText(`${data}\n`)
    else sink.addBytes(data)
    document._offset += typeof data === "string" ? data.length + 1 : data.length
  }
}

/** Returns a string of PDF. pdfkit writes primitive strings as names. */
export const toPdfString = (text: string): object => Object(text) as object
