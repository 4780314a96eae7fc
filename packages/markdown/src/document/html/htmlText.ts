/** Reads and writes the text of blocks of HTML. */
import { decodeInline, type HtmlNode } from "./htmlTree.ts"

/** The text of an element that contains only text; undefined if it contains elements. */
export const textOnly = (children: ReadonlyArray<HtmlNode>): string | undefined =>
  children.every((child) => typeof child === "string") ? decodeInline(children.join("")) : undefined

/** Escapes text for HTML in Markdown. */
export const escapeText = (text: string): string =>
  text
    .replace(/[&<]/g, (character) => (character === "&" ? "&#x26;" : "&#x3C;"))
    .replaceAll("\n", "&#10;")
    .replaceAll("\t", "&#9;")

/** Escapes text at the start or the end of a block of HTML, whose whitespace is not significant. */
export const escapeBlockText = (html: string): string =>
  html.replace(/^ +| +$/g, (spaces) => "&#x20;".repeat(spaces.length))
