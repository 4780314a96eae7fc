/**
 * HTML that is escaped by construction. Names of elements and attributes are closed lists without anything that executes,
 * text and attribute values are escaped, and attributes with URLs accept only a {@link SafeUrl}.
 */
import type { SafeUrl } from "./urls.ts"

/** HTML. Only this module creates it. */
export class Html {
  /** The markup. */
  readonly text: string

  private constructor(text: string) {
    this.text = text
  }

  /** Wraps markup that this package has produced itself. Content of users must never reach it. */
  static readonly trusted = (markup: string): Html => new Html(markup)
}

/** The content of an element. Strings are escaped; `undefined` and `false` are nothing. */
export type Content = Html | string | number | undefined | false | ReadonlyArray<Content>

const voidElements = ["br", "col", "hr", "img", "input", "link", "meta", "wbr"] as const

const containerElements = [
  "a",
  "article",
  "aside",
  "audio",
  "b",
  "blockquote",
  "body",
  "button",
  "caption",
  "code",
  "colgroup",
  "dd",
  "del",
  "details",
  "dialog",
  "div",
  "dl",
  "dt",
  "em",
  "fieldset",
  "figcaption",
  "figure",
  "footer",
  "form",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "head",
  "header",
  "html",
  "iframe",
  "ins",
  "kbd",
  "label",
  "legend",
  "li",
  "main",
  "mark",
  "nav",
  "ol",
  "optgroup",
  "option",
  "output",
  "p",
  "path",
  "pre",
  "s",
  "search",
  "section",
  "select",
  "small",
  "span",
  "strong",
  "sub",
  "summary",
  "sup",
  "svg",
  "table",
  "tbody",
  "td",
  "template",
  "th",
  "thead",
  "time",
  "title",
  "tr",
  "ul",
  "video"
] as const

/** The name of an element. Scripts and styles are not among them. */
export type ElementName = (typeof voidElements)[number] | (typeof containerElements)[number]

/** The attributes whose values are text, numbers or flags. Event handlers and `style` are not among them. */
type TextAttribute =
  | "abbr"
  | "accept"
  | "allow"
  | "alt"
  | "autocomplete"
  | "autofocus"
  | "charset"
  | "checked"
  | "class"
  | "closedby"
  | "colspan"
  | "content"
  | "controls"
  | "d"
  | "datetime"
  | "decoding"
  | "dir"
  | "disabled"
  | "download"
  | "enterkeyhint"
  | "fetchpriority"
  | "fill"
  | "for"
  | "height"
  | "hidden"
  | "hreflang"
  | "id"
  | "inert"
  | "lang"
  | "loading"
  | "maxlength"
  | "media"
  | "method"
  | "minlength"
  | "name"
  | "open"
  | "placeholder"
  | "popover"
  | "popovertarget"
  | "preload"
  | "property"
  | "referrerpolicy"
  | "rel"
  | "required"
  | "reversed"
  | "role"
  | "rowspan"
  | "sandbox"
  | "scope"
  | "selected"
  | "sizes"
  | "span"
  | "start"
  | "tabindex"
  | "target"
  | "title"
  | "type"
  | "value"
  | "viewBox"
  | "width"
  | `aria-${string}`
  | `data-${string}`

/** The attributes whose values are URLs. */
type UrlAttribute = "action" | "cite" | "formaction" | "href" | "poster" | "src"

/** The attributes of an element. An attribute that is `undefined` or `false` is absent; `true` has no value. */
export type Attributes = { readonly [A in TextAttribute]?: string | number | boolean | undefined } & {
  readonly [A in UrlAttribute]?: SafeUrl | undefined
}

const voidNames: ReadonlySet<string> = new Set(voidElements)
const elementNames: ReadonlySet<string> = new Set([...voidElements, ...containerElements])

const escapePattern = /[&<>"']/g
const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/**
 * Matches the characters that neither HTML nor XML 1.0 permits, however they are written: controls, lone surrogates, U+FFFE and
 * U+FFFF.
 */
const forbiddenPattern = /(?![\t\n])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu

/**
 * Escapes text for content and for attribute values, of HTML and of XML. Characters that these do not permit are removed: no parser
 * of XML reads a feed or a page of a book with one of them.
 */
export const escapeText = (text: string): string =>
  text.replace(forbiddenPattern, "").replace(escapePattern, (character) => escapes[character]!)

const attributeNamePattern = /^(?!on)[a-z][a-z0-9-]*$/i

const writeAttributes = (attributes: Attributes): string => {
  let written = ""
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    if (name === "style" || name === "srcdoc" || !attributeNamePattern.test(name)) {
      throw new TypeError(`The attribute ${name} is not permitted.`)
    }
    written += value === true ? ` ${name}` : ` ${name}="${escapeText(String(value))}"`
  }
  return written
}

const writeContent = (content: Content): string => {
  if (content === undefined || content === false) return ""
  if (content instanceof Html) return content.text
  if (typeof content === "string") return escapeText(content)
  if (typeof content === "number") return String(content)
  let written = ""
  for (const part of content) written += writeContent(part)
  return written
}

/** Joins content. */
export const fragment = (...content: ReadonlyArray<Content>): Html => Html.trusted(writeContent(content))

/** Nothing. */
export const nothing: Html = Html.trusted("")

/**
 * Creates an element.
 *
 * @example
 * element("a", { href: url, class: "link" }, "Read more")
 */
export const element = (
  name: ElementName,
  attributes: Attributes,
  ...content: ReadonlyArray<Content>
): Html => {
  if (!elementNames.has(name)) throw new TypeError(`The element ${name} is not permitted.`)
  const start = `<${name}${writeAttributes(attributes)}>`
  return Html.trusted(voidNames.has(name) ? start : `${start}${writeContent(content)}</${name}>`)
}

/** Joins class names. Values that are `undefined` or `false` are omitted. */
export const classes = (...all: ReadonlyArray<string | undefined | false>): string | undefined => {
  const joined = all.filter((name) => name !== undefined && name !== false && name !== "").join(" ")
  return joined === "" ? undefined : joined
}

/** The elements that load the assets of a page: its style sheets, and its script. */
export const styleSheet = (href: SafeUrl): Html => element("link", { rel: "stylesheet", href })

/** The element that loads the script of the reader. `src` is the URL of an asset, never of content. */
export const script = (src: SafeUrl): Html => Html.trusted(`<script src="${escapeText(src)}"></script>`)

/** A whole document. */
export const htmlDocument = (html: Html): string => `<!doctype html>\n${html.text}\n`
