/** Reads the values of the cells of typed columns. */
import type { TableColumn, TableValue } from "@lectern/model/document"
import { refOfImage, refOfLink } from "../linkReferences.ts"
import { textOnly } from "./htmlText.ts"
import { elementsIn, type HtmlElement, type HtmlNode, hasOnly } from "./htmlTree.ts"
import { defaultMentionText } from "./inlineElements.ts"

/** Thrown at HTML without a form in a table. `readTable` catches it. */
export class UnknownHtml extends Error {}

/** Returns a value. Throws if it is undefined. */
export const requireValue = <A>(value: A | undefined): A => {
  if (value === undefined) throw new UnknownHtml()
  return value
}

/** Reads the options of a column. */
export const optionsOf = ({ attributes, children }: HtmlElement) => {
  if (!hasOnly(attributes, "multiple")) throw new UnknownHtml()
  return requireValue(elementsIn(children)).map(({ name, attributes, children }) => {
    const [value, label, color] = [attributes.get("value"), attributes.get("label"), attributes.get("color")]
    if (name !== "option" || children.length > 0 || !hasOnly(attributes, "value", "label", "color"))
      throw new UnknownHtml()
    return { value: requireValue(value), label: label ?? "", color: color ?? "" }
  })
}

/** Reads the links of a cell, with their text. */
const linksIn = (children: ReadonlyArray<HtmlNode>) =>
  requireValue(elementsIn(children)).map(({ name, attributes, children }) => {
    if (name !== "a" || !hasOnly(attributes, "href", "data-mention")) throw new UnknownHtml()
    return { url: requireValue(attributes.get("href")), label: requireValue(textOnly(children)) }
  })

const filePattern = /^\/files\/([A-Za-z0-9_~-]{1,64})$/
const userPattern = /^\/users\/([A-Za-z0-9._~-]{1,64})$/

/** Returns the key of the label of a file in a cell. Other cells have one label, whose key is the column. */
export const fileLabelKey = (column: string, index: number): string => `${column}:${index}`

/** Reads the value of a cell, and the text of its link, or of each file, if it is not the default. */
export const readValue = (
  column: TableColumn,
  children: ReadonlyArray<HtmlNode>,
  objectFit: string | undefined
): {
  readonly value: TableValue
  readonly label?: string
  readonly fileLabels?: ReadonlyArray<string | undefined>
} => {
  const text = textOnly(children)?.trim()
  if (text === "" || text === "null") return { value: null }
  switch (column.type) {
    case "number":
    case "rating": {
      const number = Number(text)
      if (text === undefined || String(number) !== text || !Number.isFinite(number)) throw new UnknownHtml()
      return { value: number }
    }
    case "checkbox":
      if (text !== "true" && text !== "false") throw new UnknownHtml()
      return { value: text === "true" }
    case "select":
      return {
        value: requireValue(elementsIn(children)).map(({ name, attributes, children }) => {
          const label = requireValue(textOnly(children)).replace(/, $/, "")
          const option = column.options.find(({ value }) => value === attributes.get("data-option"))
          if (name !== "span" || !hasOnly(attributes, "data-option") || option?.label !== label)
            throw new UnknownHtml()
          return option.value
        })
      }
    case "content-ref": {
      const [link, ...others] = linksIn(children)
      if (link === undefined || others.length > 0) throw new UnknownHtml()
      const isDefault = link.label === defaultMentionText(link.url)
      return { value: refOfLink(link.url), ...(isDefault ? {} : { label: link.label }) }
    }
    case "image": {
      const [link, ...others] = linksIn(children)
      if (link === undefined || others.length > 0) throw new UnknownHtml()
      const isDefault = link.label === defaultMentionText(link.url)
      const ref = refOfImage(link.url)
      const fit = (["contain", "fill", "cover"] as const).find((fit) => fit === objectFit)
      if (objectFit !== undefined && fit === undefined) throw new UnknownHtml()
      const value = fit === undefined ? ref : { ref, objectFit: fit }
      return { value, ...(isDefault ? {} : { label: link.label }) }
    }
    case "files": {
      const links = linksIn(children)
      return {
        value: links.map(({ url }) => filePattern.exec(url)?.[1] ?? url),
        fileLabels: links.map(({ url, label }) => (label === defaultMentionText(url) ? undefined : label))
      }
    }
    case "users":
      return {
        value: linksIn(children).map(({ url, label }) => {
          const id = requireValue(userPattern.exec(url)?.[1])
          if (label !== id) throw new UnknownHtml()
          return id
        })
      }
    case "text":
      throw new UnknownHtml()
  }
}
