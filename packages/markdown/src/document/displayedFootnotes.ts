/**
 * Converts the footnotes of a document to annotations, which renderers of the public contract display. It is for documents
 * that are only displayed: an annotation is another construct in Markdown than a reference to a footnote.
 */
import type { Annotation, Block, Footnote, JsonDocument, Leaf, Text } from "@lectern/model/document"
import { type DocumentSize, hasTooManyNodes, isTooLarge, sizeOfDocument } from "@lectern/model/document"
import { labelKey } from "./linkReferences.ts"

interface AnyNode {
  readonly object?: string
  readonly type?: string
  readonly key?: string
  readonly nodes?: ReadonlyArray<AnyNode>
  readonly fragments?: ReadonlyArray<AnyNode>
  readonly leaves?: ReadonlyArray<Leaf>
}

/** A footnote that the document references. */
interface Reference {
  readonly footnote: Footnote
  /** The number that replaces its references: footnotes are numbered in the order of their first references. */
  readonly number: number
  /** Whether its text is displayed. */
  isDisplayed: boolean
}

/** The blocks of text that can contain annotations, unless they are in an annotation or in a caption. */
const textBlocks: ReadonlySet<string | undefined> = new Set([
  "paragraph",
  "heading-1",
  "heading-2",
  "heading-3"
])

/** The parts of a document that cannot contain annotations. */
const simpleFragments: ReadonlySet<string | undefined> = new Set(["annotation-body", "caption"])

const isFootnote = ({ data }: Leaf): boolean => data?.markdown === "footnote"

/** Whether a footnote can be the body of an annotation: paragraphs without annotations. */
const isSimple = ({ nodes }: Footnote): boolean =>
  nodes.length > 0 &&
  nodes.every(
    (block) =>
      block.type === "paragraph" &&
      block.data?.align === undefined &&
      block.nodes.every((inline) => inline.object === "text" || inline.type !== "annotation")
  )

const labelIn = ({ text }: Leaf): string => labelKey(/^\[\^(.*)\]$/s.exec(text)?.[1] ?? text)

const withSuperscript = (marks: Leaf["marks"]): Leaf["marks"] =>
  marks.some(({ type }) => type === "superscript")
    ? marks
    : [{ object: "mark", type: "superscript" }, ...marks]

const sum = (one: DocumentSize, other: DocumentSize): DocumentSize => ({
  nodes: one.nodes + other.nodes,
  values: one.values + other.values
})

/** The size that an annotation adds to a document, besides its body, and that the number of a footnote adds at the end. */
const addedSizes = { annotation: { nodes: 6, values: 20 }, number: { nodes: 4, values: 12 } }

/** Converts the footnotes of one document. */
class Display {
  private readonly footnotes: ReadonlyMap<string, Footnote>
  private readonly references = new Map<string, Reference>()
  /** The size of the document with the annotations so far. */
  private size: DocumentSize

  constructor(document: JsonDocument, footnotes: ReadonlyArray<Footnote>) {
    // Of equal labels, the first definition has precedence.
    this.footnotes = new Map(footnotes.toReversed().map((one) => [labelKey(one.label), one]))
    this.size = footnotes.reduce((size) => sum(size, addedSizes.number), sizeOfDocument(document))
  }

  private referenceOf(label: string): Reference | undefined {
    const known = this.references.get(label)
    const footnote = known?.footnote ?? this.footnotes.get(label)
    if (known !== undefined || footnote === undefined) return known
    const added = { footnote, number: this.references.size + 1, isDisplayed: false }
    this.references.set(label, added)
    return added
  }

  private numbered(leaf: Leaf, { number }: Reference): Leaf {
    return { object: "leaf", text: String(number), marks: withSuperscript(leaf.marks) }
  }

  /** Returns the paragraphs of a footnote, unless they do not fit into an annotation or into the document. */
  private bodyFor(reference: Reference): Annotation["fragments"][number]["nodes"] | undefined {
    const { footnote } = reference
    if (!isSimple(footnote)) return undefined
    // The first body takes the place of the footnote. Every other one is a copy.
    const added = sum(this.size, addedSizes.annotation)
    const size = reference.isDisplayed ? sum(added, sizeOfDocument(footnote.nodes)) : added
    if (isTooLarge(size)) return undefined
    this.size = size
    reference.isDisplayed = true
    const blocks = this.blocks(footnote.nodes as ReadonlyArray<AnyNode>, false)
    return blocks as Annotation["fragments"][number]["nodes"]
  }

