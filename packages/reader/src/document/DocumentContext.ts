/** The context of rendering a document, which is loaded before the renderer runs. */
import type { DocumentBlock, DocumentInline } from "@lectern/core"
import type { OpenApiDocument } from "@lectern/markdown/openapi"
import type { Html } from "../html/Html.ts"
import type { SafeUrl } from "../html/urls.ts"
import type { Messages } from "../page/messages.ts"

/** The target of a link. */
export type LinkRef = DocumentInline.ContentRef

/** A file or a URL of an image. */
export type ImageRef = DocumentInline.ImageRef

/** A link that readers can follow. */
export interface ResolvedLink {
  readonly href: SafeUrl
  /** The title of the target: that of a page, or the name of a file. */
  readonly title?: string | undefined
  /** The icon of the target page. */
  readonly icon?: Html | undefined
  /** The description of the target page. */
  readonly description?: string | undefined
  /** Whether the target is outside of the site. */
  readonly isExternal: boolean
}

/** An image that readers can load. */
export interface ResolvedImage {
  readonly src: SafeUrl
  /** The width in pixels, if it is known. */
  readonly width?: number | undefined
  /** The height in pixels, if it is known. */
  readonly height?: number | undefined
}

/** A file that readers can download. */
export interface ResolvedFile {
  readonly href: SafeUrl
  readonly name: string
  /** The size in bytes, if it is known. */
  readonly size?: number | undefined
  readonly contentType?: string | undefined
}

/** A run of code with the class of its color, which is empty for plain text. */
export type CodeToken = readonly [text: string, className: string]

/** The context of rendering a document. A result that is `undefined` is rendered without a link, a color or an image. */
export interface DocumentContext {
  readonly messages: Messages
  /** Resolves the target of a link on the page. */
  readonly link: (ref: LinkRef) => ResolvedLink | undefined
  readonly image: (ref: ImageRef) => ResolvedImage | undefined
  readonly file: (ref: ImageRef) => ResolvedFile | undefined
  /** Returns the colored lines of code. */
  readonly code: (
    syntax: string | undefined,
    text: string
  ) => ReadonlyArray<ReadonlyArray<CodeToken>> | undefined
  /** Returns a formula as MathML. */
  readonly math: (formula: string, isBlock: boolean) => Html | undefined
  /** Returns an OpenAPI document by the slug of its spec, or by its URL. */
  readonly openApi: (source: string) => OpenApiDocument | undefined
  /** Returns the value of an expression, such as a variable of the space. */
  readonly expression: (expression: string) => string | undefined
  /** Returns the URL of the search, with an optional query. */
  readonly searchUrl: (query: string | undefined) => SafeUrl
  /** Whether blocks with conditions are displayed with their conditions, as in previews. */
  readonly showsConditions: boolean
  /** Whether links to other websites open in a new tab. */
  readonly opensNewTab: boolean
}

/** A heading of the outline of a page. */
export interface OutlineEntry {
  readonly id: string
  readonly text: string
  /** 1 for the headings of the highest level on the page, 2 for those below. */
  readonly level: number
}

/** A block of a document. */
export type Block = DocumentBlock.Block
