/**
 * The form of documents for clients that validate them with the schemas of the public contract, which limit the blocks of each block.
 * It has all of the text: a block that is not valid in its place is replaced by the nearest valid structure.
 */

import {
  heading,
  inlinesOf,
  leaf,
  link,
  type ContractNode as Node,
  paragraph,
  plainTextOf
} from "./contractInlines.ts"
import { columnsTable, inCell, textTable } from "./contractTables.ts"

const essentials = [
  "paragraph",
  "heading-1",
  "heading-2",
  "heading-3",
  "list-ordered",
  "list-unordered",
  "list-tasks",
  "divider"
]
const inParts = [
  "code",
  "content-ref",
  "drawing",
  "embed",
  "file",
  "hint",
  "images",
  "integration",
  "math",
  "blockquote"
]
const references = ["swagger", "openapi-operation", "openapi-schemas", "openapi-webhook"]

type Types = ReadonlySet<string>

const types = (...names: ReadonlyArray<string>): Types => new Set([...essentials, ...names])

/** The blocks of a document. */
const atTop = types(...inParts, ...references, "expandable", "tabs", "table", "reusable-content", "stepper")

/** The blocks that each block can contain. */
const contents: Readonly<Record<string, Types>> = {
  blockquote: types("blockquote"),
  "list-item": types("code", "hint", "math", "blockquote", "table"),
  hint: types(),
  "tabs-item": types(...inParts),
  "stepper-step": types(...inParts),
  column: types(...inParts, "table"),
  "expandable-body": types("images", "code", "table", "hint", "blockquote", "reusable-content"),
  if: atTop
}

/** The parts of blocks whose blocks are not limited. */
const cell = types(
  ...inParts,
  ...references,
  "expandable",
  "tabs",
  "table",
  "reusable-content",
  "stepper",
  "columns",
  "if"
)

type Block = (node: Node, allowed: Types) => ReadonlyArray<Node>

const nodesOf = (node: Node): ReadonlyArray<Node> => node.nodes ?? []

/** Adapts blocks to a place. */
const adapt = (nodes: ReadonlyArray<Node>, allowed: Types): ReadonlyArray<Node> =>
  nodes.flatMap((node) => adaptBlock(node, allowed))

const listOf = (type: string, items: ReadonlyArray<ReadonlyArray<Node>>): Node => ({
  object: "block",
  type,
  data: {},
  nodes: items.map((nodes) => ({
    object: "block",
    type: "list-item",
    nodes: adapt(nodes, contents["list-item"]!)
  }))
})

const titleOf = (text: string): ReadonlyArray<Node> =>
  text === "" ? [] : [paragraph([leaf(text, [{ object: "mark", type: "bold" }])])]

