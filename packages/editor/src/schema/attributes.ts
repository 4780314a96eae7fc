/** Attributes that nodes of the editor share, and how they are written to the clipboard. */
import type { AttributeSpec, Attrs, DOMOutputSpec, Node, NodeSpec, TagParseRule } from "prosemirror-model"

/** A value of JSON. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

/** An object of JSON. */
export type JsonObject = { readonly [key: string]: Json }

/**
 * The attributes of every node that represents a node of a document.
 *
 * - `data` is the `data` of the node, or null if it is absent.
 * - `rest` contains its other fields, such as `key`.
 * - `exact` is the node itself if its content has another form in the editor. It is returned as long as the content is unchanged.
 */
export const documentAttributes: Readonly<Record<string, AttributeSpec>> = {
  data: { default: null },
  rest: { default: null },
  exact: { default: null }
}

/** The attribute of elements with the attributes of their node, for the clipboard. */
export const nodeAttribute = "data-lectern-node"
const attributesAttribute = "data-lectern-attributes"

/** The attributes of the element of a node in the clipboard, which restore the node when it is pasted. */
export const clipboardAttributes = (node: Node): Record<string, string> => ({
  [nodeAttribute]: node.type.name,
  [attributesAttribute]: JSON.stringify({ ...node.attrs, exact: null })
})

const maximumAttributes = 200_000

/** Returns the fields of a node without its key, which identifies the node in the document that it was read from. */
export const withoutKey = (rest: unknown): JsonObject | null => {
  if (!isRecord(rest)) return null
  const { key: _, ...others } = rest
  return Object.keys(others).length === 0 ? null : (others as JsonObject)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Reads the attributes of a node from an element of the clipboard. Returns false if they are malformed. */
export const readClipboardAttributes = (element: HTMLElement): Attrs | false => {
  const text = element.getAttribute(attributesAttribute) ?? "{}"
  if (text.length > maximumAttributes) return false
  try {
    const value: unknown = JSON.parse(text)
    if (!isRecord(value)) return false
    return value.rest === undefined ? value : { ...value, rest: withoutKey(value.rest) }
  } catch {
    return false
  }
}

/** The rule that restores a node of the editor from the clipboard, before the rules for elements of other programs. */
export const clipboardRule = (name: string): TagParseRule => ({
  tag: `[${nodeAttribute}="${name}"]`,
  priority: 100,
  getAttrs: readClipboardAttributes
})

/** Declares a node with the shared attributes and its clipboard rule. */
export const documentNode = (
  name: string,
  spec: Omit<NodeSpec, "attrs" | "parseDOM"> & {
    readonly attrs?: Readonly<Record<string, AttributeSpec>>
    readonly parseDOM?: ReadonlyArray<TagParseRule>
    readonly toDOM: (node: Node) => DOMOutputSpec
  }
): NodeSpec => ({
  ...spec,
  attrs: { ...documentAttributes, ...spec.attrs },
  parseDOM: [clipboardRule(name), ...(spec.parseDOM ?? [])]
})

/** Returns the `data` of a node as an object, empty if it is absent. */
export const dataOf = (node: Node): JsonObject =>
  isRecord(node.attrs.data) ? (node.attrs.data as JsonObject) : {}

/** Returns a field of the `data` of a node if it is a string. */
export const textField = (node: Node, field: string): string | undefined => {
  const value = dataOf(node)[field]
  return typeof value === "string" ? value : undefined
}
