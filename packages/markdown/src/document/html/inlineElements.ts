/** The meaning of the inline elements that GitBook writes. */
import type { ContentRef, ImageRef, InlineAtom, InlineImage, Mark } from "@lectern/model/document"
import { colorNames } from "@lectern/model/document"
import { refOfImage, refOfLink, urlOf } from "../linkReferences.ts"
import { elementsIn, type HtmlElement, type HtmlTag, hasOnly } from "./htmlTree.ts"

type Attributes = HtmlTag["attributes"]

type PlainType = Exclude<Mark["type"], "color">

/** An inline node without its key, its marks and the fields that all nodes of its type have. */
export type AtomData = {
  [Node in InlineAtom as Node["type"]]: { readonly type: Node["type"]; readonly data: Node["data"] }
}[InlineAtom["type"]]

/** Whether a node is a link itself, which a link cannot contain. */
export const isLinked = ({ type }: AtomData): boolean => type === "mention" || type === "button"

/** The meaning of an element for its content. */
export type Meaning =
  | { readonly kind: "mark"; readonly mark: Mark }
  | { readonly kind: "link"; readonly ref: ContentRef; readonly title?: string }
  /** The text of an annotation, by the label of its footnote. */
  | { readonly kind: "annotation"; readonly label: string }
  /** A node without content, which is derived from the text of the element. Undefined for text that it cannot have. */
  | { readonly kind: "atom"; readonly read: (text: string) => AtomData | undefined }

const plainMark = (type: PlainType): Meaning => ({ kind: "mark", mark: { object: "mark", type } })

const marks: Readonly<Record<string, Meaning>> = {
  strong: plainMark("bold"),
  b: plainMark("bold"),
  em: plainMark("italic"),
  i: plainMark("italic"),
  del: plainMark("strikethrough"),
  s: plainMark("strikethrough"),
  kbd: plainMark("keyboard"),
  sup: plainMark("superscript"),
  sub: plainMark("subscript"),
  code: plainMark("code")
}

const elementNames = new Set([...Object.keys(marks), "mark", "a", "button", "span"])

/** Whether elements with a name can have a meaning in a line of text. */
export const isInlineName = (name: string): boolean => elementNames.has(name)

type ColorName = (typeof colorNames)[number]
const isColor = (value: string): value is ColorName => (colorNames as ReadonlyArray<string>).includes(value)

const readColor = (style: string): Mark | undefined => {
  const colors: { text: ColorName; background: ColorName } = { text: "default", background: "default" }
  let count = 0
  for (const declaration of style.split(";")) {
    if (declaration.trim() === "") continue
    const [name, value, more] = declaration.split(":").map((part) => part.trim())
    if (value === undefined || more !== undefined || !isColor(value)) return undefined
    if (name === "color") colors.text = value
    else if (name === "background-color") colors.background = value
    else return undefined
    count++
  }
  return count === 0 ? undefined : { object: "mark", type: "color", data: colors }
}

const iconPattern = /^(?:fa-)?([a-z0-9]+(?:-[a-z0-9]+)*)$/

const readIcon = (attributes: Attributes): Meaning | undefined => {
  const icon = /^fa-([a-z0-9]+(?:-[a-z0-9]+)*)$/.exec(attributes.get("class") ?? "")?.[1]
  if (icon === undefined || icon.length > 50 || !hasOnly(attributes, "class")) return undefined
  const isName = (text: string) => text === "" || text === `:${icon}:`
  return { kind: "atom", read: (text) => (isName(text) ? { type: "icon", data: { icon } } : undefined) }
}

const readButton = (
  name: string,
  attributes: Attributes
): Extract<Meaning, { readonly kind: "atom" }> | undefined => {
  const kind = /^button (primary|secondary)$/.exec(attributes.get("class") ?? "")?.[1]
  const written = attributes.get("data-icon")
  const icon = written === undefined ? undefined : iconPattern.exec(written)?.[1]
  if (kind === undefined || written !== icon) return undefined
  const action = attributes.get("data-action")
  const query = attributes.get("data-query")
  const isAction = name === "button"
  if (isAction ? action !== "ask" && action !== "search" : action !== undefined) return undefined
  const known = isAction
    ? ["type", "class", "data-action", "data-icon", "data-query"]
    : ["href", "class", "data-icon"]
  if (!hasOnly(attributes, ...known) || (isAction && (attributes.get("type") ?? "button") !== "button"))
    return undefined
  const data = {
    kind: kind as "primary" | "secondary",
    ...(icon === undefined ? {} : { icon }),
    ref: refOfLink(attributes.get("href") ?? ""),
    ...(isAction ? { action: action as "search" | "ask" } : {}),
    ...(query === undefined ? {} : { query })
  }
  return { kind: "atom", read: (label) => ({ type: "button", data: { label, ...data } }) }
}

/** The text of a mention of which the target has no title: the last segment of its path. */
export const defaultMentionText = (url: string): string => {
  const segments = url
    .split("#")[0]!
    .split("/")
    .filter((segment) => segment !== "" && segment !== "..")
  return segments.at(-1) ?? url
}

/** Converts the target and the text of a mention to its data. */
export const mentionData = (url: string, text: string) => ({
  ref: refOfLink(url),
  ...(text === defaultMentionText(url) ? {} : { text })
})

/** The text of a mention. */
export const mentionText = ({ ref, text }: { readonly ref: ContentRef; readonly text?: string }): string =>
  text ?? defaultMentionText(urlOf(ref))

const annotationPattern = /^#user-content-fn-([^\s[\]]+)$/

