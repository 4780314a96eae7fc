/** Converts the inline nodes of documents, such as text with marks, links and images, to spans. */
import {
  type ContentRef,
  charactersOfEmoji,
  type Inline,
  type InlineImage,
  type Leaf,
  type Mark,
  mentionText
} from "@lectern/formats/threads"
import type { Face } from "./Fonts.ts"
import { parseHtml } from "./html.ts"
import { iconNamed } from "./icons.ts"
import type { Link, Span, Style } from "./lines.ts"
import type { Note, PageSource } from "./PageSource.ts"
import { colors, markBackgrounds, markColors } from "./theme.ts"

/** The bold form of each face. */
export const bold: Record<Face, Face> = {
  regular: "bold",
  bold: "bold",
  italic: "boldItalic",
  boldItalic: "boldItalic",
  mono: "monoBold",
  monoBold: "monoBold"
}

const italic: Record<Face, Face> = {
  regular: "italic",
  bold: "boldItalic",
  italic: "italic",
  boldItalic: "boldItalic",
  mono: "mono",
  monoBold: "monoBold"
}

/** The size of a pixel of an image, in points. */
const pointsPerPixel = 0.75

/** Returns a length in points: a number of pixels, or a share of `width`. Other units have no size in print. */
export const toPoints = (
  length: number | { readonly unit: string; readonly value: number } | undefined,
  width: number
): number | undefined => {
  if (length === undefined) return undefined
  const { unit, value } = typeof length === "number" ? { unit: "px", value: length } : length
  const points = unit === "%" ? (value / 100) * width : unit === "px" ? value * pointsPerPixel : undefined
  return points === undefined || !(points >= 1) ? undefined : points
}

const codeStyle = (style: Style): Style => ({
  ...style,
  face: style.face === "bold" || style.face === "boldItalic" ? "monoBold" : "mono",
  size: style.size * 0.88,
  background: colors.shade
})

const withMark = (style: Style, mark: Mark): Style => {
  switch (mark.type) {
    case "bold":
      return { ...style, face: bold[style.face] }
    case "italic":
      return { ...style, face: italic[style.face] }
    case "strikethrough":
      return { ...style, isStruck: true }
    case "code":
      return codeStyle(style)
    case "keyboard":
      return { ...style, face: "mono", size: style.size * 0.85, background: colors.shade, border: colors.bar }
    case "superscript":
      return { ...style, size: style.size * 0.7, rise: (style.rise ?? 0) + style.size * 0.35 }
    case "subscript":
      return { ...style, size: style.size * 0.7, rise: (style.rise ?? 0) - style.size * 0.15 }
    case "color": {
      const color = markColors[mark.data.text]
      const background = markBackgrounds[mark.data.background]
      return {
        ...style,
        ...(color === undefined ? {} : { color }),
        ...(background === undefined ? {} : { background })
      }
    }
  }
}

const withMarks = (style: Style, marks: ReadonlyArray<Mark> | undefined): Style =>
  (marks ?? []).reduce(withMark, style)

const withLink = (style: Style, link: Link | undefined): Style =>
  link === undefined ? style : { ...style, color: colors.link, link: style.link ?? link }

/** Converts inline nodes of a page to spans. */
export class Inlines {
  private readonly source: PageSource

  constructor(source: PageSource) {
    this.source = source
  }

  /** Returns the spans of inline nodes in a style. */
  toSpans(nodes: ReadonlyArray<Inline>, style: Style): ReadonlyArray<Span> {
    const spans: Array<Span> = []
    for (const node of nodes) this.addNode(node, style, spans)
    return spans
  }

