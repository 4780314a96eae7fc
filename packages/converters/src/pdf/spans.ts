/** Converts the inline content of Markdown, such as emphasis, links and images, to spans. */
import { type BookPage, labelKey } from "@lectern/core/conversion"
import type { Definition, FootnoteDefinition, Nodes, PhrasingContent, Root } from "mdast"
import type { Face } from "./Fonts.ts"
import { parseHtml } from "./html.ts"
import type { PdfImages } from "./images.ts"
import type { Link, Span, Style } from "./lines.ts"
import { destinationName, type Links } from "./links.ts"
import { colors } from "./theme.ts"

const bold: Record<Face, Face> = {
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

const labelOf = (node: { readonly label?: string | null | undefined; readonly identifier: string }): string =>
  labelKey(node.label ?? node.identifier)

/** Returns the anchor of a footnote. */
export const footnoteAnchor = (label: string): string => `note:${label}`

/** The Markdown of one page, with the definitions and footnotes that its text refers to. */
export class PageSource {
  readonly page: BookPage
  readonly links: Links
  readonly images: PdfImages
  /** The footnotes by label, each with its number. */
  readonly footnotes = new Map<string, { readonly number: number; readonly node: FootnoteDefinition }>()
  private readonly definitions = new Map<string, Definition>()

  constructor(page: BookPage, root: Root, links: Links, images: PdfImages) {
    this.page = page
    this.links = links
    this.images = images
    this.collect(root)
  }

  /** Collects definitions and footnotes from the whole text. The first of each label counts. */
  private collect(node: Nodes): void {
    if (node.type === "definition") {
      const label = labelOf(node)
      if (!this.definitions.has(label)) this.definitions.set(label, node)
    } else if (node.type === "footnoteDefinition") {
      const label = labelOf(node)
      if (!this.footnotes.has(label)) this.footnotes.set(label, { number: this.footnotes.size + 1, node })
    }
    if ("children" in node) for (const child of node.children) this.collect(child)
  }

  /** Returns the spans of inline nodes in a style. */
  toSpans(nodes: ReadonlyArray<PhrasingContent>, style: Style): ReadonlyArray<Span> {
    const spans: Array<Span> = []
    for (const node of nodes) this.addNode(node, style, spans)
    return spans
  }

  private addNode(node: PhrasingContent, style: Style, spans: Array<Span>): void {
    const addChildren = (children: ReadonlyArray<PhrasingContent>, more: Partial<Style>) => {
      const changed = { ...style, ...more }
      for (const child of children) this.addNode(child, changed, spans)
    }
    switch (node.type) {
      case "text":
        spans.push({ text: node.value.replaceAll("\n", " "), style })
        break
      case "break":
        spans.push({ text: "\n", style })
        break
      case "emphasis":
        addChildren(node.children, { face: italic[style.face] })
        break
      case "strong":
        addChildren(node.children, { face: bold[style.face] })
        break
      case "delete":
        addChildren(node.children, { isStruck: true })
        break
      case "inlineCode": {
        const face = style.face === "bold" || style.face === "boldItalic" ? "monoBold" : "mono"
        const code = { ...style, face, size: style.size * 0.88, background: colors.shade } as const
        spans.push({ text: node.value.replaceAll("\n", " "), style: code })
        break
      }
      case "inlineMath":
        spans.push({ text: node.value, style: { ...style, face: italic[style.face] } })
        break
      case "emoji":
        spans.push({ text: node.value, style })
        break
      case "link":
        addChildren(node.children, this.linkStyle(style, this.links.resolve(node.url, this.page)))
        break
      case "linkReference": {
        const url = this.definitions.get(labelOf(node))?.url
        const link = url === undefined ? undefined : this.links.resolve(url, this.page)
        addChildren(node.children, this.linkStyle(style, link))
        break
      }
      case "image":
        this.addImage(node.url, node.alt ?? "", style, spans)
        break
      case "imageReference":
        this.addImage(this.definitions.get(labelOf(node))?.url ?? "", node.alt ?? "", style, spans)
        break
      case "footnoteReference": {
        const label = labelOf(node)
        const number = this.footnotes.get(label)?.number
        const link =
          number === undefined ? undefined : { destination: this.destination(footnoteAnchor(label)) }
        const raised = { size: style.size * 0.7, rise: style.size * 0.35 }
        spans.push({
          text: String(number ?? label),
          style: { ...style, ...this.linkStyle(style, link), ...raised }
        })
        break
      }
      case "html":
        this.addHtml(node.value, style, spans)
        break
    }
  }

  private linkStyle(style: Style, link: Link | undefined): Partial<Style> {
    return link === undefined ? {} : { color: colors.link, link: style.link ?? link }
  }

  /** Adds the text and the images of HTML. */
  addHtml(html: string, style: Style, spans: Array<Span>): void {
    for (const part of parseHtml(html)) {
      if ("text" in part) spans.push({ text: part.text, style })
      else this.addImage(part.source, part.alternative, style, spans)
    }
  }

  /** Adds an image, or its alternative text as a link to it if it cannot be shown. */
  private addImage(address: string, alternative: string, style: Style, spans: Array<Span>): void {
    const file = this.links.file(address)
    const image = file?.image === undefined ? undefined : this.images.read(file.image)
    if (image !== undefined) {
      spans.push({ image, style })
      return
    }
    const words = alternative.trim() || file?.name || address
    if (words === "") return
    const face = italic[style.face]
    const link = this.linkStyle(style, this.links.resolve(address, this.page))
    spans.push({
      text: `[${words.replaceAll("\n", " ")}]`,
      style: { ...style, color: colors.quiet, face, ...link }
    })
  }

  /** Returns the name of a destination on the page. */
  destination(anchor: string): string {
    return destinationName(this.page.id, anchor)
  }
}

/** Returns the text of a heading from which its anchor is derived: without formatting, HTML and footnotes. */
export const headingText = (nodes: ReadonlyArray<PhrasingContent>): string =>
  nodes
    .map((node): string => {
      switch (node.type) {
        case "text":
        case "inlineCode":
          return node.value
        case "break":
          return "\n"
        case "image":
        case "imageReference":
          return node.alt ?? ""
        default:
          return "children" in node ? headingText(node.children) : ""
      }
    })
    .join("")
