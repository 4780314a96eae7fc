/**
 * The logical structure of a document, which screen readers use: elements such as paragraphs, lists and tables, in
 * reading order. Content that is drawn outside of `artifact` belongs to the current element.
 */
import type { Document, StructureElement, StructureOptions } from "./pdfkit.ts"

/** The types of elements in PDF. */
export type ElementType =
  | "Document"
  | "Sect"
  | "Div"
  | "P"
  | "H1"
  | "H2"
  | "H3"
  | "H4"
  | "H5"
  | "H6"
  | "TOC"
  | "TOCI"
  | "L"
  | "LI"
  | "Lbl"
  | "LBody"
  | "BlockQuote"
  | "Code"
  | "Caption"
  | "Note"
  | "Link"
  | "Figure"
  | "Formula"
  | "Table"
  | "TR"
  | "TH"
  | "TD"

/** Builds the structure while content is drawn. */
export class Structure {
  private readonly document: Document
  private readonly elements: Array<{ readonly element: StructureElement; readonly type: ElementType }> = []
  private isContentOpen = false
  private suspensions = 0

  constructor(document: Document) {
    this.document = document
    const element = document.struct("Document")
    document.addStructure(element)
    this.elements.push({ element, type: "Document" })
  }

  /** Adds an element to the current one, whose content follows in {@link continue}. */
  open(type: ElementType, options: StructureOptions = {}): StructureElement {
    const element = this.document.struct(type, options)
    this.elements.at(-1)!.element.add(element)
    return element
  }

  /** Adds content to an element that was opened. */
  continue(element: StructureElement, type: ElementType, draw: () => void): void {
    this.closeContent()
    this.elements.push({ element, type })
    draw()
    this.closeContent()
    this.elements.pop()
  }

  /** Adds an element with its content. */
  within(type: ElementType, draw: () => void, options: StructureOptions = {}): void {
    if (this.suspensions > 0) {
      draw()
      return
    }
    const element = this.open(type, options)
    this.continue(element, type, draw)
    element.end()
  }

  /** The current element. */
  get current(): StructureElement {
    return this.elements.at(-1)!.element
  }

  /** Assigns the content that is drawn next to the current element. */
  openContent(): void {
    if (this.isContentOpen) return
    const { element, type } = this.elements.at(-1)!
    element.add(this.document.markStructureContent(type))
    this.isContentOpen = true
  }

  /** Ends the content of the current element on this page, for example before the page ends. */
  closeContent(): void {
    if (!this.isContentOpen) return
    this.document.endMarkedContent()
    this.isContentOpen = false
  }

  /** Draws decoration, which screen readers skip. */
  artifact(draw: () => void): void {
    this.closeContent()
    this.document.markContent("Artifact")
    draw()
    this.document.endMarkedContent()
  }

  /** Runs a function that draws nothing, such as a measurement, without adding elements. */
  suspend(run: () => void): void {
    this.suspensions++
    try {
      run()
    } finally {
      this.suspensions--
    }
  }

  /** Whether elements are not added. */
  get isSuspended(): boolean {
    return this.suspensions > 0
  }
}
