/** Converts figures: an image with a caption, or content with a caption. */
import type { Element, ElementContent } from "hast"
import { toString as textOf } from "hast-util-to-string"
import { elementsIn, isElement } from "./nodes.ts"
import { virtualElement } from "./virtual.ts"

/** Converts a figure whose content is cleaned. An image with a caption is one block. */
export const toFigure = (
  figure: Element,
  children: ReadonlyArray<ElementContent>
): ReadonlyArray<ElementContent> => {
  const caption = children.find((child): child is Element => isElement(child, "figcaption"))
  const rest = children.filter((child) => child !== caption)
  const whole: Element = { ...figure, children: [...rest] }
  const images = elementsIn(whole).filter((element) => isElement(element, "img"))
  const text = caption === undefined ? "" : textOf(caption).replaceAll(/\s+/g, " ").trim()
  if (text === "") return rest
  if (images.length === 1 && textOf(whole).trim() === "") {
    const image = images[0]!
    return [virtualElement("figure", { caption: text }, [image])]
  }
  return [...rest, { type: "element", tagName: "p", properties: {}, children: caption!.children }]
}
