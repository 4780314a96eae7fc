/** Converts inlines to text with placeholders, and back. */
import type { AnyNode } from "./AnyNode.ts"
import type { FindTerms } from "./glossary.ts"
import {
  addressPattern,
  decodeTranslation,
  type Encoded,
  escapeText,
  type Piece,
  type Slot
} from "./placeholders.ts"

/** A string of a document, in the form in which a model translates it. */
export interface EncodedText extends Encoded<AnyNode> {
  /** Whitespace before and after the text, which does not change. */
  readonly before: string
  readonly after: string
}

const hasWords = /\p{L}/u

/** Whether a string has words outside of its placeholders, so that there is something to translate. */
export const isTranslatable = ({ text, slots }: EncodedText): boolean =>
  hasWords.test(text.replace(/<\/?\d+\s*\/?>|&[a-z]+;/g, " ")) ||
  [...slots.values()].some(({ kind }) => kind === "term")

/** Omits the keys of nodes, which are derived from their positions, and the text in a placeholder. */
const comparable = (name: string, value: unknown): unknown =>
  name === "key" || name === "nodes" || (name === "text" && typeof value === "string") ? undefined : value

/** Whether the placeholders of two strings represent the same nodes and terms, by their numbers. */
export const haveSamePlaceholders = (one: EncodedText, other: EncodedText): boolean => {
  const of = ({ slots, parents }: EncodedText): string =>
    JSON.stringify(
      [...slots].map(([number, slot]) => [
        parents.get(number),
        slot.kind === "atom" ? slot.value : slot,
        slot.kind === "atom" ? (slot.value.text ?? "") : ""
      ]),
      (name, value: unknown) => (name === "translation" ? value : comparable(name, value))
    )
  return of(one) === of(other)
}

/** Whether a run of text does not change: code, keys, HTML, line breaks and references to footnotes. */
const isFixed = ({ marks = [], data }: AnyNode): boolean =>
  data?.markdown !== undefined || marks.some(({ type }) => type === "code" || type === "keyboard")

/** Adds placeholders to text. */
class Encoder {
  readonly slots = new Map<number, Slot<AnyNode>>()
  readonly parents = new Map<number, number>()
  private readonly findTerms: FindTerms
  private last = 0

  constructor(findTerms: FindTerms) {
    this.findTerms = findTerms
  }

  private add(slot: Slot<AnyNode>, parent: number): number {
    this.last++
    this.slots.set(this.last, slot)
    this.parents.set(this.last, parent)
    return this.last
  }

  private atom(value: AnyNode, parent: number): string {
    return `<${this.add({ kind: "atom", value }, parent)}/>`
  }

  /** Encodes plain text: its terms, and its addresses. */
  plain(text: string, parent: number): string {
    return text
      .replace(/\s*\n\s*/g, " ")
      .split(new RegExp(`(${addressPattern.source})`, "giu"))
      .map((part, index) => {
        if (index % 2 === 1) return this.atom({ object: "leaf", text: part, marks: [] }, parent)
        return this.findTerms(part)
          .map((piece) => {
            if (piece.kind === "plain") return escapeText(piece.text)
            const number = this.add({ kind: "term", translation: piece.translation }, parent)
            return `<${number}>${escapeText(piece.text)}</${number}>`
          })
          .join("")
      })
      .join("")
  }

  private leaf(leaf: AnyNode, parent: number): string {
    const { text = "", marks = [] } = leaf
    if (text === "") return ""
    if (isFixed(leaf)) return this.atom(leaf, parent)
    if (marks.length === 0) return this.plain(text, parent)
    const number = this.add({ kind: "wrapper", value: leaf, hasText: text.trim() !== "" }, parent)
    return `<${number}>${this.plain(text, number)}</${number}>`
  }

