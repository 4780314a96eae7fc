/** From the text of markdown, with its marks, links and pictures, to spans. */
import { type BookPage, labelKey } from "@lectern/core/conversion"
import type { Definition, FootnoteDefinition, Nodes, PhrasingContent, Root } from "mdast"
import type { Face } from "./Fonts.ts"
import { partsOf } from "./html.ts"
import type { Link, Span, Style } from "./lines.ts"
import { type Links, placeOf } from "./links.ts"
import type { Pictures } from "./pictures.ts"
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

/** The anchor of a note. */
export const noteAnchor = (label: string): string => `note:${label}`

/** What the text of one page refers to. */
export class Source {
  readonly page: BookPage
  readonly links: Links
  readonly pictures: Pictures
  /** The notes by their labels, each with its number. */
  readonly notes = new Map<string, { readonly number: number; readonly node: FootnoteDefinition }>()
  private readonly definitions = new Map<string, Definition>()

  constructor(page: BookPage, root: Root, links: Links, pictures: Pictures) {
    this.page = page
    this.links = links
    this.pictures = pictures
    this.collect(root)
  }

  /** Definitions count from anywhere in the text, the first of a label. */
  private collect(node: Nodes): void {
    if (node.type === "definition") {
      const label = labelOf(node)
      if (!this.definitions.has(label)) this.definitions.set(label, node)
    } else if (node.type === "footnoteDefinition") {
      const label = labelOf(node)
      if (!this.notes.has(label)) this.notes.set(label, { number: this.notes.size + 1, node })
    }
    if ("children" in node) for (const child of node.children) this.collect(child)
  }

  /** The spans of a text in a style. */
  spans(nodes: ReadonlyArray<PhrasingContent>, style: Style): ReadonlyArray<Span> {
    const spans: Array<Span> = []
    for (const node of nodes) this.add(node, style, spans)
    return spans
  }

  private add(node: PhrasingContent, style: Style, spans: Array<Span>): void {
    const inside = (children: ReadonlyArray<PhrasingContent>, more: Partial<Style>) => {
      const changed = { ...style, ...more }
      for (const child of children) this.add(child, changed, spans)
    }
    switch (node.type) {
      case "text":
        spans.push({ text: node.value.replaceAll("\n", " "), style })
        break
      case "break":
        spans.push({ text: "\n", style })
        break
      case "emphasis":
        inside(node.children, { face: italic[style.face] })
        break
      case "strong":
        inside(node.children, { face: bold[style.face] })
        break
      case "delete":
        inside(node.children, { isStruck: true })
        break
      case "inlineCode": {
        const face = style.face === "bold" || style.face === "boldItalic" ? "monoBold" : "mono"
        const code = { ...style, face, size: style.size * 0.88, background: colors.shade } as const
        spans.push({ text: node.value.replaceAll("\n", " "), style: code })
        break
      }
      case "link":
        inside(node.children, this.linked(style, this.links.of(node.url, this.page)))
        break
      case "linkReference": {
        const url = this.definitions.get(labelOf(node))?.url
        const link = url === undefined ? undefined : this.links.of(url, this.page)
        inside(node.children, this.linked(style, link))
        break
      }
      case "image":
        this.picture(node.url, node.alt ?? "", style, spans)
        break
      case "imageReference":
        this.picture(this.definitions.get(labelOf(node))?.url ?? "", node.alt ?? "", style, spans)
        break
      case "footnoteReference": {
        const label = labelOf(node)
        const number = this.notes.get(label)?.number
        const link = number === undefined ? undefined : { place: this.place(noteAnchor(label)) }
        const raised = { size: style.size * 0.7, rise: style.size * 0.35 }
        spans.push({
          text: String(number ?? label),
          style: { ...style, ...this.linked(style, link), ...raised }
        })
        break
      }
      case "html":
        this.html(node.value, style, spans)
        break
    }
  }

  private linked(style: Style, link: Link | undefined): Partial<Style> {
    return link === undefined ? {} : { color: colors.link, link: style.link ?? link }
  }

  /** The text and the pictures of HTML. */
  html(html: string, style: Style, spans: Array<Span>): void {
    for (const part of partsOf(html)) {
      if ("text" in part) spans.push({ text: part.text, style })
      else this.picture(part.source, part.alternative, style, spans)
    }
  }

  /** A picture; where there is none that can be shown, what it says of itself, as a link to it. */
  private picture(address: string, alternative: string, style: Style, spans: Array<Span>): void {
    const file = this.links.file(address)
    const picture = file?.image === undefined ? undefined : this.pictures.of(file.image)
    if (picture !== undefined) {
      spans.push({ picture, style })
      return
    }
    const words = alternative.trim() || file?.name || address
    if (words === "") return
    const face = italic[style.face]
    const link = this.linked(style, this.links.of(address, this.page))
    spans.push({
      text: `[${words.replaceAll("\n", " ")}]`,
      style: { ...style, color: colors.quiet, face, ...link }
    })
  }

  /** The name of a place in the page. */
  place(anchor: string): string {
    return placeOf(this.page.id, anchor)
  }
}

/** The text of a heading as its anchor is made from it: without marks, HTML and notes. */
export const plainText = (nodes: ReadonlyArray<PhrasingContent>): string =>
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
          return "children" in node ? plainText(node.children) : ""
      }
    })
    .join("")
