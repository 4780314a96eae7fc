/** Writes the tags of inline elements, which are the same in Markdown and in blocks of HTML. */
import type { InlineButton, InlineImage, Mark } from "@lectern/model/document"
import { charactersOfEmoji } from "../emojis.ts"
import { urlOf } from "../linkReferences.ts"
import { writeTag } from "./htmlTree.ts"

/** The names of the elements of marks. */
const elementNames: Readonly<Record<Exclude<Mark["type"], "color">, string>> = {
  bold: "strong",
  italic: "em",
  strikethrough: "del",
  code: "code",
  keyboard: "kbd",
  superscript: "sup",
  subscript: "sub"
}

/** The tags of an element. */
export interface Tags {
  readonly open: string
  readonly close: string
}

/** Writes the tags of a mark. */
export const tagsOfMark = (mark: Mark): Tags => {
  if (mark.type !== "color") {
    const name = elementNames[mark.type]
    return { open: `<${name}>`, close: `</${name}>` }
  }
  const { text, background } = mark.data
  const style = [
    ...(text === "default" && background !== "default" ? [] : [`color:${text};`]),
    ...(background === "default" ? [] : [`background-color:${background};`])
  ].join("")
  return { open: writeTag("mark", { style }), close: "</mark>" }
}

/** Writes the tags of a button. Its label is between them. */
export const tagsOfButton = ({ kind, icon, ref, action, query }: InlineButton["data"]): Tags => {
  const style = `button ${kind}`
  if (action !== undefined) {
    const attributes = {
      type: "button",
      class: style,
      "data-action": action,
      "data-query": query,
      "data-icon": icon
    }
    return { open: writeTag("button", attributes), close: "</button>" }
  }
  const url = urlOf(ref)
  const href = url === "" ? undefined : url
  return { open: writeTag("a", { href, class: style, "data-icon": icon }), close: "</a>" }
}

/** Writes an icon. */
export const writeIcon = (icon: string): string => `${writeTag("i", { class: `fa-${icon}` })}:${icon}:</i>`

/** Writes an emoji by its code. */
export const writeEmoji = (code: string): string =>
  `${writeTag("span", { "data-gb-custom-inline": true, "data-tag": "emoji", "data-code": code })}${charactersOfEmoji(code)}</span>`

/** The tags of an expression. */
export const expressionTags: Tags = { open: '<code class="expression">', close: "</code>" }

type Length = InlineImage["data"]["width"]

const writeLength = (length: Length): string | number | undefined =>
  typeof length === "object" ? `${length.value}${length.unit}` : length

/** Writes an image. `size` and `title` are for images in a line of text. */
export const writeImage = (
  data: Omit<InlineImage["data"], "marks" | "reference" | "caption">,
  title?: string
): string => {
  const img = writeTag("img", {
    src: urlOf(data.ref),
    alt: data.alt ?? "",
    title: title || undefined,
    width: writeLength(data.width),
    height: writeLength(data.height),
    "data-size": data.size
  })
  if (data.refDark === undefined) return img
  const source = writeTag("source", { srcset: urlOf(data.refDark), media: "(prefers-color-scheme: dark)" })
  return `<picture>${source}${img}</picture>`
}

/** Whether an image has fields that only a tag represents. */
export const needsTag = (data: Pick<InlineImage["data"], "refDark" | "width" | "height" | "size">): boolean =>
  data.refDark !== undefined ||
  data.width !== undefined ||
  data.height !== undefined ||
  data.size !== undefined
