/** Converts the inline nodes of documents to the inline content of the editor, and back. */
import { Fragment, type Mark, type Node } from "prosemirror-model"
import { inlineAtoms } from "../schema/atomNodes.ts"
import type { JsonObject } from "../schema/attributes.ts"
import { schema } from "../schema/schema.ts"
import type { DocumentLeaf, DocumentMark, DocumentNode } from "./json.ts"
import { without } from "./json.ts"

const atoms: ReadonlySet<string> = new Set(inlineAtoms)

const nameOf = (type: string): string => (type === "code" ? "inline_code" : type.replaceAll("-", "_"))

/** Returns the marks of the editor for the marks of a document. */
const readMarks = (marks: ReadonlyArray<DocumentMark>, outer: ReadonlyArray<Mark>): ReadonlyArray<Mark> =>
  marks.reduce<ReadonlyArray<Mark>>((set, { type, data }) => {
    const found = schema.marks[nameOf(type)]
    return found === undefined ? set : found.create(data ?? null).addToSet(set)
  }, outer)

const readLeaf = (leaf: DocumentLeaf, outer: ReadonlyArray<Mark>): ReadonlyArray<Node> => {
  const marks = readMarks(leaf.marks, outer)
  switch (leaf.data?.markdown) {
    case "break":
      return [schema.nodes.hard_break!.create({ text: leaf.text }, null, marks)]
    case "html":
      return [schema.nodes.inline_html!.create({ text: leaf.text }, null, marks)]
    case "footnote":
      return [schema.nodes.footnote_reference!.create({ text: leaf.text }, null, marks)]
    default: {
      const soft = schema.marks.soft_break!.create()
      return leaf.text
        .split(/(\n)/)
        .filter((part) => part !== "")
        .map((part) => (part === "\n" ? schema.text(" ", soft.addToSet(marks)) : schema.text(part, marks)))
    }
  }
}

const readLink = (node: DocumentNode): ReadonlyArray<Node> => {
  const link = schema.marks.link!.create({ data: node.data })
  return readInlineNodes(node.nodes ?? [], [link])
}

const readAnnotation = (node: DocumentNode): ReadonlyArray<Node> => {
  const body = (node.fragments?.[0] ?? null) as unknown as JsonObject | null
  const mark = schema.marks.annotation!.create({ data: node.data ?? null, body })
  return readInlineNodes(node.nodes ?? [], [mark])
}

const readInline = (node: DocumentNode, outer: ReadonlyArray<Mark>): ReadonlyArray<Node> => {
  if (node.object === "text") return (node.leaves ?? []).flatMap((leaf) => readLeaf(leaf, outer))
  const read = node.type === "link" ? readLink(node) : node.type === "annotation" ? readAnnotation(node) : []
  if (read.length > 0) return read
  if (node.type === undefined || !atoms.has(node.type)) {
    return [schema.nodes.opaque_inline!.create({ json: without(node, "key") }, null, outer)]
  }
  const { marks, ...data } = (node.data ?? {}) as JsonObject & {
    readonly marks?: ReadonlyArray<DocumentMark>
  }
  return [schema.nodes[nameOf(node.type)]!.create({ data }, null, readMarks(marks ?? [], outer))]
}

const readInlineNodes = (
  nodes: ReadonlyArray<DocumentNode>,
  outer: ReadonlyArray<Mark> = []
): ReadonlyArray<Node> => nodes.flatMap((node) => readInline(node, outer))

/** Converts inline nodes of a document to content of the editor. */
export const readInlines = (nodes: ReadonlyArray<DocumentNode>): Fragment =>
  Fragment.fromArray([...readInlineNodes(nodes)])

/** The order of marks by their set, and by their set with their text: that of the text that a block was read from. */
export type MarkOrder = ReadonlyMap<string, ReadonlyArray<DocumentMark>>

const setKey = (marks: ReadonlyArray<DocumentMark>): string =>
  [...new Set(marks.map((mark) => JSON.stringify([mark.type, mark.data?.text, mark.data?.background])))]
    .sort()
    .join()

