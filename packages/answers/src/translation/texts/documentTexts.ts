/** Finds the strings of a document in their order, and replaces them. */
import type { JsonDocument } from "@lectern/model"
import { type AnyNode, isTextBlock } from "./AnyNode.ts"

/** A string of a document: its inlines, or text without markup such as the title of a tab. */
export type DocumentText =
  | { readonly kind: "inlines"; readonly nodes: ReadonlyArray<AnyNode> }
  | { readonly kind: "plain"; readonly text: string }

/** Replaces the strings of a document. Each function returns its argument for a string that does not change. */
export interface ReplaceTexts {
  readonly inlines: (nodes: ReadonlyArray<AnyNode>) => ReadonlyArray<AnyNode>
  readonly plain: (text: string) => string
}

/** The fields of `data` that readers see as text, by the type of the node. */
const dataTexts: Readonly<Record<string, string>> = {
  "tabs-item": "title",
  "content-ref": "label",
  image: "alt",
  "inline-image": "alt",
  drawing: "alt",
  button: "label"
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Replaces the titles of columns that are plain text. */
const withColumns = (
  definition: Readonly<Record<string, unknown>>,
  { plain }: ReplaceTexts
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(definition).map(([id, column]) =>
      isRecord(column) && column.titleFragment === undefined && typeof column.title === "string"
        ? [id, { ...column, title: plain(column.title) }]
        : [id, column]
    )
  )

const withData = (node: AnyNode, replace: ReplaceTexts): AnyNode => {
  const { type = "", data } = node
  if (data === undefined) return node
  if (type === "table" && isRecord(data.definition)) {
    return { ...node, data: { ...data, definition: withColumns(data.definition, replace) } }
  }
  const field = Object.hasOwn(dataTexts, type) ? dataTexts[type] : undefined
  const text = field === undefined ? undefined : data[field]
  return field === undefined || typeof text !== "string"
    ? node
    : { ...node, data: { ...data, [field]: replace.plain(text) } }
}

/** The text of inlines, to compare it. */
const wordsOf = (nodes: ReadonlyArray<AnyNode>): string =>
  nodes
    .map(({ text = "", nodes: below = [], leaves = [] }) => text + wordsOf(below) + wordsOf(leaves))
    .join("")

/** Links to a heading refer to an id that is derived from its text: a translated heading keeps that of its source as its anchor. */
const withAnchor = (node: AnyNode, nodes: ReadonlyArray<AnyNode>): AnyNode => {
  const { data = {}, meta } = node
  const id = isRecord(meta) ? meta.id : data.id
  const isHeading = node.type?.startsWith("heading-") === true
  if (!isHeading || data.anchor !== undefined || typeof id !== "string" || !/^[^\s"]+$/.test(id)) return node
  return wordsOf(node.nodes ?? []) === wordsOf(nodes) ? node : { ...node, data: { ...data, anchor: id } }
}

const mapList = (
  nodes: ReadonlyArray<AnyNode> | undefined,
  replace: ReplaceTexts
): ReadonlyArray<AnyNode> | undefined => nodes?.map((node) => mapNode(node, replace))

const mapNode = (original: AnyNode, replace: ReplaceTexts): AnyNode => {
  // Code, as well as HTML and everything else that is not parsed, never changes.
  if (original.type === "code" || original.object === "text") return original
  const node = withData(original, replace)
  const fragments = mapList(node.fragments, replace)
  const below = mapList(node.nodes, replace)
  const nodes = below !== undefined && isTextBlock(node) ? replace.inlines(below) : below
  return {
    ...(nodes === undefined ? node : { ...withAnchor(node, nodes), nodes }),
    ...(fragments === undefined ? {} : { fragments })
  }
}

/** Replaces the strings of blocks. */
export const mapBlocks = (nodes: ReadonlyArray<AnyNode>, replace: ReplaceTexts): ReadonlyArray<AnyNode> =>
  nodes.map((node) => mapNode(node, replace))

/** Replaces the strings of a document: of its blocks, then of its footnotes. */
export const mapTexts = (document: JsonDocument, replace: ReplaceTexts): JsonDocument => {
  const nodes = mapBlocks(document.nodes as ReadonlyArray<AnyNode>, replace)
  const footnotes = document.data.footnotes?.map((footnote) => ({
    ...footnote,
    nodes: mapBlocks(footnote.nodes as ReadonlyArray<AnyNode>, replace)
  }))
  // The nodes have the types of the document's nodes; only their strings differ.
  return {
    ...document,
    data: footnotes === undefined ? document.data : { ...document.data, footnotes },
    nodes
  } as unknown as JsonDocument
}

/** Returns the strings of blocks in the order in which `mapBlocks` replaces them. */
export const textsOf = (nodes: ReadonlyArray<AnyNode>): ReadonlyArray<DocumentText> => {
  const texts: Array<DocumentText> = []
  mapBlocks(nodes, {
    inlines: (inlines) => {
      texts.push({ kind: "inlines", nodes: inlines })
      return inlines
    },
    plain: (text) => {
      texts.push({ kind: "plain", text })
      return text
    }
  })
  return texts
}