  private annotation(
    key: string,
    number: Leaf,
    reference: Reference,
    nodes: Annotation["fragments"][number]["nodes"]
  ): Annotation {
    const fragment = String(reference.number)
    return {
      object: "inline",
      type: "annotation",
      key,
      isVoid: false,
      data: {},
      nodes: [{ object: "text", key: `${key}.0`, leaves: [number] }],
      fragments: [{ object: "fragment", key: `${key}.body`, fragment, type: "annotation-body", nodes }]
    }
  }

  /** Replaces the references in text: by annotations if it can contain them, or else by numbers. */
  private text(
    node: AnyNode & { readonly leaves: ReadonlyArray<Leaf> },
    hasAnnotations: boolean
  ): Array<AnyNode> {
    if (!node.leaves.some(isFootnote)) return [node]
    const parts: Array<AnyNode> = []
    let leaves: Array<Leaf> = []
    const keyOfNext = (): string =>
      parts.length === 0 ? (node.key ?? "") : `${node.key ?? ""}-${parts.length}`
    const flush = (): void => {
      if (leaves.length > 0) parts.push({ object: "text", key: keyOfNext(), leaves } satisfies Text)
      leaves = []
    }
    for (const leaf of node.leaves) {
      const reference = isFootnote(leaf) ? this.referenceOf(labelIn(leaf)) : undefined
      if (reference === undefined) {
        leaves.push(leaf)
        continue
      }
      const number = this.numbered(leaf, reference)
      const body = hasAnnotations ? this.bodyFor(reference) : undefined
      if (body === undefined) {
        leaves.push(number)
        continue
      }
      flush()
      parts.push(this.annotation(keyOfNext(), number, reference, body) as AnyNode)
    }
    flush()
    return parts
  }

  private node(node: AnyNode, canAnnotate: boolean): AnyNode {
    const { nodes, fragments } = node
    if (node.object === "leaf" || (nodes === undefined && fragments === undefined)) return node
    const isInside = canAnnotate && node.object !== "inline" && !simpleFragments.has(node.type)
    const isCaption = node.object === "fragment" && (node as { fragment?: unknown }).fragment === "caption"
    const inner = isInside && !isCaption
    const children =
      nodes === undefined ? undefined : this.nodes(nodes, inner, inner && textBlocks.has(node.type))
    const parts = fragments === undefined ? undefined : fragments.map((one) => this.node(one, inner))
    return {
      ...node,
      ...(children === undefined ? {} : { nodes: children }),
      ...(parts === undefined ? {} : { fragments: parts })
    }
  }

  private nodes(
    nodes: ReadonlyArray<AnyNode>,
    canAnnotate: boolean,
    hasAnnotations: boolean
  ): ReadonlyArray<AnyNode> {
    return nodes.flatMap((node) => {
      const { object, leaves } = node
      return object === "text" && leaves !== undefined
        ? this.text({ ...node, leaves }, hasAnnotations)
        : [this.node(node, canAnnotate)]
    })
  }

  /** Replaces the references in blocks. */
  blocks(blocks: ReadonlyArray<AnyNode>, canAnnotate: boolean): ReadonlyArray<AnyNode> {
    return this.nodes(blocks, canAnnotate, false)
  }

  /** Returns the footnotes that no annotation displays, each after a paragraph with its number. */
  remaining(): ReadonlyArray<AnyNode> {
    const blocks: Array<AnyNode> = []
    // The text of a footnote can reference further ones, which are added to the end of the map.
    for (const reference of this.references.values()) {
      if (reference.isDisplayed) continue
      reference.isDisplayed = true
      const key = `footnote-${reference.number}`
      const number = this.numbered({ object: "leaf", text: "", marks: [] }, reference)
      blocks.push({
        object: "block",
        type: "paragraph",
        key,
        isVoid: false,
        nodes: [{ object: "text", key: `${key}.0`, leaves: [number] }]
      } as AnyNode)
      blocks.push(...this.blocks(reference.footnote.nodes as ReadonlyArray<AnyNode>, false))
    }
    return blocks
  }
}

/**
 * Returns a document that displays its footnotes: their references are numbers with the footnote as an annotation. Footnotes
 * that an annotation cannot contain, and footnotes that only links, captions or other footnotes refer to, follow the last block.
 * A document that would be too large is returned unchanged.
 */
export const displayFootnotes = (document: JsonDocument): JsonDocument => {
  const { footnotes, ...data } = document.data
  if (footnotes === undefined) return document
  const display = new Display(document, footnotes)
  const nodes = display.blocks(document.nodes as ReadonlyArray<AnyNode>, true)
  const displayed = { ...document, data, nodes: [...nodes, ...display.remaining()] as ReadonlyArray<Block> }
  return hasTooManyNodes(displayed) ? document : displayed
}
