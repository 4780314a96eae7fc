/**
 * The inputs and results of reading imports: the work on bytes that may be large, or adversarial. `ImportReader` is the
 * port to it, and `@lectern/converters` does it in worker threads.
 */
import { Schema } from "effect"
import type { Outline } from "../content/outline/Outline.ts"

/** Bytes are not what they should be. The message goes on from "The address ": what it leads to, in a few words. */
export class NotReadable extends Schema.TaggedError<NotReadable>()("NotReadable", {
  message: Schema.String
}) {}

/** Where a link or an image of a text leads. */
export interface Target {
  readonly kind: "link" | "image"
  /** The address, absolute, or the path in an archive; `data:` of an image that comes with its page. */
  readonly url: string
  /** The destination that is written where this leads to nothing that was imported. */
  readonly otherwise: string
}

/**
 * A page as it was read. Where a link or an image leads is not known before all pages are there: the markdown has a
 * mark in the place of each destination, with its number among the targets.
 */
export interface ReadPage {
  readonly title: string | undefined
  readonly description: string | undefined
  readonly markdown: string
  readonly targets: ReadonlyArray<Target>
  /** What links name a place in the page by, and the anchor that its heading has here. */
  readonly anchors: Readonly<Record<string, string>>
}

/** An entry of the navigation of a website, of a wiki or of a book; without an address it is a heading. */
export interface Entry {
  readonly url: string | undefined
  readonly title: string
  readonly entries: ReadonlyArray<Entry>
}

/** A page of a website. */
export interface WebPage extends ReadPage {
  /** The addresses that it leads to and that may be followed. */
  readonly links: ReadonlyArray<string>
  readonly canonical: string | undefined
  /** Its navigation, where that was asked for and there is any. */
  readonly navigation: ReadonlyArray<Entry>
}

/** A file of an archive. */
export interface Unpacked {
  readonly path: string
  readonly bytes: Uint8Array
}

/** What all texts need: the mark of their import, which nobody outside can guess. */
interface Marked {
  readonly bytes: Uint8Array
  readonly mark: string
}

/** The kinds of reading: what goes in, and what comes out. */
export interface Readings {
  /** A web page; `isWhole` where all of it is content. */
  readonly html: {
    readonly in: Marked & {
      readonly url: string
      readonly isWhole?: boolean
      readonly withNavigation?: boolean
    }
    readonly out: WebPage
  }
  /** Markdown; relative destinations are resolved against `base`, an address or a path in an archive. */
  readonly markdown: {
    readonly in: Marked & { readonly base: string; readonly isWiki?: boolean }
    readonly out: ReadPage
  }
  readonly docx: { readonly in: Marked & { readonly url: string }; readonly out: ReadPage }
  readonly zip: {
    readonly in: { readonly bytes: Uint8Array }
    readonly out: { readonly files: ReadonlyArray<Unpacked>; readonly comment: string }
  }
  /** What a text that is about to be written is made of. */
  readonly outline: { readonly in: { readonly bytes: Uint8Array }; readonly out: Outline }
  /** The addresses in a sitemap: of pages, and of other sitemaps. */
  readonly sitemap: {
    readonly in: { readonly bytes: Uint8Array }
    readonly out: { readonly pages: ReadonlyArray<string>; readonly sitemaps: ReadonlyArray<string> }
  }
}
export type ReadingKind = keyof Readings

/** The mark of a target. */
export const markOf = (mark: string, index: number): string => `import:${mark}:${index}`

/** The text with something in the place of each mark. */
export const replaceMarks = (markdown: string, mark: string, by: (index: number) => string): string =>
  markdown.replaceAll(new RegExp(`import:${mark}:(\\d+)`, "g"), (_, index: string) => by(Number(index)))
