/** Converts Markdown to a document (see docs/decisions/0009-content-and-revisions.md). */

import type {
  Block,
  Heading,
  Image,
  Images,
  Inline,
  List,
  ListItem,
  Paragraph
} from "@lectern/model/document"
import { type Definition, type Footnote, type JsonDocument, maximumNesting } from "@lectern/model/document"
import GithubSlugger from "github-slugger"
import type * as Mdast from "mdast"
import { readAlert } from "./alerts.ts"
import { FootnoteBodies } from "./footnoteBodies.ts"
import { splitAnchor } from "./headingAnchors.ts"
import { expandableOf, type HtmlContext, readHtmlBlock } from "./html/htmlBlocks.ts"
import { readHtmlInlines } from "./html/htmlInlines.ts"
import { joinGroups } from "./html/joinGroups.ts"
import { type DetailsBlock, type PairedContent, pairDetails } from "./html/pairDetails.ts"
import { annotationParagraphs, labelOf, plainText, resolveTarget, toInlines } from "./inlinesFromMarkdown.ts"
import { labelKey, refOfImage } from "./linkReferences.ts"
import { toCaption, toCode } from "./literalsFromMarkdown.ts"
import { pairTags } from "./pairTags.ts"
import type { SourceRanges } from "./SourceRanges.ts"
import { isVerbatim, parse, stringify, wellFormed } from "./syntax.ts"
import { toTable } from "./tableFromMarkdown.ts"
import { languageOf, type TagContext, toTagBlock } from "./tagBlocksFromMarkdown.ts"

/**
 * Converts any Markdown to a document. It never fails. Keys are derived from the positions of nodes, so that equal
 * Markdown has equal documents. Markdown that exceeds the limits of the parser becomes a single code block. `ranges`
 * receives the places of nodes in the normalized Markdown.
 */
export const fromMarkdown = (markdown: string, ranges?: SourceRanges): JsonDocument => {
  const root = parse(markdown)
  if (isVerbatim(root)) return verbatimDocument((root.children as [Mdast.Html])[0].value, ranges)
  const document = new Builder(root, ranges, () => wellFormed(markdown)).document()
  return isTooDeep(document) ? verbatimDocument(wellFormed(markdown).replace(/\n+$/, ""), ranges) : document
}

const verbatimDocument = (text: string, ranges: SourceRanges | undefined): JsonDocument => {
  const code = toCode(text, { markdown: "verbatim" }, "0")
  ranges?.add(code, { position: { start: { offset: 0 }, end: { offset: text.length } } })
  return { object: "document", data: {}, nodes: [code] }
}

/** The properties of a node that its depth depends on. */
interface AnyNode {
  readonly object: string
  readonly nodes?: ReadonlyArray<AnyNode>
  readonly fragments?: ReadonlyArray<AnyNode>
}

/** The levels of text and marks below a node with `nodes`. */
const textLevels = 3

/** Whether tags are nested so deep that the document would be rejected in a request. */
const isTooDeep = ({ nodes, data }: JsonDocument): boolean => {
  let level: ReadonlyArray<AnyNode> = [...nodes, ...(data.footnotes ?? []).flatMap(({ nodes }) => nodes)]
  for (let depth = textLevels; level.length > 0; depth++) {
    if (depth > maximumNesting) return true
    level = level.flatMap(({ nodes = [], fragments = [] }) => [...nodes, ...fragments])
  }
  return false
}

type Content = Mdast.RootContent

class Builder {
  private readonly slugger = new GithubSlugger()
  private readonly definitions = new Map<Mdast.Definition, Definition>()
  private readonly byLabel = new FootnoteBodies()
  private readonly footnotes: Array<Mdast.FootnoteDefinition> = []
  private readonly tags: TagContext = {
    definitions: this.byLabel,
    blocks: (children, prefix, hasImages) => this.blocks(children, prefix, hasImages),
    addRange: (item, open, close) => this.ranges?.add(item, open, close)
  }
  private readonly root: Mdast.Root
  private readonly ranges: SourceRanges | undefined
  /** Returns the normalized Markdown, which positions refer to. */
  private readonly text: () => string

  constructor(root: Mdast.Root, ranges: SourceRanges | undefined, text: () => string) {
    this.root = root
    this.ranges = ranges
    this.text = text
  }

  document(): JsonDocument {
    this.collectDefinitions(this.root)
    joinDefinitionsAndTags(this.root, (node) =>
      this.definitions.set(node, { ...this.definitions.get(node)!, inText: true })
    )
    const nodes = this.blocks(pairTags(this.root.children), "", true)
    const ownFootnotes = this.footnotes.filter((footnote) => !this.byLabel.isTaken(footnote))
    const footnotes: Array<Footnote> = ownFootnotes.map((footnote, index) => ({
      label: labelOf(footnote),
      nodes: this.blocks(pairTags(footnote.children), `footnotes.${index}.`, false)
    }))
    for (const [node, definition] of this.definitions) this.ranges?.add(definition, node)
    for (const [index, footnote] of footnotes.entries()) this.ranges?.add(footnote, ownFootnotes[index]!)
    for (const footnote of this.footnotes) {
      if (this.byLabel.isTaken(footnote)) this.ranges?.addAnnotation(labelOf(footnote), footnote)
    }
    return {
      object: "document",
      data: {
        ...(this.definitions.size > 0 ? { definitions: [...this.definitions.values()] } : {}),
        ...(footnotes.length > 0 ? { footnotes } : {})
      },
      nodes
    }
  }