  private addNode(node: Inline, style: Style, spans: Array<Span>): void {
    if (node.object === "text") {
      for (const leaf of node.leaves) this.addLeaf(leaf, style, spans)
      return
    }
    switch (node.type) {
      case "link":
        // The leaves of a link repeat the marks that surround it.
        for (const child of node.nodes) {
          this.addNode(child, withLink(style, this.source.link(node.data.ref)), spans)
        }
        return
      case "annotation": {
        for (const child of node.nodes) this.addNode(child, style, spans)
        const body = node.fragments[0]?.nodes ?? []
        this.addNoteNumber(this.source.note(node, body), style, spans)
        return
      }
      case "inline-image":
        this.addInlineImage(node, style, spans)
        return
    }
    const marked = withMarks(style, node.data.marks)
    switch (node.type) {
      case "inline-math": {
        const graphic = this.source.resources.formulas.typeset(node.data.formula, false)
        if (graphic !== undefined) spans.push({ graphic, style: marked })
        else spans.push({ text: node.data.formula.replaceAll("\n", " "), style: codeStyle(marked) })
        return
      }
      case "emoji":
        spans.push({ text: charactersOfEmoji(node.data.code), style: marked })
        return
      case "icon":
        spans.push(...this.icon(node.data.icon, marked, node.data.icon.replaceAll("-", " ")))
        return
      case "expression":
        spans.push({ text: node.data.expression, style: codeStyle(marked) })
        return
      case "mention": {
        const title = this.source.resources.links.titleOf(node.data.ref)
        const text = title ?? mentionText(node.data)
        spans.push({ text, style: withLink(marked, this.source.link(node.data.ref)) })
        return
      }
      case "button": {
        const link = this.source.link(node.data.ref)
        const isPrimary = node.data.kind === "primary"
        const button: Style = {
          ...marked,
          ...(link === undefined ? {} : { link }),
          face: bold[marked.face],
          size: marked.size * 0.92,
          color: isPrimary ? colors.paper : colors.text,
          background: isPrimary ? colors.link : colors.head,
          isButton: true
        }
        spans.push({
          text: `\u00a0\u00a0${node.data.label.replaceAll("\n", " ")}\u00a0\u00a0`,
          style: button
        })
      }
    }
  }

  /** Returns the spans of an icon: none if there is no icon of this name. */
  icon(name: string, style: Style, alternative = ""): ReadonlyArray<Span> {
    const graphic = iconNamed(name, alternative)
    return graphic === undefined ? [] : [{ graphic, style }]
  }

  private addLeaf({ text, marks, data }: Leaf, style: Style, spans: Array<Span>): void {
    const marked = withMarks(style, marks)
    switch (data?.markdown) {
      case "break":
        spans.push({ text: "\n", style: marked })
        return
      case "html":
        // Tags that have no meaning are skipped, as are unknown elements of HTML.
        if (!text.startsWith("{%")) this.addHtml(text, marked, spans)
        return
      case "footnote": {
        const note = this.source.footnote(text.slice(2, -1))
        if (note !== undefined) this.addNoteNumber(note, marked, spans)
        else spans.push({ text, style: marked })
        return
      }
      default:
        if (text !== "") spans.push({ text: text.replaceAll("\n", " "), style: marked })
    }
  }

  private addNoteNumber({ number, anchor }: Note, style: Style, spans: Array<Span>): void {
    const linked = withLink(style, { destination: this.source.destination(anchor) })
    spans.push({
      text: String(number),
      style: { ...linked, size: style.size * 0.7, rise: style.size * 0.35 }
    })
  }

  /** Adds the text and the images of HTML. */
  addHtml(html: string, style: Style, spans: Array<Span>): void {
    for (const part of parseHtml(html)) {
      if ("text" in part) spans.push({ text: part.text, style })
      else this.addImage({ kind: "url", url: part.source }, part.alternative, style, spans)
    }
  }

  private addInlineImage({ data }: InlineImage, style: Style, spans: Array<Span>): void {
    const marked = withMarks(style, data.marks)
    const size = {
      // An image of the size of the line is as high as its capitals and descenders.
      ...(data.size === "line" ? { height: style.size * 1.15 } : {}),
      ...sizeOf(data.width, data.height)
    }
    this.addImage(data.ref, data.alt ?? data.caption ?? "", marked, spans, size)
  }

  /** Adds an image, or its alternative text as a link to it if it cannot be displayed. */
  addImage(
    ref: ContentRef,
    alternative: string,
    style: Style,
    spans: Array<Span>,
    size: { readonly width?: number; readonly height?: number } = {}
  ): void {
    const image = this.source.image(ref)
    const name = alternative.trim() || this.source.nameOf(ref)
    if (image !== undefined) {
      spans.push({ image, style, alternative: name, ...size })
      return
    }
    if (name === "") return
    const linked = withLink({ ...style, color: colors.quiet }, this.source.link(ref))
    spans.push({ text: `[${name.replaceAll("\n", " ")}]`, style: { ...linked, face: italic[style.face] } })
  }
}

type Length = InlineImage["data"]["width"]

const sizeOf = (width: Length, height: Length): { readonly width?: number; readonly height?: number } => {
  const points = { width: toPoints(width, 460), height: toPoints(height, 600) }
  return {
    ...(points.width === undefined ? {} : { width: points.width }),
    ...(points.height === undefined ? {} : { height: points.height })
  }
}
