/** Extracts the outline of Markdown for search and link reports: its sections with their text, and its references. */
import type { Block, BlockCaption } from "../../../model/content/document/Block.ts"
import type {
  ContentRef,
  Inline,
  Leaf,
  ReusableContentRef as ReusableContent
} from "../../../model/content/document/Inline.ts"
import { fromMarkdown } from "../document/fromMarkdown.ts"
import { plainText } from "../document/inlinesFromMarkdown.ts"
import { refOfImage, refOfLink } from "../document/linkReferences.ts"

/** A heading with the text up to the next heading. Text before the first heading is a section without a title. */
export interface Section {
  readonly title: string
  /** The id of the heading, which is the fragment of URLs. Empty for the section before the first heading. */
  readonly anchor: string
  /** Plain text with a line per block. */
  readonly text: string
}

type ReusableContentRef = typeof ReusableContent.Type

/** A reference to a page, a file, a reusable content or a URL, with the section that contains it. */
export interface Reference {
  readonly ref: ContentRef | ReusableContentRef
  /** The anchor of the section. Empty before the first heading. */
  readonly anchor: string
}

/** The sections and references of Markdown, in order. */
export interface Outline {
  readonly sections: ReadonlyArray<Section>
  readonly references: ReadonlyArray<Reference>
}

/** Matches a tag. A tag cannot contain `<`, so that matching takes linear time. */
const tagPattern = /<(?:[^<>"']|"[^"]*"|'[^']*')*>/g

/** Matches the URL of a link or an image in a tag. */
const urlPattern = /^<(a|img)\s[\s\S]*?(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)')/i

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" }

const decodeEntities = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name]!)

class OutlineBuilder {
  readonly sections: Array<{ title: string; anchor: string; lines: Array<string> }> = [
    { title: "", anchor: "", lines: [] }
  ]
  readonly references: Array<Reference> = []

  private get section() {
    return this.sections[this.sections.length - 1]!
  }

  addReference(ref: Reference["ref"]): void {
    this.references.push({ ref, anchor: this.section.anchor })
  }

  addLine(text: string): void {
    const trimmed = text.replace(/\s+/g, " ").trim()
    if (trimmed !== "") this.section.lines.push(trimmed)
  }

  /** Adds the references in HTML, and returns its text without tags. */
  addHtml(text: string): string {
    const words = text.replace(tagPattern, (written) => {
      const [, name, double, single] = urlPattern.exec(written) ?? []
      if (name !== undefined) {
        const url = decodeEntities((double ?? single ?? "").trim())
        this.addReference(name.toLowerCase() === "a" ? refOfLink(url) : refOfImage(url))
      }
      return " "
    })
    return decodeEntities(words)
  }

  /** Adds the references in inlines, and returns their plain text. */
  addInlines(nodes: ReadonlyArray<Inline>): string {
    return nodes
      .map((node) => {
        if (node.object === "text") return node.leaves.map((leaf) => this.addLeaf(leaf)).join("")
        switch (node.type) {
          case "link":
            this.addReference(node.data.ref)
            return this.addInlines(node.nodes)
          case "inline-image":
            this.addReference(node.data.ref)
            if (node.data.refDark !== undefined) this.addReference(node.data.refDark)
            return `${node.data.alt ?? ""} ${node.data.caption ?? ""}`
          case "mention":
          case "button":
            if (node.data.ref.kind !== "url" || node.data.ref.url !== "") this.addReference(node.data.ref)
            return plainText([node])
          case "annotation": {
            const bodies = node.fragments.flatMap(({ nodes }) => nodes)
            const notes = bodies.map((paragraph) => this.addInlines(paragraph.nodes))
            return [this.addInlines(node.nodes), ...notes].join(" ")
          }
          default:
            return plainText([node])
        }
      })
      .join("")
  }

  private addLeaf({ text, data }: Leaf): string {
    if (data?.markdown === "html") return text.startsWith("{%") ? " " : this.addHtml(text)
    return data?.markdown === "break" ? " " : text
  }

