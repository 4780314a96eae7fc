/** Compares the nodes of documents by content, without keys and derived ids. */
import type { JsonDocument } from "@lectern/model/document"
import { labelKey } from "./linkReferences.ts"

/** The properties that nodes of documents have in common. */
export interface AnyNode {
  readonly object: string
  readonly type?: string
  readonly data?: object
  readonly nodes?: ReadonlyArray<AnyNode>
  readonly fragments?: ReadonlyArray<AnyNode>
}

/** A run of text with marks. */
interface AnyLeaf {
  readonly text: string
  readonly marks?: unknown
  readonly data?: unknown
}

const isNode = (value: object): value is AnyNode =>
  typeof (value as { readonly object?: unknown }).object === "string"

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  (typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0)

/** The properties that are derived from the position and the type of a node. */
const derivedProperties = new Set(["key", "meta", "isVoid"])

/** Returns the data of a node without the ids of headings, which are derived from their text. */
const dataOf = ({ type, data }: AnyNode): object | undefined => {
  if (data === undefined || type?.startsWith("heading") !== true) return data
  const { id: _, ...rest } = data as { readonly id?: string }
  return rest
}

/** Joins adjacent text, and adjacent leaves with the same marks: editors split text in different ways. */
const joinText = (nodes: ReadonlyArray<AnyNode>): ReadonlyArray<AnyNode> => {
  if (!nodes.some(({ object }) => object === "text")) return nodes
  const joined: Array<AnyNode> = []
  for (const node of nodes) {
    const last = joined.at(-1)
    if (node.object !== "text" || last?.object !== "text") joined.push(node)
    else joined[joined.length - 1] = { ...last, ...{ leaves: [...leavesOf(last), ...leavesOf(node)] } }
  }
  return joined.flatMap((node) => {
    if (node.object !== "text") return [node]
    const leaves: Array<AnyLeaf> = []
    let lastStyle = ""
    for (const leaf of leavesOf(node)) {
      const style = JSON.stringify([leaf.marks ?? [], leaf.data ?? {}])
      const last = leaves.at(-1)
      if (leaf.text === "") continue
      if (last !== undefined && style === lastStyle)
        leaves[leaves.length - 1] = { ...last, text: last.text + leaf.text }
      else leaves.push(leaf)
      lastStyle = style
    }
    return leaves.length === 0 ? [] : [{ ...node, ...{ leaves } }]
  })
}

const leavesOf = (node: AnyNode): ReadonlyArray<AnyLeaf> =>
  (node as { readonly leaves?: ReadonlyArray<AnyLeaf> }).leaves ?? []

/** Assigns equal numbers to nodes with equal content. The nodes of one comparison share an instance. */
export class NodeIdentity {
  private readonly numbers = new Map<string, number>()
  private readonly numbersByNode = new Map<object, number>()

  private numberOf(text: string): number {
    const existing = this.numbers.get(text)
    if (existing !== undefined) return existing
    this.numbers.set(text, this.numbers.size)
    return this.numbers.size - 1
  }

  /** Returns the number of a node with its descendants. */
  of(node: object): number {
    const existing = this.numbersByNode.get(node)
    if (existing !== undefined) return existing
    const number = this.numberOf(this.describe(node))
    this.numbersByNode.set(node, number)
    return number
  }

  /** Returns the number of a node without its children. */
  ofOwnData(node: AnyNode): number {
    return this.numberOf(this.describe({ ...node, nodes: [], fragments: [] }))
  }

  private describe(node: object): string {
    const properties = isNode(node) ? { ...node, data: dataOf(node) } : node
    return `{${Object.entries(properties)
      .filter(([name, value]) => !isEmpty(value) && !(isNode(node) && derivedProperties.has(name)))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `${JSON.stringify(name)}:${this.describeValue(value)}`)
      .join()}}`
  }

  private describeValue(value: unknown): string {
    if (Array.isArray(value)) {
      const items: ReadonlyArray<unknown> = value.every(isNodeValue) ? joinText(value) : value
      return `[${items.map((item) => this.describeValue(item)).join()}]`
    }
    if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
    return isNode(value) ? `#${this.of(value)}` : this.describe(value)
  }

  /** Whether sequences of nodes have equal content. */
  areEqual(one: ReadonlyArray<object>, other: ReadonlyArray<object>): boolean {
    return one.length === other.length && one.every((node, index) => this.of(node) === this.of(other[index]!))
  }

  /** Whether documents have equal content. The order of definitions and footnotes has no meaning, except for equal labels. */
  areEqualDocuments(one: JsonDocument, other: JsonDocument): boolean {
    return (
      this.areEqual(one.nodes, other.nodes) &&
      this.areEqual(byLabel(one.data.definitions), byLabel(other.data.definitions)) &&
      this.areEqual(byLabel(one.data.footnotes), byLabel(other.data.footnotes))
    )
  }
}

const isNodeValue = (value: unknown): value is AnyNode =>
  typeof value === "object" && value !== null && isNode(value)

/** Sorts definitions or footnotes by label. */
export const byLabel = <A extends { readonly label: string }>(all: ReadonlyArray<A> = []): ReadonlyArray<A> =>
  [...all].sort((a, b) => {
    const [one, other] = [labelKey(a.label), labelKey(b.label)]
    return one < other ? -1 : one > other ? 1 : 0
  })
