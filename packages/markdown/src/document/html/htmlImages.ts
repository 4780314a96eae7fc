/** Converts figures to images. */
import type { Drawing, Image, Images, SimpleInline } from "@lectern/model/document"
import { refOfImage } from "../linkReferences.ts"
import { readHtmlInlines, type TakeAnnotation } from "./htmlInlines.ts"
import { elementsIn, type HtmlElement, type HtmlNode, hasOnly } from "./htmlTree.ts"
import { readImage } from "./inlineElements.ts"

const flags: Readonly<Record<string, boolean>> = { true: true, "": true, false: false }

/** Converts a figure, an image, or a `div` with them. Returns undefined for other HTML. */
export const readImages = (
  element: HtmlElement,
  key: string,
  takeAnnotation: TakeAnnotation
): Images | undefined => {
  const isGroup = element.name === "div"
  const elements = isGroup ? elementsIn(element.children) : [element]
  const data = isGroup ? readGroup(element) : {}
  if (elements === undefined || elements.length === 0 || data === undefined) return undefined
  const nodes: Array<Image> = []
  for (const child of elements) {
    const image = readFigure(child, `${key}.${nodes.length}`, takeAnnotation)
    if (image === undefined) return undefined
    nodes.push(image)
  }
  return { object: "block", type: "images", key, isVoid: false, data, nodes }
}

const readGroup = ({ attributes }: HtmlElement): Images["data"] | undefined => {
  const align = attributes.get("align")
  const [frame, width] = [attributes.get("data-with-frame"), attributes.get("data-full-width")]
  if (!hasOnly(attributes, "align", "data-with-frame", "data-full-width")) return undefined
  if (align !== undefined && align !== "left" && align !== "center" && align !== "right") return undefined
  const [withFrame, fullWidth] = [flags[frame ?? "false"], flags[width ?? "false"]]
  if (withFrame === undefined || fullWidth === undefined) return undefined
  return {
    ...(align === undefined ? {} : { align }),
    ...(width === undefined ? {} : { fullWidth }),
    ...(frame === undefined ? {} : { withFrame })
  }
}

const readFigure = (element: HtmlElement, key: string, takeAnnotation: TakeAnnotation): Image | undefined => {
  const elements = element.name === "figure" ? elementsIn(element.children) : [element]
  const [img, caption, ...others] = elements ?? []
  if (img === undefined || others.length > 0) return undefined
  if (element.name === "figure" && element.attributes.size > 0) return undefined
  const image = readImage(img)
  // Images with a size belong to a line of text.
  if (image === undefined || image.size !== undefined || image.caption !== undefined) return undefined
  const paragraphs = caption === undefined ? [] : readCaption(caption, `${key}.caption`, takeAnnotation)
  if (paragraphs === undefined) return undefined
  const nodes = paragraphs.map((nodes, index) => ({
    object: "block" as const,
    type: "paragraph" as const,
    key: `${key}.caption.${index}`,
    isVoid: false as const,
    nodes
  }))
  return {
    object: "block",
    type: "image",
    key,
    isVoid: true,
    data: image,
    fragments:
      nodes.length === 0 ? [] : [{ object: "fragment", key: `${key}.caption`, fragment: "caption", nodes }]
  }
}

const readCaption = (
  { name, attributes, children }: HtmlElement,
  key: string,
  takeAnnotation: TakeAnnotation
): ReadonlyArray<ReadonlyArray<SimpleInline>> | undefined => {
  if (name !== "figcaption" || attributes.size > 0) return undefined
  const elements = elementsIn(children)
  const isParagraphs = elements?.every(({ name, attributes }) => name === "p" && attributes.size === 0)
  const contents: ReadonlyArray<ReadonlyArray<HtmlNode>> = isParagraphs
    ? elements!.map(({ children }) => children)
    : [children]
  const paragraphs: Array<ReadonlyArray<SimpleInline>> = []
  for (const content of contents) {
    const inlines = readHtmlInlines(content, `${key}.${paragraphs.length}`, takeAnnotation)
    // The contract permits annotations in captions, but their notes are outside of the caption.
    const simple = inlines?.filter((node) => node.object === "text" || node.type !== "annotation")
    if (inlines === undefined || simple === undefined || simple.length < inlines.length) return undefined
    paragraphs.push(simple as ReadonlyArray<SimpleInline>)
  }
  return paragraphs
}

/** Converts the image of a drawing. */
export const readDrawing = ({ name, attributes }: HtmlElement, key: string): Drawing | undefined => {
  const src = attributes.get("src")
  if (name !== "img" || src === undefined || attributes.get("class") !== "gitbook-drawing") return undefined
  if (!hasOnly(attributes, "src", "alt", "class")) return undefined
  const alt = attributes.get("alt")
  return {
    object: "block",
    type: "drawing",
    key,
    isVoid: true,
    data: { ref: refOfImage(src), ...(alt ? { alt } : {}) }
  }
}