  addBlocks(blocks: ReadonlyArray<Block>): void {
    for (const block of blocks) this.addBlock(block)
  }

  private addCaptions(captions: ReadonlyArray<BlockCaption> = []): void {
    for (const { nodes } of captions) this.addBlocks(nodes)
  }

  private addBlock(block: Block): void {
    switch (block.type) {
      case "heading-1":
      case "heading-2":
      case "heading-3": {
        const title = plainText(block.nodes).replace(/\s+/g, " ").trim()
        this.sections.push({ title, anchor: block.meta?.id ?? "", lines: [] })
        this.addInlines(block.nodes)
        return
      }
      case "paragraph":
        this.addLine(this.addInlines(block.nodes))
        return
      case "code": {
        const text = block.nodes
          .map((line) => line.nodes.flatMap(({ leaves }) => leaves.map(({ text }) => text)).join(""))
          .join("\n")
        this.addLine(block.data.title ?? "")
        if (block.data.markdown !== "tag") {
          this.addLine(block.data.markdown === "html" ? this.addHtml(text) : text)
        }
        return
      }
      case "images":
        for (const { data, fragments } of block.nodes) {
          this.addReference(data.ref)
          const captions = fragments.flatMap(({ nodes }) => nodes.map((node) => this.addInlines(node.nodes)))
          this.addLine([data.alt ?? "", ...captions].join(" "))
        }
        return
      case "reusable-content":
      case "swagger":
        this.addReference(block.data.ref)
        return
      case "content-ref":
        this.addReference(block.data.ref)
        this.addLine(block.data.label ?? "")
        return
      case "embed":
        this.addReference(refOfImage(block.data.url))
        this.addCaptions(block.fragments)
        return
      case "file":
        this.addReference(block.data.ref)
        this.addCaptions(block.fragments)
        return
      case "drawing":
        if (block.data.ref !== undefined) this.addReference(block.data.ref)
        return
      case "math":
        this.addLine(block.data.formula)
        return
      case "table": {
        const fragmentNames = new Set(block.fragments.map(({ fragment }) => fragment))
        for (const { title, titleFragment } of Object.values(block.data.definition)) {
          if (titleFragment === undefined || !fragmentNames.has(titleFragment)) this.addLine(title)
        }
        for (const { nodes } of block.fragments) this.addBlocks(nodes)
        return
      }
      case "divider":
      case "integration":
      case "openapi-operation":
      case "openapi-schemas":
      case "openapi-webhook":
        return
      case "blockquote":
      case "hint":
      case "if":
        this.addBlocks(block.nodes)
        return
      case "expandable":
        for (const { nodes } of block.fragments) this.addBlocks(nodes)
        return
      case "tabs":
        for (const { data, nodes } of block.nodes) {
          this.addLine(data.title ?? "")
          this.addBlocks(nodes)
        }
        return
      case "stepper":
      case "columns":
      case "updates":
        for (const { nodes } of block.nodes) this.addBlocks(nodes)
        return
      case "list-ordered":
      case "list-unordered":
      case "list-tasks":
        for (const { nodes } of block.nodes) this.addBlocks(nodes)
        return
    }
  }
}

/** The outline of Markdown that is not parsed: one section with the whole text, without references. */
export const verbatimOutline = (text: string): Outline => ({
  sections: [{ title: "", anchor: "", text }],
  references: []
})

/** Extracts the outline of Markdown. It never fails. */
export const outlineOf = (markdown: string): Outline => {
  const { nodes, data } = fromMarkdown(markdown)
  const builder = new OutlineBuilder()
  builder.addBlocks(nodes)
  for (const footnote of data.footnotes ?? []) builder.addBlocks(footnote.nodes)
  return {
    sections: builder.sections
      .map(({ title, anchor, lines }) => ({ title, anchor, text: lines.join("\n") }))
      .filter(({ anchor, title, text }) => anchor !== "" || title !== "" || text !== ""),
    references: builder.references
  }
}