const urlOf = (ref: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof ref === "object" && ref !== null ? (ref as Readonly<Record<string, unknown>>) : undefined

/** A paragraph with a link in place of a block that links to something. */
const linkInstead = ({ data = {}, fragments = [] }: Node): ReadonlyArray<Node> => {
  const ref = urlOf(data.ref) ?? { kind: "url", url: String(data.url ?? "") }
  const text =
    typeof data.label === "string"
      ? data.label
      : plainTextOf(fragments) || String(ref.url ?? ref.file ?? ref.page ?? "Link")
  return [paragraph([link(ref, text || "Link")])]
}

const imagesInstead = (images: ReadonlyArray<Node>): ReadonlyArray<Node> =>
  images.flatMap(({ data = {}, fragments = [] }) => {
    const { ref, refDark, width, height, alt } = data
    const fields = Object.entries({ ref, refDark, width, height, alt }).filter(
      ([, value]) => value !== undefined
    )
    const image: Node = {
      object: "inline",
      type: "inline-image",
      isVoid: true,
      data: Object.fromEntries(fields)
    }
    const captions = fragments.flatMap((fragment) => adapt(nodesOf(fragment), contents.hint!))
    return ref === undefined ? captions : [paragraph([image]), ...captions]
  })

/** The replacements of blocks that are not valid in their place. */
const instead: Readonly<Record<string, Block>> = {
  hint: (node, allowed) => adapt(nodesOf(node), allowed),
  blockquote: (node, allowed) => adapt(nodesOf(node), allowed),
  if: (node, allowed) => adapt(nodesOf(node), allowed),
  tabs: (node, allowed) =>
    nodesOf(node).flatMap((tab) => [
      ...titleOf(String(tab.data?.title ?? "")),
      ...adapt(nodesOf(tab), allowed)
    ]),
  stepper: (node) => [listOf("list-ordered", nodesOf(node).map(nodesOf))],
  columns: (node, allowed) =>
    allowed.has("table")
      ? [columnsTable(nodesOf(node).map((column) => adapt(nodesOf(column), cell)))]
      : nodesOf(node).flatMap((column) => adapt(nodesOf(column), allowed)),
  expandable: ({ fragments = [] }, allowed) =>
    fragments.flatMap((fragment) =>
      fragment.fragment === "expandable-title"
        ? titleOf(plainTextOf(nodesOf(fragment)))
        : adapt(nodesOf(fragment), allowed)
    ),
  updates: (node, allowed) => nodesOf(node).flatMap((update) => adapt([update], allowed)),
  update: (node, allowed) => {
    const { date, tags } = node.data ?? {}
    const title = [date, ...(Array.isArray(tags) ? tags : [])]
      .filter((part) => part !== undefined)
      .map(String)
    return [
      ...(title.length === 0 ? [] : [heading("heading-3", title.join(" · "))]),
      ...adapt(nodesOf(node), allowed)
    ]
  },
  images: (node) => imagesInstead(nodesOf(node)),
  drawing: (node) => imagesInstead([node]),
  embed: linkInstead,
  file: linkInstead,
  "content-ref": linkInstead
}

/** The properties of an integration as code: no property is valid in the contract. */
const integrationInstead = ({ data = {} }: Node): Node => {
  const props = (data.props ?? {}) as Readonly<Record<string, unknown>>
  const text = typeof props.content === "string" ? props.content : JSON.stringify(props, null, 2)
  const lines = text.split("\n").map(
    (line): Node => ({
      object: "block",
      type: "code-line",
      data: {},
      nodes: [{ object: "text", leaves: [{ object: "leaf", text: line, marks: [] }] }]
    })
  )
  return { object: "block", type: "code", data: { syntax: String(data.integration ?? "") }, nodes: lines }
}

const isUrl = (ref: unknown): boolean => urlOf(ref)?.kind === "url"

/** Makes the fields of a block valid, and adapts its blocks to it. Returns undefined if its type is not valid anywhere. */
const completeBlock = (node: Node): Node | undefined => {
  const type = node.type ?? ""
  const { data = {}, fragments = [] } = node
  const within = contents[type]
  switch (type) {
    case "paragraph":
    case "heading-1":
    case "heading-2":
    case "heading-3":
      return { ...node, nodes: inlinesOf(nodesOf(node)) }
    case "code":
      return { ...node, data }
    case "divider":
    case "images":
      return type === "images" ? { ...node, nodes: nodesOf(node).map(completeImage) } : { ...node, data: {} }
    case "file":
    case "drawing":
      return isUrl(data.ref) ? undefined : node
    case "integration":
      return Object.keys((data.props ?? {}) as object).length > 0 ? integrationInstead(node) : node
    case "expandable":
      return completeExpandable(node)
    case "table":
      return textTable({
        ...node,
        fragments: fragments.map((fragment) => ({ ...fragment, nodes: adapt(nodesOf(fragment), cell) }))
      })
    case "list-ordered":
    case "list-unordered":
    case "list-tasks":
      return {
        ...node,
        data,
        nodes: nodesOf(node).map((item) => ({ ...item, nodes: adapt(nodesOf(item), contents["list-item"]!) }))
      }
    case "tabs":
    case "stepper":
    case "columns":
      return {
        ...node,
        ...(type === "columns" ? { data, isVoid: false } : {}),
        nodes: nodesOf(node).map((part) => ({
          ...part,
          data: part.data ?? {},
          nodes: adapt(nodesOf(part), contents[part.type ?? ""] ?? essentialTypes)
        }))
      }
    case "updates":
    case "update":
      return undefined
    default:
      return within === undefined ? node : { ...node, data, nodes: adapt(nodesOf(node), within) }
  }
}

const essentialTypes = types()

const completeImage = (image: Node): Node => ({
  ...image,
  fragments: (image.fragments ?? []).map((caption) => ({
    ...caption,
    nodes: nodesOf(caption).map((one) => ({ ...one, nodes: inlinesOf(nodesOf(one)) }))
  }))
})

const completeExpandable = (node: Node): Node => {
  const fragments = node.fragments ?? []
  const part = (name: string) => fragments.find(({ fragment }) => fragment === name)
  const [title] = adapt(nodesOf(part("expandable-title") ?? {}), essentialTypes).filter(
    ({ type }) => type === "paragraph"
  )
  const body = adapt(nodesOf(part("expandable-body") ?? {}), contents["expandable-body"]!)
  const fragmentOf = (name: string, nodes: ReadonlyArray<Node>): Node => ({
    ...part(name),
    object: "fragment",
    fragment: name,
    type: name,
    nodes
  })
  const { open: _, ...rest } = node
  return {
    ...rest,
    data: {},
    fragments: [
      fragmentOf("expandable-title", [title ?? paragraph([leaf("", [])])]),
      fragmentOf("expandable-body", body.length === 0 ? [paragraph([leaf("", [])])] : body)
    ]
  }
}

const adaptBlock: Block = (node, allowed) => {
  const complete = completeBlock(node)
  if (complete !== undefined && allowed.has(complete.type ?? "")) return [complete]
  const replace = instead[node.type ?? ""]
  if (replace !== undefined) return replace(node, allowed)
  if (complete === undefined) return []
  if (contents["list-item"]!.has(complete.type ?? "")) return [listOf("list-unordered", [[node]])]
  const inTable = inCell(complete)
  return allowed.has("table") ? [inTable] : [listOf("list-unordered", [[inTable]])]
}

/** The value of `data.form` of a document in the form of the contract. */
export const contractFormMark = "contract"

/**
 * Returns a document in the form that is valid in the public contract, which is marked: details that the contract has no place for are
 * lost, so that it is not the input of an edit.
 */
export const toContractForm = (document: Node): Node => ({
  ...document,
  data: { ...document.data, form: contractFormMark },
  nodes: adapt(nodesOf(document), atTop)
})
