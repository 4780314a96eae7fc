/** Converts nodes of the editor to blocks of documents. */
import type { Fragment, Node } from "prosemirror-model"
import type { JsonObject } from "../schema/attributes.ts"
import { schema } from "../schema/schema.ts"
import { defaultData, defaultRest, typeOfName } from "./blockTypes.ts"
import { markOrderOf, writeInlines } from "./inlines.ts"
import type { DocumentNode } from "./json.ts"
import { origins } from "./origins.ts"
import { readBlock } from "./readBlocks.ts"
import { writeTable } from "./writeTable.ts"

const restOf = (node: Node, type: string): JsonObject =>
  (node.attrs.rest as JsonObject | null) ?? (defaultRest(type) as JsonObject)

/** Returns the key of a node in the document that it was read from. */
export const keyOf = (node: Node): string | undefined => {
  const key = (node.attrs.rest as JsonObject | null)?.key
  return typeof key === "string" ? key : undefined
}

/** Returns the fields of a node besides its content. */
const fieldsOf = (node: Node, type: string): DocumentNode => {
  const data = (node.attrs.data as JsonObject | null) ?? (defaultData[type] as JsonObject | undefined)
  return { object: "block", type, ...restOf(node, type), ...(data === undefined ? {} : { data }) }
}

/** Writes the inline content of a node, with the order of marks in the block that it was read from. */
const inlinesOf = (node: Node, content: Fragment = node.content): ReadonlyArray<DocumentNode> => {
  const exact = (node.attrs.exact ?? null) as DocumentNode | null
  return writeInlines(content, keyOf(node), exact === null ? undefined : markOrderOf(exact.nodes ?? []))
}

const headingType = (level: number): string => `heading-${Math.min(level, 3)}`

const writeHeading = (node: Node): DocumentNode => {
  const level = node.attrs.level as number
  const { depth: _, ...data } = (node.attrs.data as JsonObject | null) ?? {}
  return {
    ...fieldsOf(node, headingType(level)),
    data: { ...data, ...(level > 3 ? { depth: level } : {}) },
    nodes: inlinesOf(node)
  }
}

const writeCode = (node: Node): DocumentNode => {
  const key = keyOf(node)
  const highlighted = new Set(node.attrs.highlighted as ReadonlyArray<number>)
  const lineRest = node.attrs.rest === null ? {} : { isVoid: false }
  const nodes = node.textContent.split("\n").map((text, index): DocumentNode => {
    const own = key === undefined ? undefined : `${key}.${index}`
    return {
      object: "block",
      type: "code-line",
      ...lineRest,
      ...(own === undefined ? {} : { key: own }),
      data: highlighted.has(index) ? { highlighted: true } : {},
      nodes: [
        {
          object: "text",
          ...(own === undefined ? {} : { key: `${own}.0` }),
          leaves: [{ object: "leaf", text, marks: [] }]
        }
      ]
    }
  })
  return { ...fieldsOf(node, "code"), nodes }
}

/** Divides a caption at the breaks between its paragraphs. */
const captionParts = (content: Fragment): ReadonlyArray<Fragment> => {
  const parts: Array<Fragment> = []
  let from = 0
  content.forEach((node, offset) => {
    if (node.type.name !== "hard_break" || node.attrs.isParagraph !== true) return
    parts.push(content.cut(from, offset))
    from = offset + node.nodeSize
  })
  return [...parts, content.cut(from)]
}

const writeCaptioned = (node: Node): DocumentNode => {
  const type = typeOfName(node.type.name)
  const fields = fieldsOf(node, type)
  const caption = node.attrs.caption as JsonObject | null
  const hasCaption = node.content.size > 0 || caption !== null
  // Images always have the list of their captions, other blocks only if they have one.
  if (!hasCaption) return type === "image" ? { ...fields, fragments: [] } : fields
  const fragment = caption ?? { object: "fragment", fragment: "caption" }
  const key = typeof fragment.key === "string" ? fragment.key : undefined
  const nodes = captionParts(node.content).map((part, index): DocumentNode => {
    const own = key === undefined ? undefined : `${key}.${index}`
    return {
      object: "block",
      type: "paragraph",
      ...(own === undefined ? {} : { key: own, isVoid: false }),
      nodes: writeInlines(part, own)
    } as DocumentNode
  })
  return { ...fields, fragments: [{ ...fragment, nodes } as unknown as DocumentNode] }
}

const fragmentOf = (name: string, fragment: JsonObject | null): JsonObject =>
  fragment ?? { object: "fragment", fragment: name, type: name }

const writeExpandable = (node: Node): DocumentNode => {
  const [title, body] = [node.child(0), node.child(1)]
  const paragraph = { ...fieldsOf(title, "paragraph"), nodes: inlinesOf(title) }
  const titleFields = fragmentOf("expandable-title", title.attrs.fragment as JsonObject | null)
  const bodyFields = fragmentOf("expandable-body", body.attrs.fragment as JsonObject | null)
  return {
    ...fieldsOf(node, "expandable"),
    fragments: [
      { ...titleFields, nodes: [paragraph] },
      { ...bodyFields, nodes: writeContent(body) }
    ] as unknown as ReadonlyArray<DocumentNode>
  }
}

/** Whether a node is the filler of an empty container. */
export const isFiller = (node: Node): boolean => node.attrs.filler === true && node.content.size === 0

/** Whether a node is a block whose target was not chosen yet. The server does not accept one, and no document contains one. */
const isUnfinished = (node: Node): boolean => {
  const ref = (node.attrs.data as JsonObject | null | undefined)?.ref as JsonObject | undefined
  return ref?.kind === "openapi"
    ? ref.spec === ""
    : ref?.kind === "reusable-content" && ref.reusableContent === ""
}

/** Whether a node is a block of the document: no footnote, no filler, and no block whose target was not chosen yet. */
export const isWritten = (node: Node): boolean =>
  !isFiller(node) && node.type !== schema.nodes.footnote && !isUnfinished(node)

/** Converts the blocks in a node. */
export const writeContent = (parent: Node): ReadonlyArray<DocumentNode> => {
  const blocks: Array<DocumentNode> = []
  parent.forEach((node) => {
    if (isWritten(node)) blocks.push(writeBlock(node))
  })
  return blocks
}

/** Converts a node from its content, without the block that it was read from. */
export const writeNode = (node: Node): DocumentNode => {
  switch (node.type.name) {
    case "opaque":
      return node.attrs.json as DocumentNode
    case "heading":
      return writeHeading(node)
    case "code":
      return writeCode(node)
    case "image":
    case "embed":
    case "file":
      return writeCaptioned(node)
    case "expandable":
      return writeExpandable(node)
    case "table":
      return writeTable(node)
    case "paragraph":
      return { ...fieldsOf(node, "paragraph"), nodes: inlinesOf(node) }
    default: {
      const fields = fieldsOf(node, typeOfName(node.type.name))
      return node.isAtom ? fields : { ...fields, nodes: writeContent(node) }
    }
  }
}

/** Converts a node to a block. An unchanged node is the block that it was read from. */
export const writeBlock = (node: Node): DocumentNode => {
  const known = origins.get(node)
  if (known !== undefined) return known
  const exact = (node.attrs.exact ?? null) as DocumentNode | null
  const written = exact !== null && readBlock(exact).eq(node) ? exact : writeNode(node)
  origins.set(node, written)
  return written
}
