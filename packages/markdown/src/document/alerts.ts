/** Reads and writes alerts of GitHub: quotes that begin with a kind, such as `[!NOTE]`. They are hints in documents. */

import type { Hint } from "@lectern/model/document"
import type * as Mdast from "mdast"

/** The kind of an alert. */
type AlertKind = NonNullable<Hint["data"]["alert"]>

/** The style of the hint that an alert is. */
const styles: Readonly<Record<AlertKind, Hint["data"]["style"]>> = {
  note: "info",
  tip: "success",
  important: "warning",
  warning: "warning",
  caution: "danger"
}

/** The kind of the alert that a hint is written as. */
const kinds: Readonly<Record<Hint["data"]["style"], AlertKind>> = {
  info: "note",
  success: "tip",
  warning: "warning",
  danger: "caution"
}

const marker = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i

/** An alert in Markdown. */
export interface Alert {
  readonly data: Hint["data"]
  /** The blocks of the alert, without its kind. */
  readonly children: Mdast.Blockquote["children"]
}

/** Returns the alert in a quote; undefined for another quote. `text` returns the Markdown that positions refer to. */
export const readAlert = (quote: Mdast.Blockquote, text: () => string): Alert | undefined => {
  const [paragraph, ...others] = quote.children
  const [first, ...rest] = paragraph?.type === "paragraph" ? paragraph.children : []
  const found = first?.type === "text" ? marker.exec(first.value) : null
  if (paragraph?.type !== "paragraph" || first?.type !== "text" || found === null) return undefined
  const isLine = found[0].endsWith("\n") || rest[0]?.type === "break" || rest.length === 0
  if (!isLine || first.position === undefined || isEscaped(first, text)) return undefined
  const after = first.value.slice(found[0].length)
  const inlines: ReadonlyArray<Mdast.PhrasingContent> =
    after === "" ? (rest[0]?.type === "break" ? rest.slice(1) : rest) : [{ ...first, value: after }, ...rest]
  const children = inlines.length === 0 ? others : [withoutMarker(paragraph, inlines, text), ...others]
  if (children.every(({ type }) => type === "definition" || type === "footnoteDefinition")) return undefined
  const alert = found[1]!.toLowerCase() as AlertKind
  return { data: { style: styles[alert], alert }, children }
}

const isEscaped = ({ position }: Mdast.Text, text: () => string): boolean =>
  text().startsWith("\\", position?.start.offset)

/** Returns the paragraph from its second line. Its text does not begin with a marker of a quote or with spaces. */
const withoutMarker = (
  { position, ...paragraph }: Mdast.Paragraph,
  children: ReadonlyArray<Mdast.PhrasingContent>,
  text: () => string
): Mdast.Paragraph => {
  const start = position?.start.offset
  if (start === undefined) return { ...paragraph, children: [...children] }
  const markdown = text()
  const line = markdown.indexOf("\n", start) + 1
  const offset = line + /^[ \t>]*/.exec(markdown.slice(line, position!.end.offset))![0].length
  return {
    ...paragraph,
    children: [...children],
    position: { ...position!, start: { ...position!.start, offset } }
  }
}

/** Returns the quote that a hint is written as; undefined if it is written as a tag. `content` are its blocks. */
export const writeAlert = (
  { data: { style, icon, attributes, alert } }: Hint,
  content: ReadonlyArray<Mdast.BlockContent>
): Mdast.Blockquote | undefined => {
  const [first] = content
  if (alert === undefined || icon !== undefined || attributes !== undefined || first === undefined) return
  const kind = styles[alert] === style ? alert : kinds[style]
  const isJoined = first.type === "paragraph"
  return {
    type: "blockquote",
    children: [
      {
        type: "html",
        value: `[!${kind.toUpperCase()}]`,
        data: isJoined ? { tag: "open" } : { isSeparate: true }
      },
      ...content
    ]
  }
}
