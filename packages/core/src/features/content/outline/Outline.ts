/** What a text is made of, for whoever looks for something in it: its sections, and what it links to. */
import type { Block } from "../../../model/content/document/Block.ts"
import type {
  ContentRef,
  Inline,
  Leaf,
  ReusableContentRef as ReusableContent
} from "../../../model/content/document/Inline.ts"
import { fromMarkdown } from "../document/fromMarkdown.ts"
import { plainText } from "../document/inlinesFromMarkdown.ts"
import { refOfImage, refOfLink } from "../document/linkReferences.ts"

/** A heading with what follows it; what comes before the first heading is a section without one. */
export interface Section {
  readonly title: string
  /** The id of the heading, as addresses have it behind `#`; empty where there is no heading. */
  readonly anchor: string
  /** Plain text, a line for each block. */
  readonly text: string
}

type ReusableContentRef = typeof ReusableContent.Type

/** What a text refers to, and in which section. */
export interface Reference {
  readonly ref: ContentRef | ReusableContentRef
  /** The anchor of the section; empty in what comes before the first heading. */
  readonly anchor: string
}

export interface Outline {
  readonly sections: ReadonlyArray<Section>
  readonly references: ReadonlyArray<Reference>
}

/** A tag. One never goes on behind where another begins, so that looking for them takes no longer than the text is. */
const tag = /<(?:[^<>"']|"[^"]*"|'[^']*')*>/g

/** Where a tag leads to: the address of a link or an image. */
const address = /^<(a|img)\s[\s\S]*?(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)')/i

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" }

const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name]!)

class Reader {
  readonly sections: Array<{ title: string; anchor: string; lines: Array<string> }> = [
    { title: "", anchor: "", lines: [] }
  ]
  readonly references: Array<Reference> = []

  private get section() {
    return this.sections[this.sections.length - 1]!
  }

  refer(ref: Reference["ref"]): void {
    this.references.push({ ref, anchor: this.section.anchor })
  }

  line(text: string): void {
    const trimmed = text.replace(/\s+/g, " ").trim()
    if (trimmed !== "") this.section.lines.push(trimmed)
  }

  html(text: string): string {
    const words = text.replace(tag, (written) => {
      const [, name, double, single] = address.exec(written) ?? []
      if (name !== undefined) {
        const url = unescaped((double ?? single ?? "").trim())
        this.refer(name.toLowerCase() === "a" ? refOfLink(url) : refOfImage(url))
      }
      return " "
    })
    return unescaped(words)
  }

  inlines(nodes: ReadonlyArray<Inline>): string {
    return nodes
      .map((node) => {
        if (node.object === "text") return node.leaves.map((leaf) => this.leaf(leaf)).join("")
        this.refer(node.data.ref)
        if (node.type === "link") return this.inlines(node.nodes)
        return `${node.data.alt ?? ""} ${node.data.caption ?? ""}`
      })
      .join("")
  }

  private leaf({ text, data }: Leaf): string {
    if (data?.markdown === "html") return this.html(text)
    return data?.markdown === "break" ? " " : text
  }

  blocks(blocks: ReadonlyArray<Block>): void {
    for (const block of blocks) this.block(block)
  }

  private block(block: Block): void {
    switch (block.type) {
      case "heading-1":
      case "heading-2":
      case "heading-3": {
        const title = plainText(block.nodes).replace(/\s+/g, " ").trim()
        this.sections.push({ title, anchor: block.meta?.id ?? "", lines: [] })
        this.inlines(block.nodes)
        return
      }
      case "paragraph":
        this.line(this.inlines(block.nodes))
        return
      case "code": {
        const text = block.nodes
          .map((line) => line.nodes.flatMap(({ leaves }) => leaves.map(({ text }) => text)).join(""))
          .join("\n")
        this.line(block.data.markdown === "html" ? this.html(text) : text)
        return
      }
      case "images":
        for (const { data, fragments } of block.nodes) {
          this.refer(data.ref)
          const captions = fragments.flatMap(({ nodes }) => nodes.map((node) => this.inlines(node.nodes)))
          this.line([data.alt ?? "", ...captions].join(" "))
        }
        return
      case "reusable-content":
        this.refer(block.data.ref)
        return
      case "table": {
        const shown = new Set(block.fragments.map(({ fragment }) => fragment))
        for (const { title, titleFragment } of Object.values(block.data.definition)) {
          if (titleFragment === undefined || !shown.has(titleFragment)) this.line(title)
        }
        for (const { nodes } of block.fragments) this.blocks(nodes)
        return
      }
      case "divider":
        return
      case "blockquote":
        this.blocks(block.nodes)
        return
      case "list-ordered":
      case "list-unordered":
      case "list-tasks":
        for (const { nodes } of block.nodes) this.blocks(nodes)
        return
    }
  }
}

/** The outline of a text that is not taken apart: all of it is words, and none of it leads anywhere. */
export const verbatimOutline = (text: string): Outline => ({
  sections: [{ title: "", anchor: "", text }],
  references: []
})

/** The outline of markdown. It never fails, as its parser does not. */
export const outlineOf = (markdown: string): Outline => {
  const { nodes, data } = fromMarkdown(markdown)
  const reader = new Reader()
  reader.blocks(nodes)
  for (const footnote of data.footnotes ?? []) reader.blocks(footnote.nodes)
  return {
    sections: reader.sections
      .map(({ title, anchor, lines }) => ({ title, anchor, text: lines.join("\n") }))
      .filter(({ anchor, title, text }) => anchor !== "" || title !== "" || text !== ""),
    references: reader.references
  }
}