/** Returns the label of the footnote that a link refers to. */
export const annotationLabel = (url: string): string | undefined => annotationPattern.exec(url)?.[1]

const readAnchor = (attributes: Attributes): Meaning | undefined => {
  const url = attributes.get("href")
  if (attributes.has("class")) return readButton("a", attributes)
  if (url === undefined) return undefined
  if (attributes.has("data-footnote-ref")) {
    const label = annotationLabel(url)
    return label !== undefined && hasOnly(attributes, "href", "data-footnote-ref")
      ? { kind: "annotation", label }
      : undefined
  }
  if (attributes.has("data-mention")) {
    if (!hasOnly(attributes, "href", "data-mention")) return undefined
    return { kind: "atom", read: (text) => ({ type: "mention", data: mentionData(url, text) }) }
  }
  if (!hasOnly(attributes, "href", "title")) return undefined
  const title = attributes.get("title")
  return { kind: "link", ref: refOfLink(url), ...(title ? { title } : {}) }
}

const codePattern = /^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6}){0,15}$/

const readSpan = (attributes: Attributes): Meaning | undefined => {
  if (attributes.get("class") === "math" && hasOnly(attributes, "class")) {
    return { kind: "atom", read: (formula) => ({ type: "inline-math", data: { formula } }) }
  }
  if (!attributes.has("data-gb-custom-inline")) return undefined
  const code = attributes.get("data-code")
  const formula = attributes.get("data-formula")
  switch (attributes.get("data-tag")) {
    case "emoji":
      if (code === undefined || !codePattern.test(code)) return undefined
      if (!hasOnly(attributes, "data-gb-custom-inline", "data-tag", "data-code")) return undefined
      return { kind: "atom", read: () => ({ type: "emoji", data: { code } }) }
    case "math":
      if (formula === undefined) return undefined
      if (!hasOnly(attributes, "data-gb-custom-inline", "data-tag", "data-formula")) return undefined
      return {
        kind: "atom",
        read: (text) => (text === "" ? { type: "inline-math", data: { formula } } : undefined)
      }
    default:
      return undefined
  }
}

/** Returns the meaning of an inline element by its tag. Returns undefined for elements without a meaning. */
export const meaningOf = ({
  name,
  attributes
}: Pick<HtmlTag, "name" | "attributes">): Meaning | undefined => {
  switch (name) {
    case "a":
      return readAnchor(attributes)
    case "button":
      return readButton("button", attributes)
    case "span":
      return readSpan(attributes)
    case "mark": {
      const mark = hasOnly(attributes, "style") ? readColor(attributes.get("style") ?? "") : undefined
      return mark === undefined ? undefined : { kind: "mark", mark }
    }
    case "i":
      if (attributes.size > 0) return readIcon(attributes)
      break
    case "code":
      if (attributes.get("class") === "expression" && attributes.size === 1) {
        return {
          kind: "atom",
          read: (expression) =>
            expression === "" || expression.includes("\n")
              ? undefined
              : { type: "expression", data: { expression } }
        }
      }
  }
  return attributes.size === 0 && Object.hasOwn(marks, name) ? marks[name] : undefined
}

/** The data of an image, as an inline node or as a block. */
export interface ImageData {
  readonly ref: ImageRef
  readonly refDark?: ImageRef
  readonly alt?: string
  readonly width?: InlineImage["data"]["width"] & {}
  readonly height?: InlineImage["data"]["height"] & {}
  readonly size?: "original" | "line"
  /** The title of an image in a line of text. */
  readonly caption?: string
}

const lengthPattern = /^(\d{1,6}(?:\.\d{1,20})?)(%|[a-z]{1,4})?$/

/** Reads a length: a number of pixels, or a number with its unit. */
export const readLength = (written: string | undefined): InlineImage["data"]["width"] => {
  const [, number, unit] = lengthPattern.exec(written ?? "") ?? []
  if (number === undefined) return undefined
  return unit === undefined ? Number(number) : { unit, value: Number(number) }
}

/** Reads an `img`, or a `picture` with an image for dark mode. */
export const readImage = (element: HtmlElement): ImageData | undefined => {
  if (element.name === "img") return readImg(element.attributes)
  const elements = elementsIn(element.children)
  if (element.name !== "picture" || element.attributes.size > 0 || elements?.length !== 2) return undefined
  const [source, img] = elements as [HtmlElement, HtmlElement]
  const dark = source.attributes.get("srcset")
  const isDark = source.attributes.get("media") === "(prefers-color-scheme: dark)"
  if (source.name !== "source" || dark === undefined || !isDark) return undefined
  if (!hasOnly(source.attributes, "srcset", "media") || img.name !== "img") return undefined
  const data = readImg(img.attributes)
  return data === undefined ? undefined : { ...data, refDark: refOfImage(dark) }
}

const readImg = (attributes: Attributes): ImageData | undefined => {
  const url = attributes.get("src")
  if (url === undefined || !hasOnly(attributes, "src", "alt", "width", "height", "data-size", "title"))
    return undefined
  const size = attributes.get("data-size")
  if (size !== undefined && size !== "line" && size !== "original") return undefined
  const [width, height] = [readLength(attributes.get("width")), readLength(attributes.get("height"))]
  if ((attributes.has("width") && width === undefined) || (attributes.has("height") && height === undefined))
    return undefined
  const alt = attributes.get("alt")
  const title = attributes.get("title")
  return {
    ref: refOfImage(url),
    ...(title ? { caption: title } : {}),
    ...(alt ? { alt } : {}),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(size === undefined ? {} : { size })
  }
}