/** Returns the orders of marks in inline nodes. */
export const markOrderOf = (nodes: ReadonlyArray<DocumentNode>): MarkOrder => {
  const order = new Map<string, ReadonlyArray<DocumentMark>>()
  const add = (marks: ReadonlyArray<DocumentMark> | undefined, text: string): void => {
    if (marks === undefined || marks.length < 2) return
    order.set(setKey(marks), marks)
    order.set(setKey(marks) + text, marks)
  }
  const visit = (node: DocumentNode): void => {
    for (const { marks, text } of node.leaves ?? []) add(marks, text)
    add(node.data?.marks as ReadonlyArray<DocumentMark> | undefined, "")
    for (const child of node.nodes ?? []) visit(child)
  }
  for (const node of nodes) visit(node)
  return order
}

/** The marks that enclose text as nodes of a document, or represent its characters. */
const structural = new Set(["link", "annotation", "soft_break"])

const documentMark = (mark: Mark): DocumentMark => ({
  object: "mark",
  type: mark.type.name === "inline_code" ? "code" : mark.type.name,
  ...(mark.type.name === "color" ? { data: { ...mark.attrs } } : {})
})

const marksOf = (node: Node): ReadonlyArray<DocumentMark> =>
  node.marks.filter(({ type }) => !structural.has(type.name)).map(documentMark)

const isSame = (one: DocumentMark, other: DocumentMark): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

const includes = (marks: ReadonlyArray<DocumentMark>, mark: DocumentMark): boolean =>
  marks.some((other) => isSame(mark, other))

const textOf = (node: Node): string =>
  schema.marks.soft_break!.isInSet(node.marks) && node.text !== undefined
    ? node.text.replaceAll(" ", "\n")
    : (node.text ?? String(node.attrs.text))

const leafKinds: Readonly<Record<string, string>> = {
  hard_break: "break",
  inline_html: "html",
  footnote_reference: "footnote"
}

const isText = (node: Node): boolean => node.isText || Object.hasOwn(leafKinds, node.type.name)

/** Writes inline content as inline nodes of a document. */
class InlineWriter {
  private readonly order: MarkOrder

  constructor(order: MarkOrder) {
    this.order = order
  }

  /** Writes nodes. `key` is the key of their parent; `outer` are the marks around them, which come first. */
  write(
    nodes: ReadonlyArray<Node>,
    key: string | undefined,
    outer: ReadonlyArray<DocumentMark>
  ): Array<DocumentNode> {
    const written: Array<DocumentNode> = []
    const keyed = (node: DocumentNode): DocumentNode =>
      key === undefined ? node : { ...node, key: `${key}.${written.length}` }
    for (let at = 0; at < nodes.length; ) {
      const node = nodes[at]!
      const group = isText(node) ? this.groupOf(nodes, at, isText) : [node]
      written.push(keyed(isText(node) ? this.text(group, outer) : this.atom(node, outer)))
      at += group.length
    }
    return written
  }

  /** Writes the content of a block: links and annotations become nodes. */
  writeBlock(nodes: ReadonlyArray<Node>, key: string | undefined): ReadonlyArray<DocumentNode> {
    const written: Array<DocumentNode> = []
    for (let at = 0; at < nodes.length; ) {
      const mark = this.enclosing(nodes[at]!)
      const group = this.groupOf(nodes, at, (node) => {
        const other = this.enclosing(node)
        return mark === undefined ? other === undefined : other?.eq(mark) === true
      })
      if (mark === undefined) {
        const prefix = key === undefined ? undefined : written.length
        const parts = this.write(group, undefined, [])
        for (const [index, part] of parts.entries()) {
          written.push(prefix === undefined ? part : { ...part, key: `${key}.${prefix + index}` })
        }
      } else {
        const own = key === undefined ? undefined : `${key}.${written.length}`
        const around = { before: nodes[at - 1], after: nodes[at + group.length] }
        const node =
          mark.type.name === "link" ? this.link(mark, group, own, around) : this.annotation(mark, group, own)
        written.push(own === undefined ? node : { ...node, key: own })
      }
      at += group.length
    }
    return written
  }

  private groupOf(
    nodes: ReadonlyArray<Node>,
    at: number,
    isIn: (node: Node) => boolean
  ): ReadonlyArray<Node> {
    let end = at + 1
    while (end < nodes.length && isIn(nodes[end]!)) end++
    return nodes.slice(at, end)
  }