  inline(node: AnyNode, parent: number): string {
    if (node.object === "text") return (node.leaves ?? []).map((leaf) => this.leaf(leaf, parent)).join("")
    if (node.type !== "link" && node.type !== "annotation") return this.atom(node, parent)
    const nodes = node.nodes ?? []
    const hasText = nodes.some(({ leaves = [] }) => leaves.some(({ text = "" }) => text.trim() !== ""))
    const number = this.add({ kind: "wrapper", value: node, hasText }, parent)
    return `<${number}>${nodes.map((child) => this.inline(child, number)).join("")}</${number}>`
  }
}

const encoded = (encoder: Encoder, text: string): EncodedText => {
  const [, before = "", inner = "", after = ""] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? []
  return { text: inner, slots: encoder.slots, parents: encoder.parents, before, after }
}

/** Encodes the inlines of a block. */
export const encodeInlines = (nodes: ReadonlyArray<AnyNode>, findTerms: FindTerms): EncodedText => {
  const encoder = new Encoder(findTerms)
  return encoded(encoder, nodes.map((node) => encoder.inline(node, 0)).join(""))
}

/** Encodes text without markup, such as a title. */
export const encodePlain = (text: string, findTerms: FindTerms): EncodedText => {
  const encoder = new Encoder(findTerms)
  return encoded(encoder, encoder.plain(text, 0))
}

const textNode = (leaves: ReadonlyArray<AnyNode>): AnyNode => ({ object: "text", leaves })
const plainLeaf = (text: string): AnyNode => ({ object: "leaf", text, marks: [] })

const plainText = (pieces: ReadonlyArray<Piece<AnyNode>>): string =>
  pieces
    .map((piece) =>
      piece.kind === "text"
        ? piece.text
        : piece.kind === "wrapper"
          ? plainText(piece.pieces)
          : (piece.value.text ?? "")
    )
    .join("")

/** Text with marks. Marks do not begin or end with whitespace in Markdown, so that it is moved outside. */
const markedLeaves = (leaf: AnyNode, text: string): ReadonlyArray<AnyNode> => {
  const [, before = "", inner = "", after = ""] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? []
  return [
    ...(before === "" ? [] : [plainLeaf(before)]),
    ...(inner === "" ? [] : [{ ...leaf, text: inner }]),
    ...(after === "" ? [] : [plainLeaf(after)])
  ]
}

/** Converts pieces to nodes. `around` is the node of the source that contains them; its marks apply to their text. */
const toNodes = (
  pieces: ReadonlyArray<Piece<AnyNode>>,
  around: AnyNode | undefined
): ReadonlyArray<AnyNode> => {
  const nodes: Array<AnyNode> = []
  const addLeaves = (leaves: ReadonlyArray<AnyNode>): void => {
    const last = nodes.at(-1)
    if (last?.object === "text") nodes[nodes.length - 1] = textNode([...(last.leaves ?? []), ...leaves])
    else nodes.push(textNode(leaves))
  }
  for (const piece of pieces) {
    if (piece.kind === "text") {
      const marks = (around?.data?.marks as AnyNode["marks"]) ?? []
      addLeaves([{ ...plainLeaf(piece.text), marks }])
    } else if (piece.value.object === "leaf") {
      const { value } = piece
      addLeaves(piece.kind === "atom" ? [value] : markedLeaves(value, plainText(piece.pieces)))
    } else if (piece.kind === "atom") nodes.push(piece.value)
    else nodes.push({ ...piece.value, nodes: toNodes(piece.pieces, piece.value) })
  }
  return nodes
}

/** Returns the inlines of a translation. Throws `Rejected` if it does not have the placeholders of the source. */
export const decodeInlines = (source: EncodedText, translation: string): ReadonlyArray<AnyNode> => {
  const pieces = decodeTranslation(source, translation)
  return toNodes(
    [
      ...(source.before === "" ? [] : [{ kind: "text", text: source.before } as const]),
      ...pieces,
      ...(source.after === "" ? [] : [{ kind: "text", text: source.after } as const])
    ],
    undefined
  )
}

/** Returns the text of a translation without markup. Throws `Rejected` like {@link decodeInlines}. */
export const decodePlain = (source: EncodedText, translation: string): string =>
  `${source.before}${plainText(decodeTranslation(source, translation))}${source.after}`