  /**
   * Collects definitions and footnotes. They apply to the whole input; the first definition of a label has precedence.
   */
  private collectDefinitions(parent: Mdast.Parents): void {
    for (const node of parent.children) {
      if (node.type === "definition") {
        const label = labelOf(node)
        const definition = { label, url: node.url, ...(node.title ? { title: node.title } : {}) }
        this.definitions.set(node, definition)
        if (!this.byLabel.has(labelKey(label))) this.byLabel.set(labelKey(label), definition)
      } else {
        if (node.type === "footnoteReference") this.byLabel.addReference(node.identifier)
        if (node.type === "footnoteDefinition") {
          this.footnotes.push(node)
          this.byLabel.addFootnote(node)
        }
        if ("children" in node) this.collectDefinitions(node)
      }
    }
  }

  /** Converts siblings. `hasImages`: whether paragraphs that consist of images become `images`. */
  private blocks(siblings: ReadonlyArray<PairedContent>, prefix: string, hasImages: boolean): Array<Block> {
    const blocks: Array<Block> = []
    const add = (node: PairedContent): void => {
      const key = `${prefix}${blocks.length}`
      if (node.type === "details") {
        const block = this.expandable(node, key)
        this.ranges?.add(block, node.open, node.close)
        blocks.push(block)
        return
      }
      if (node.type !== "tag") {
        const block = this.block(node, key, hasImages)
        this.ranges?.add(block, node)
        if (block !== undefined) blocks.push(block)
        return
      }
      const block = toTagBlock(node, key, this.tags)
      this.ranges?.add(block, node.open, node.close)
      if (block !== undefined) blocks.push(block)
      else for (const part of [node.open, ...node.children, ...(node.close ? [node.close] : [])]) add(part)
    }
    for (const node of joinGroups(pairDetails(siblings))) add(node)
    return blocks
  }

  private block(node: Content, key: string, hasImages: boolean): Block | undefined {
    switch (node.type) {
      case "paragraph":
        return this.paragraph(node, key, hasImages)
      case "heading":
        return this.heading(node, key)
      case "thematicBreak":
        return { object: "block", type: "divider", key, isVoid: true, data: {} }
      case "blockquote":
        return this.quote(node, key)
      case "list":
        return this.list(node, key)
      case "code":
        return toCode(node.value, languageOf(node), key)
      case "math":
        return toMath(node.value, key)
      case "html":
        if (node.value.startsWith("{%")) return toCode(node.value, { markdown: "tag" }, key)
        return this.html(node.value, key)
      case "table":
        return toTable(node, key, this.byLabel)
      default:
        return undefined
    }
  }

  private readonly htmlContext: HtmlContext = {
    takeAnnotation: (label) => annotationParagraphs(label, this.byLabel),
    toHeading: (nodes, depth, key, align) => this.headingOf(nodes, depth, key, align)
  }

  private html(value: string, key: string): Block {
    return (
      readHtmlBlock(value, key, this.htmlContext) ??
      // Unclosed HTML includes the line feeds at the end of the input.
      toCode(value.replace(/^[ \t]+|\n+$/g, ""), { syntax: "html", markdown: "html" }, key)
    )
  }

  private quote(node: Mdast.Blockquote, key: string): Block {
    const alert = readAlert(node, this.text)
    const nodes = this.blocks(pairTags(alert?.children ?? node.children), `${key}.`, false)
    return alert === undefined
      ? { object: "block", type: "blockquote", key, isVoid: false, nodes }
      : { object: "block", type: "hint", key, isVoid: false, data: alert.data, nodes }
  }

  private expandable(node: DetailsBlock, key: string): Block {
    const title = readHtmlInlines(node.summary, `${key}.title.0`, this.htmlContext.takeAnnotation)
    const body = this.blocks(node.children, `${key}.body.`, true)
    return expandableOf(title ?? [], body, node.isOpen, key)
  }

  private paragraph(node: Mdast.Paragraph, key: string, hasImages: boolean): Block {
    if (hasImages && consistsOfImages(node)) return this.images(node, key)
    const [first, ...others] = node.children
    if (first?.type === "inlineMath" && others.length === 0) return toMath(first.value, key)
    return {
      object: "block",
      type: "paragraph",
      key,
      isVoid: false,
      nodes: toInlines(node.children, key, this.byLabel)
    }
  }