  /** The link or the annotation around a node. Some nodes cannot be in one. */
  private enclosing(node: Node): Mark | undefined {
    const mark = node.marks.find(({ type }) => type.name === "link" || type.name === "annotation")
    if (mark === undefined || isText(node)) return mark
    const { name } = node.type
    const isPossible = mark.type.name === "link" && !["mention", "button", "opaque_inline"].includes(name)
    return isPossible ? mark : undefined
  }

  private ordered(
    marks: ReadonlyArray<DocumentMark>,
    outer: ReadonlyArray<DocumentMark>,
    text = ""
  ): ReadonlyArray<DocumentMark> {
    const set = marks.length > 1 ? setKey(marks) : ""
    // A block can have the same marks in two orders: text that was not edited keeps its own.
    const known = set === "" ? undefined : (this.order.get(set + text) ?? this.order.get(set))
    if (known !== undefined) return known
    if (outer.length === 0) return marks
    return [...outer, ...marks.filter((mark) => !includes(outer, mark))]
  }

  private text(nodes: ReadonlyArray<Node>, outer: ReadonlyArray<DocumentMark>): DocumentNode {
    const leaves: Array<DocumentLeaf> = []
    for (const node of nodes) {
      const markdown = leafKinds[node.type.name]
      const marks = this.ordered(marksOf(node), outer, textOf(node))
      const last = leaves.at(-1)
      const isJoined =
        markdown === undefined &&
        last !== undefined &&
        last.data === undefined &&
        JSON.stringify(last.marks) === JSON.stringify(marks)
      if (isJoined) leaves[leaves.length - 1] = { ...last, text: last.text + textOf(node) }
      else
        leaves.push({
          object: "leaf",
          text: textOf(node),
          marks,
          ...(markdown === undefined ? {} : { data: { markdown } })
        })
    }
    return { object: "text", leaves }
  }

  private atom(node: Node, outer: ReadonlyArray<DocumentMark>): DocumentNode {
    if (node.type.name === "opaque_inline") return node.attrs.json as DocumentNode
    const marks = this.ordered(marksOf(node), outer)
    return {
      object: "inline",
      type: node.type.name.replaceAll("_", "-"),
      isVoid: true,
      data: { ...(node.attrs.data as JsonObject), ...(marks.length === 0 ? {} : { marks }) }
    } as unknown as DocumentNode
  }

  private link(
    mark: Mark,
    group: ReadonlyArray<Node>,
    key: string | undefined,
    around: { readonly before: Node | undefined; readonly after: Node | undefined }
  ): DocumentNode {
    const { marks: earlier, ...data } = mark.attrs.data as JsonObject & {
      readonly marks?: ReadonlyArray<DocumentMark>
    }
    const all = group.map(marksOf)
    const neighbors = [around.before, around.after].flatMap((node) =>
      node === undefined ? [] : marksOf(node)
    )
    const candidates = [...(earlier ?? []), ...neighbors.filter((one) => !includes(earlier ?? [], one))]
    const surrounding = candidates.filter(
      (one, index) =>
        all.every((marks) => includes(marks, one)) &&
        candidates.findIndex((other) => isSame(one, other)) === index
    )
    return {
      object: "inline",
      type: "link",
      isVoid: false,
      nodes: this.write(group, key, surrounding),
      data: { ...data, ...(surrounding.length === 0 ? {} : { marks: surrounding }) }
    } as unknown as DocumentNode
  }

  private annotation(mark: Mark, group: ReadonlyArray<Node>, key: string | undefined): DocumentNode {
    const body = mark.attrs.body as JsonObject | null
    return {
      object: "inline",
      type: "annotation",
      isVoid: false,
      ...(mark.attrs.data === null ? {} : { data: mark.attrs.data as JsonObject }),
      nodes: this.write(group, key, []),
      fragments: [body ?? { object: "fragment", type: "annotation-body", nodes: [] }]
    } as unknown as DocumentNode
  }
}

const childrenOf = (content: Fragment): ReadonlyArray<Node> => {
  const nodes: Array<Node> = []
  content.forEach((node) => {
    nodes.push(node)
  })
  return nodes
}

const noOrder: MarkOrder = new Map()

/** Converts inline content of the editor to inline nodes of a document. `key` is the key of the block. */
export const writeInlines = (
  content: Fragment,
  key: string | undefined,
  order: MarkOrder = noOrder
): ReadonlyArray<DocumentNode> => new InlineWriter(order).writeBlock(childrenOf(content), key)
