/**
 * Parses the HTML that GitBook writes in Markdown.
 *
 * The tokenizer is that of parse5, which complies with the standard. The tree is strict: HTML with comments, with
 * elements that are not closed or not nested, or with duplicate attributes has no tree, so that the caller preserves it
 * verbatim. Parsing takes linear time, unlike the error recovery of browsers.
 */
import { type Token, type TokenHandler, Tokenizer } from "parse5"

/** An element. Its children are elements and text with character references, as in the source. */
export interface HtmlElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: ReadonlyArray<HtmlNode>
}

/** An element, or text with character references. */
export type HtmlNode = HtmlElement | string

/** A tag with its attributes. */
export interface HtmlTag {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly kind: "open" | "close" | "void"
}

const voidElements = new Set(["br", "hr", "img", "input", "source"])

/** The maximum depth of elements. */
const maximumDepth = 40

interface Located extends HtmlTag {
  readonly start: number
  readonly end: number
}

class Tags implements TokenHandler {
  readonly tags: Array<Located> = []
  text = ""
  isValid = true

  onStartTag(token: Token.TagToken): void {
    const { tagName, selfClosing } = token
    const attributes = new Map(token.attrs.map(({ name, value }) => [name, value]))
    if (selfClosing && !voidElements.has(tagName)) this.isValid = false
    this.add(token, { name: tagName, attributes, kind: voidElements.has(tagName) ? "void" : "open" })
  }

  onEndTag(token: Token.TagToken): void {
    if (token.attrs.length > 0 || voidElements.has(token.tagName)) this.isValid = false
    this.add(token, { name: token.tagName, attributes: new Map(), kind: "close" })
  }

  private add({ location }: Token.TagToken, tag: HtmlTag): void {
    if (location === null || location === undefined) this.isValid = false
    else this.tags.push({ ...tag, start: location.startOffset, end: location.endOffset })
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    this.text += chars
  }

  onWhitespaceCharacter({ chars }: Token.CharacterToken): void {
    this.text += chars
  }

  onNullCharacter(): void {
    this.isValid = false
  }

  onComment(): void {
    this.isValid = false
  }

  onDoctype(): void {
    this.isValid = false
  }

  onEof(): void {}

  onParseError({ code }: { readonly code: string }): void {
    if (code === "duplicate-attribute" || code.startsWith("eof-in")) this.isValid = false
  }
}

const tokenize = (source: string): Tags => {
  const tags = new Tags()
  new Tokenizer({ sourceCodeLocationInfo: true }, tags).write(source, true)
  return tags
}

/** Parses one tag, such as `<kbd>`. Returns undefined for anything else. */
export const parseTag = (source: string): HtmlTag | undefined => {
  const { tags, text, isValid } = tokenize(source)
  const [tag, other] = tags
  return isValid && text === "" && other === undefined && tag?.end === source.length ? tag : undefined
}

/** Parses HTML to its nodes. Returns undefined if the elements are not nested properly. */
export const parseHtml = (source: string): ReadonlyArray<HtmlNode> | undefined => {
  const { tags, isValid } = tokenize(source)
  if (!isValid) return undefined
  const roots: Array<HtmlNode> = []
  const open: Array<{ readonly tag: Located; readonly children: Array<HtmlNode> }> = []
  let children = roots
  let at = 0
  for (const tag of tags) {
    if (tag.start > at) children.push(source.slice(at, tag.start))
    at = tag.end
    if (tag.kind === "void") children.push({ name: tag.name, attributes: tag.attributes, children: [] })
    else if (tag.kind === "open") {
      const element = { tag, children: [] }
      children.push({ name: tag.name, attributes: tag.attributes, children: element.children })
      open.push(element)
      if (open.length > maximumDepth) return undefined
      children = element.children
    } else {
      if (open.pop()?.tag.name !== tag.name) return undefined
      children = open.at(-1)?.children ?? roots
    }
  }
  if (open.length > 0) return undefined
  if (at < source.length) children.push(source.slice(at))
  return roots
}

/** Decodes the character references of text. */
export const decodeText = (source: string): string =>
  source.includes("&") ? tokenize(source.replaceAll("<", "&lt;")).text : source

/** Decodes text like a browser displays it: line feeds and the indentation around them are one space. */
export const decodeInline = (source: string): string => decodeText(source.replace(/[ \t]*\n[ \t\n]*/g, " "))

/** Returns the children without text that consists of whitespace; undefined if there is other text. */
export const elementsIn = (children: ReadonlyArray<HtmlNode>): ReadonlyArray<HtmlElement> | undefined => {
  const elements: Array<HtmlElement> = []
  for (const child of children) {
    if (typeof child !== "string") elements.push(child)
    else if (!/^[ \t\n]*$/.test(child)) return undefined
  }
  return elements
}

/** Whether an element has only attributes with these names. */
export const hasOnly = (attributes: ReadonlyMap<string, string>, ...names: ReadonlyArray<string>): boolean =>
  [...attributes.keys()].every((name) => names.includes(name))

/** Writes a tag. Attributes that are undefined are omitted, and true attributes have no value. */
export const writeTag = (
  name: string,
  attributes: Readonly<Record<string, string | number | boolean | undefined>> = {}
): string => {
  let tag = `<${name}`
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    tag += value === true ? ` ${attribute}` : ` ${attribute}="${escapeAttribute(String(value))}"`
  }
  return `${tag}>`
}

const attributeEscapes: Readonly<Record<string, string>> = {
  "&": "&#x26;",
  '"': "&#x22;",
  "|": "&#x7C;",
  "\n": "&#10;",
  "\t": "&#9;"
}

const escapeAttribute = (value: string): string =>
  value.replace(/[&"|\n\t]/g, (character) => attributeEscapes[character]!)
