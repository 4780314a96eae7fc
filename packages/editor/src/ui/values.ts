/** Reads and changes the settings of nodes. */
import type { Node } from "prosemirror-model"
import type { Json, JsonObject } from "../schema/attributes.ts"
import { schema } from "../schema/schema.ts"
import type { Field } from "./fields.ts"

const objectOf = (value: unknown): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

const containerOf = (node: Node, field: Field): JsonObject => {
  switch (field.place) {
    case "rest":
      return objectOf(node.attrs.rest)
    case "view":
      return objectOf(objectOf(node.attrs.data).view)
    case "attribute":
      return node.attrs as JsonObject
    default:
      return objectOf(node.attrs.data)
  }
}

/** Returns the value of a field; `undefined` if the node does not have it. */
export const valueOf = (node: Node, field: Field): Json | undefined =>
  field.name
    .split(".")
    .reduce<Json | undefined>((value, name) => objectOf(value)[name], containerOf(node, field))

const withValue = (
  container: JsonObject,
  path: ReadonlyArray<string>,
  value: Json | undefined
): JsonObject => {
  const [name, ...rest] = path
  if (name === undefined) return container
  if (rest.length > 0) return { ...container, [name]: withValue(objectOf(container[name]), rest, value) }
  const { [name]: _, ...others } = container
  return value === undefined ? others : { ...others, [name]: value }
}

/** The fields of a view of a table that only grids or only cards have. */
const viewOf = (view: JsonObject): JsonObject => {
  const { type, columns, hideHeader, columnWidths, useNewSizing, cardSize, ...others } = view
  return type === "cards"
    ? { ...others, type, columns: columns ?? [], cardSize: cardSize ?? "medium" }
    : {
        type: "grid",
        columns: columns ?? [],
        hideHeader: hideHeader ?? false,
        ...(columnWidths === undefined ? {} : { columnWidths }),
        ...(useNewSizing === undefined ? {} : { useNewSizing })
      }
}

/** Returns the attributes of a node after a change of the value of a field. */
export const withField = (node: Node, field: Field, value: Json | undefined): JsonObject => {
  const path = field.name.split(".")
  const attrs = node.attrs as JsonObject
  const { data } = attrs
  switch (field.place) {
    case "rest": {
      const isVoid = node.type === schema.nodes.expandable ? { isVoid: true } : {}
      return { ...attrs, rest: withValue({ ...isVoid, ...objectOf(attrs.rest) }, path, value) }
    }
    case "view":
      return {
        ...attrs,
        data: { ...objectOf(data), view: viewOf(withValue(objectOf(objectOf(data).view), path, value)) }
      }
    case "attribute":
      return { ...attrs, [field.name]: field.name === "level" ? Number(value) : (value ?? null) }
    default:
      return { ...attrs, data: withValue(objectOf(data), path, value) }
  }
}
