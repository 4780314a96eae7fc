/** Collects the sections, references and anchors of the blocks of a document, in the order in which readers see them. */
import type {
  Block,
  BlockCaption,
  CellBlock,
  Code,
  Expandable,
  If,
  Images,
  Inline,
  Leaf,
  Table
} from "@lectern/model/document"
import { plainText } from "../document/inlinesFromMarkdown.ts"
import { refOfImage } from "../document/linkReferences.ts"
import { expandableAnchorOf } from "./anchors.ts"
import type { Reference } from "./Reference.ts"
import { readOpaqueHtml } from "./readOpaqueHtml.ts"
import { cellTextOf, referencesOfCell } from "./tableCells.ts"

/** A section whose text is not complete. */
interface OpenSection {
  readonly title: string
  readonly anchor: string
  readonly isCode: boolean
  readonly conditions: ReadonlyArray<string>
  readonly lines: Array<string>
}

/** Matches a tag in Markdown that was not parsed. The length is limited, so that matching takes linear time. */
const unparsedTag = /\{%[^{}\n]{0,1000}%\}/g

/** Matches an id of a heading in the notation of other programs, as in `## Title {#id}`. */
const idSuffix = /\{#([^\s{}]{1,200})\}$/

const codeOf = ({ nodes }: Code): string =>
  nodes.map((line) => line.nodes.flatMap(({ leaves }) => leaves.map(({ text }) => text)).join("")).join("\n")

/** Collects the outline of blocks. */
export class OutlineBuilder {
  readonly sections: Array<OpenSection> = [
    { title: "", anchor: "", isCode: false, conditions: [], lines: [] }
  ]
  readonly references: Array<Reference> = []
  /** The ids of elements of HTML. */
  readonly anchors: Array<string> = []
  /** Whether readers do not see the current blocks, so that only their references are collected. */
  private isHidden = false
  /** The conditions of the blocks that contain the current one. */
  private conditions: ReadonlyArray<string> = []
  /** The number of conditional blocks. */
  conditionCount = 0

  private get section(): OpenSection {
    return this.sections[this.sections.length - 1]!
  }

  private addReference(ref: Reference["ref"] | undefined): void {
    if (ref !== undefined) this.references.push({ ref, anchor: this.section.anchor })
  }

  /** Adds a line to the section. Code and conditional content are sections of their own, with the same heading. */
  private addLine(text: string | undefined, isCode = false): void {
    const trimmed = (text ?? "").replace(/\s+/g, " ").trim()
    if (trimmed === "" || this.isHidden) return
    const { section, conditions } = this
    if (section.isCode === isCode && section.conditions === conditions) section.lines.push(trimmed)
    else this.sections.push({ ...section, isCode, conditions, lines: [trimmed] })
  }

  /** Adds the references in HTML, and returns its text without tags. */
  private addHtml(text: string): string {
    const { words, references, anchors } = readOpaqueHtml(text)
    for (const ref of references) this.addReference(ref)
    this.anchors.push(...anchors)
    return words
  }

  /** Adds the references in inlines, and returns their plain text. */
  private addInlines(nodes: ReadonlyArray<Inline>): string {
    return nodes.map((node) => this.addInline(node)).join("")
  }

  private addInline(node: Inline): string {
    if (node.object === "text") return node.leaves.map((leaf) => this.addLeaf(leaf)).join("")
    switch (node.type) {
      case "link":
        this.addReference(node.data.ref)
        return this.addInlines(node.nodes)
      case "inline-image":
        this.addReference(node.data.ref)
        this.addReference(node.data.refDark)
        return `${node.data.alt ?? ""} ${node.data.caption ?? ""}`
      case "mention":
        this.addReference(node.data.ref)
        // Readers see the title of the target in place of the default text, which is a part of its URL.
        return node.data.text ?? ""
      case "button":
        if (node.data.ref.kind !== "url" || node.data.ref.url !== "") this.addReference(node.data.ref)
        return ` ${node.data.label} `
      case "annotation": {
        const bodies = node.fragments.flatMap(({ nodes }) => nodes)
        const text = this.addInlines(node.nodes)
        return [text, ...bodies.map((paragraph) => this.addInlines(paragraph.nodes))].join(" ")
      }
      default:
        return plainText([node])
    }
  }

  private addLeaf({ text, data }: Leaf): string {
    switch (data?.markdown) {
      case "html":
        return text.startsWith("{%") ? " " : this.addHtml(text)
      case "break":
        return " "
      case "footnote":
        return ""
      default:
        return text
    }
  }

  /** Adds blocks with their content. */
  addBlocks(blocks: ReadonlyArray<Block>): void {
    for (const block of blocks) this.addBlock(block)
  }

  private addCaptions(captions: ReadonlyArray<BlockCaption> = []): void {
    for (const { nodes } of captions) this.addBlocks(nodes)
  }

  private addCode(block: Code): void {
    this.addLine(block.data.title)
    switch (block.data.markdown) {
      case "tag":
        return
      case "html":
        this.addLine(this.addHtml(codeOf(block)))
        return
      case "verbatim":
        this.addLine(codeOf(block).replace(unparsedTag, " "))
        return
      default:
        this.addLine(codeOf(block), true)
        return
    }
  }

  private addConditional({ data, nodes }: If): void {
    const [before, section] = [this.conditions, this.section]
    this.conditionCount++
    this.conditions = [...before, data.expression]
    this.addBlocks(nodes)
    this.conditions = before
    // A heading within the block is not shown to visitors who see the text after it.
    if (this.section.anchor !== section.anchor || this.section.title !== section.title) {
      this.sections.push({ ...section, isCode: false, lines: [] })
    }
  }

  private addImages({ nodes }: Images): void {
    for (const { data, fragments } of nodes) {
      this.addReference(data.ref)
      this.addReference(data.refDark)
      const captions = fragments.flatMap(({ nodes }) => nodes.map((node) => this.addInlines(node.nodes)))
      this.addLine([data.alt ?? "", ...captions].join(" "))
    }
  }

  /** Adds the header of a table, and its cells row by row. Columns outside of the view have references only. */
  private addTable({ data, fragments }: Table): void {
    const { view, definition, records } = data
    const blocksByName = new Map<string, ReadonlyArray<CellBlock>>(
      fragments.map(({ fragment, nodes }) => [fragment, nodes])
    )
    const visible = new Set(view.columns)
    const columns = [
      ...view.columns.flatMap((id) => definition[id] ?? []),
      ...Object.values(definition).filter(({ id }) => !visible.has(id))
    ]
    const hasTitles = view.type === "grid" ? !view.hideHeader : view.hideColumnTitle !== true
    for (const { id, title, titleFragment } of columns) {
      this.withVisibility(hasTitles && visible.has(id), () => {
        const blocks = titleFragment === undefined ? undefined : blocksByName.get(titleFragment)
        if (blocks === undefined) this.addLine(title)
        else this.addBlocks(blocks)
      })
    }
    for (const { values, labels } of Object.values(records)) {
      for (const column of columns) {
        const value = values[column.id] ?? null
        this.withVisibility(visible.has(column.id), () => {
          for (const ref of referencesOfCell(column, value)) this.addReference(ref)
          if (column.type !== "text") this.addLine(labels?.[column.id] ?? cellTextOf(column, value))
          else if (typeof value === "string") this.addBlocks(blocksByName.get(value) ?? [])
        })
      }
    }
  }

  private withVisibility(isVisible: boolean, add: () => void): void {
    const before = this.isHidden
    this.isHidden = before || !isVisible
    add()
    this.isHidden = before
  }

  private addExpandableAnchor({ fragments }: Expandable): void {
    const title = fragments.find((fragment) => fragment.fragment === "expandable-title")
    const anchor = expandableAnchorOf(title?.nodes.map(({ nodes }) => plainText(nodes)).join(" ") ?? "")
    if (anchor !== "") this.anchors.push(anchor)
  }

  private addBlock(block: Block): void {
    switch (block.type) {
      case "heading-1":
      case "heading-2":
      case "heading-3": {
        const written = plainText(block.nodes).replace(/\s+/g, " ").trim()
        const [suffix, id] = idSuffix.exec(written) ?? []
        const title = suffix === undefined ? written : written.slice(0, -suffix.length).trim()
        if (id !== undefined) this.anchors.push(id)
        this.sections.push({
          title,
          anchor: block.meta?.id ?? "",
          isCode: false,
          conditions: this.conditions,
          lines: []
        })
        this.addInlines(block.nodes)
        return
      }
      case "paragraph":
        this.addLine(this.addInlines(block.nodes))
        return
      case "code":
        this.addCode(block)
        return
      case "images":
        this.addImages(block)
        return
      case "table":
        this.addTable(block)
        return
      case "math":
        this.addLine(block.data.formula)
        return
      case "reusable-content":
        this.addReference(block.data.ref)
        return
      case "swagger":
        this.addReference(block.data.ref)
        this.addLine(`${block.data.method.toUpperCase()} ${block.data.path}`)
        return
      case "openapi-operation":
        this.addReference(block.data.ref)
        this.addLine(`${block.data.method.toUpperCase()} ${block.data.path}`)
        return
      case "openapi-webhook":
        this.addReference(block.data.ref)
        this.addLine(block.data.name)
        return
      case "openapi-schemas":
        this.addReference(block.data.ref)
        this.addLine(block.data.schemas.join(", "))
        return
      case "content-ref":
        this.addReference(block.data.ref)
        this.addLine(block.data.label)
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
        this.addReference(block.data.ref)
        this.addLine(block.data.alt)
        return
      case "integration":
        this.addReference(block.data.url === undefined ? undefined : refOfImage(block.data.url))
        return
      case "divider":
        return
      case "expandable":
        this.addExpandableAnchor(block)
        for (const { nodes } of block.fragments) this.addBlocks(nodes)
        return
      case "tabs":
        for (const { data, nodes } of block.nodes) {
          this.addLine(data.title)
          this.addBlocks(nodes)
        }
        return
      case "updates":
        for (const { data, nodes } of block.nodes) {
          this.addLine([data.date ?? "", ...(data.tags ?? [])].join(" "))
          this.addBlocks(nodes)
        }
        return
      case "stepper":
      case "columns":
      case "list-ordered":
      case "list-unordered":
      case "list-tasks":
        for (const { nodes } of block.nodes) this.addBlocks(nodes)
        return
      case "blockquote":
      case "hint":
        this.addBlocks(block.nodes)
        return
      case "if":
        this.addConditional(block)
        return
    }
  }
}
