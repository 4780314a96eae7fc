/** The document of one page, with the targets of its references: links, images, formulas and notes. */
import type { BookPage, ContentRef, JsonDocument } from "@lectern/formats/threads"
import type { Formulas } from "./formulas.ts"
import type { Highlighter } from "./highlight.ts"
import type { PdfImages } from "./images.ts"
import type { Link, PdfImage } from "./lines.ts"
import { destinationName, type Links } from "./links.ts"

/** The resources that all pages of a book share. */
export interface BookResources {
  readonly links: Links
  readonly images: PdfImages
  readonly formulas: Formulas
  readonly highlighter: Highlighter
}

/** A note of the page: a footnote or the text of an annotation. `body` is absent if the footnote has no definition. */
export interface Note {
  readonly number: number
  readonly anchor: string
  readonly body: NoteBody
}

/** The blocks of a note. */
export type NoteBody = JsonDocument["nodes"]

/** The document of one page. */
export class PageSource {
  readonly page: BookPage
  readonly document: JsonDocument
  readonly resources: BookResources
  private readonly footnotes: ReadonlyMap<string, NoteBody>
  private readonly notes = new Map<unknown, Note>()

  constructor(page: BookPage, document: JsonDocument, resources: BookResources) {
    this.page = page
    this.document = document
    this.resources = resources
    this.footnotes = new Map((document.data.footnotes ?? []).map(({ label, nodes }) => [label, nodes]))
  }

  /** Returns the note of a footnote by its label, or `undefined` if it has no definition. */
  footnote(label: string): Note | undefined {
    const body = this.footnotes.get(label)
    return body === undefined ? undefined : this.note(body, body)
  }

  /** Returns the note of a node. Notes are numbered in the order in which they are first requested. */
  note(node: object, body: NoteBody): Note {
    let note = this.notes.get(node)
    if (note === undefined) {
      const number = this.notes.size + 1
      note = { number, anchor: `note:${number}`, body }
      this.notes.set(node, note)
    }
    return note
  }

  /** Returns the notes after the given number, in order. Notes without a reference are last. */
  notesAfter(number: number): ReadonlyArray<Note> {
    if (number >= this.notes.size) for (const body of this.footnotes.values()) this.note(body, body)
    return [...this.notes.values()].slice(number)
  }

  /** Resolves the target of a link. */
  link(ref: ContentRef): Link | undefined {
    return this.resources.links.resolveRef(ref, this.page)
  }

  /** Returns the image of a reference, or `undefined` if it cannot be displayed. */
  image(ref: ContentRef): PdfImage | undefined {
    const bytes = this.resources.links.fileOf(ref)?.image
    return bytes === undefined ? undefined : this.resources.images.read(bytes)
  }

  /** Returns the name of a target without text: the title of a page, the name of a file, or an address. */
  nameOf(ref: ContentRef): string {
    const title = this.resources.links.titleOf(ref)
    if (title !== undefined) return title
    switch (ref.kind) {
      case "url":
        return this.resources.links.file(ref.url)?.name ?? ref.url
      case "anchor":
        return `#${ref.anchor}`
      case "file":
        return ref.file
      case "page":
        return ref.page
      case "user":
        return ref.user
      case "collection":
        return ref.collection
      case "space":
        return ref.space
    }
  }

  /** Returns the name of a destination on the page. */
  destination(anchor: string): string {
    return destinationName(this.page.id, anchor)
  }
}