  private images(node: Mdast.Paragraph, key: string): Images {
    const images = node.children
      .filter((child) => child.type === "image" || child.type === "imageReference")
      .map((child, index): Image => {
        const { url, title, reference } = resolveTarget(child, this.byLabel)
        const imageKey = `${key}.${index}`
        return {
          object: "block",
          type: "image",
          key: imageKey,
          isVoid: true,
          data: {
            ref: refOfImage(url),
            ...(child.alt ? { alt: child.alt } : {}),
            ...(reference === undefined ? {} : { reference })
          },
          fragments: title ? [toCaption(title, `${imageKey}.caption`)] : []
        }
      })
    const data = { markdown: "paragraph" } as const
    return { object: "block", type: "images", key, isVoid: false, data, nodes: images }
  }

  private heading(node: Mdast.Heading, key: string): Heading {
    const { children, anchor } = splitAnchor(node.children)
    return this.headingOf(toInlines(children, key, this.byLabel), node.depth, key, {}, anchor)
  }

  /** Creates a heading. `anchor` is its id if Markdown has one; otherwise, it is derived from the text. */
  private headingOf(
    nodes: ReadonlyArray<Inline>,
    depth: number,
    key: string,
    align: Paragraph["data"] = {},
    anchor?: string
  ): Heading {
    const id = anchor ?? this.slugger.slug(plainText(nodes).trim())
    return {
      object: "block",
      type: depth === 1 ? "heading-1" : depth === 2 ? "heading-2" : "heading-3",
      key,
      isVoid: false,
      nodes,
      data: {
        // The public contract permits only ASCII ids here, and any id in `meta`.
        ...(/^[-a-z0-9.+_]+$/.test(id) ? { id } : {}),
        ...align,
        ...(depth > 3 ? { depth: depth as 4 | 5 | 6 } : {}),
        ...(anchor === undefined ? {} : { anchor })
      },
      meta: { id }
    }
  }

  private list(node: Mdast.List, key: string): List {
    const spread = node.spread === true || node.children.some(isSpread)
    const tasks = node.children.some((item) => typeof item.checked === "boolean")
    const nodes = node.children.map((item, index): ListItem => {
      const itemKey = `${key}.${index}`
      return {
        object: "block",
        type: "list-item",
        key: itemKey,
        isVoid: false,
        data: {
          ...(typeof item.checked === "boolean" ? { checked: item.checked } : {}),
          ...(spread ? { spread } : {})
        },
        nodes: this.blocks(pairTags(item.children), `${itemKey}.`, false)
      }
    })
    for (const [index, item] of nodes.entries()) this.ranges?.add(item, node.children[index]!)
    const list = { object: "block" as const, key, isVoid: false as const, nodes }
    if (!node.ordered) return { ...list, type: tasks ? "list-tasks" : "list-unordered" }
    return { ...list, type: "list-ordered", data: { start: node.start ?? 1 } }
  }
}

const toMath = (formula: string, key: string): Block => ({
  object: "block",
  type: "math",
  key,
  isVoid: true,
  data: { formula }
})

/** Whether blank lines separate the blocks of an item, or will when they are written. Definitions are not blocks. */
const isSpread = (item: Mdast.ListItem): boolean => {
  const blocks = item.children.filter(({ type }) => type !== "definition" && type !== "footnoteDefinition")
  return (
    blocks.length > 1 &&
    (item.spread === true || blocks.some((block, index) => isLazyTag(block, blocks[index - 1])))
  )
}

/**
 * Whether a block is a tag on the line after a paragraph, not indented like its item. The parser reads such a tag as a
 * block, but it is one only after an empty line.
 */
const isLazyTag = (block: Mdast.Nodes, previous: Mdast.Nodes | undefined): boolean => {
  const [start, before] = [block.position?.start, previous?.position]
  if (
    block.type !== "html" ||
    previous?.type !== "paragraph" ||
    start === undefined ||
    before === undefined
  ) {
    return false
  }
  return start.line === before.end.line + 1 && start.column < before.start.column
}

/**
 * Joins each definition with a following paragraph that starts with an HTML tag to one HTML node. The paragraph is not
 * an HTML block only because a line precedes it, and definitions are moved to the end of the output.
 */
const joinDefinitionsAndTags = (
  parent: Mdast.Parents,
  onJoined: (definition: Mdast.Definition) => void
): void => {
  const children = parent.children as Array<Content>
  for (let index = children.length - 1; index >= 0; index--) {
    const node = children[index]!
    const after = children[index + 1]
    if (node.type === "definition" && after?.type === "paragraph" && after.children[0]?.type === "html") {
      onJoined(node)
      const lines = [node, after].map((child) => stringify({ type: "root", children: [child] }).trimEnd())
      const position = node.position &&
        after.position && { start: node.position.start, end: after.position.end }
      children.splice(index, 2, { type: "html", value: lines.join("\n"), ...(position ? { position } : {}) })
    } else if ("children" in node) joinDefinitionsAndTags(node, onJoined)
  }
}

/** Whether a paragraph consists of images on separate lines. */
const consistsOfImages = (node: Mdast.Paragraph): boolean =>
  node.children.length % 2 === 1 &&
  node.children.every((child, index) =>
    index % 2 === 0
      ? child.type === "image" || child.type === "imageReference"
      : child.type === "text" && child.value === "\n"
  )
