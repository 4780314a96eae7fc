/** Converts the blocks of documents to nodes of the editor. */
import { Fragment, type Node } from "prosemirror-model"
import { voidBlocks } from "../schema/atomNodes.ts"
import type { JsonObject } from "../schema/attributes.ts"
import { schema } from "../schema/schema.ts"
import { containers, nameOfType } from "./blockTypes.ts"
import { readInlines } from "./inlines.ts"
import { type DocumentNode, isEqual, without } from "./json.ts"
import { origins } from "./origins.ts"
import { readTable } from "./readTable.ts"
import { writeNode } from "./writeBlocks.ts"

const voidTypes: ReadonlySet<string> = new Set(voidBlocks)

/** Returns the attributes that every node has. */
export const attributesOf = (node: DocumentNode) => ({
  data: node.data ?? null,
  rest: without(node, "object", "type", "nodes", "data", "fragments")
})

/** Returns the paragraph in which the writer edits an empty container. */
export const filler = (): Node => schema.nodes.paragraph!.create({ filler: true })

const headingLevel = ({ type, data }: DocumentNode): number =>
  type === "heading-1" ? 1 : type === "heading-2" ? 2 : typeof data?.depth === "number" ? data.depth : 3

const lineText = (line: DocumentNode): string =>
  (line.nodes ?? []).flatMap(({ leaves }) => (leaves ?? []).map(({ text }) => text)).join("")

const readCode = (node: DocumentNode): Node => {
  const lines = node.nodes ?? []
  const text = lines.map(lineText).join("\n")
  const highlighted = lines.flatMap(({ data }, index) => (data?.highlighted === true ? [index] : []))
  return schema.nodes.code!.create(
    { ...attributesOf(node), highlighted },
    text === "" ? null : schema.text(text)
  )
}

/** Reads the paragraphs of a caption as one line of text, in which breaks divide the paragraphs. */
const readCaption = (fragment: DocumentNode | undefined): Fragment => {
  const parts = (fragment?.nodes ?? []).map((paragraph) => readInlines(paragraph.nodes ?? []))
  return parts.reduce<Fragment>(
    (all, part, index) =>
      (index === 0
        ? all
        : all.append(Fragment.from(schema.nodes.hard_break!.create({ text: "", isParagraph: true })))
      ).append(part),
    Fragment.empty
  )
}

const readCaptioned = (node: DocumentNode): Node => {
  const fragment = node.fragments?.[0]
  const caption = fragment === undefined ? null : without(fragment, "nodes")
  return schema.nodes[node.type!]!.create({ ...attributesOf(node), caption }, readCaption(fragment))
}

const readExpandable = (node: DocumentNode): Node | undefined => {
  const [title, body, ...others] = node.fragments ?? []
  if (title?.fragment !== "expandable-title" || body?.fragment !== "expandable-body") return undefined
  const paragraphs = title.nodes ?? []
  if (others.length > 0 || paragraphs.length !== 1) return undefined
  const paragraph = paragraphs[0]!
  return schema.nodes.expandable!.create(attributesOf(node), [
    schema.nodes.expandable_title!.create(
      { ...attributesOf(paragraph), fragment: without(title, "nodes") },
      readInlines(paragraph.nodes ?? [])
    ),
    schema.nodes.expandable_body!.create({ fragment: without(body, "nodes") }, readContent(body.nodes ?? []))
  ])
}

const readImages = (node: DocumentNode): Node | undefined => {
  const images = node.nodes ?? []
  if (images.length === 0 || images.some(({ type }) => type !== "image")) return undefined
  return schema.nodes.images!.create(attributesOf(node), images.map(readBlock))
}

const readContainer = (node: DocumentNode, child: string | undefined): Node | undefined => {
  const type = schema.nodes[nameOfType(node.type!)]!
  const nodes = node.nodes ?? []
  if (child === undefined) return type.create(attributesOf(node), readContent(nodes))
  if (nodes.length === 0 || nodes.some((one) => one.type !== child)) return undefined
  return type.create(attributesOf(node), nodes.map(readBlock))
}

const readKnown = (node: DocumentNode): Node | undefined => {
  const type = node.type ?? ""
  switch (type) {
    case "paragraph":
      return schema.nodes.paragraph!.create(attributesOf(node), readInlines(node.nodes ?? []))
    case "heading-1":
    case "heading-2":
    case "heading-3":
      return schema.nodes.heading!.create(
        { ...attributesOf(node), level: headingLevel(node) },
        readInlines(node.nodes ?? [])
      )
    case "code":
      return readCode(node)
    case "divider":
      return schema.nodes.divider!.create(attributesOf(node))
    case "images":
      return readImages(node)
    case "image":
    case "embed":
    case "file":
      return readCaptioned(node)
    case "expandable":
      return readExpandable(node)
    case "table":
      return readTable(node)
    default:
      if (voidTypes.has(type)) return schema.nodes[nameOfType(type)]!.create(attributesOf(node))
      return Object.hasOwn(containers, type) ? readContainer(node, containers[type]!.child) : undefined
  }
}

const opaque = (node: DocumentNode): Node => schema.nodes.opaque!.create({ json: node })

/**
 * Converts a block. A block that the editor cannot represent becomes an opaque node. If the node has another form when it is
 * converted back, it keeps the block.
 */
export const readBlock = (node: DocumentNode): Node => {
  const known = readKnown(node) ?? opaque(node)
  const isExact = known.type.name === "opaque" || isEqual(writeNode(known), node)
  const read = isExact
    ? known
    : known.type.create({ ...known.attrs, exact: node }, known.content, known.marks)
  origins.set(read, node)
  return read
}

/** Converts blocks. A container without blocks has a paragraph in which text can be entered. */
export const readContent = (nodes: ReadonlyArray<DocumentNode>): Fragment => {
  const blocks = nodes.map(readBlock)
  return Fragment.fromArray(blocks.length === 0 ? [filler()] : blocks)
}

/** Converts a document. */
export const readDocument = (data: JsonObject, nodes: ReadonlyArray<DocumentNode>): Node => {
  const footnotes = (data.footnotes ?? []) as unknown as ReadonlyArray<{
    readonly label: string
    readonly nodes: ReadonlyArray<DocumentNode>
  }>
  const content = readContent(nodes).append(
    Fragment.fromArray(
      footnotes.map(({ label, nodes: blocks }) =>
        schema.nodes.footnote!.create({ label }, readContent(blocks))
      )
    )
  )
  const { footnotes: _, ...others } = data
  // An empty list of footnotes has no nodes, so it remains in the data.
  const kept = data.footnotes !== undefined && footnotes.length === 0 ? data : others
  return schema.nodes.doc!.create({ data: kept }, content)
}
