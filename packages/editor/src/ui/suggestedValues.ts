/** The values that a text field offers: specs, operations and schemas of a document, integrations and their blocks. */
import type { Node } from "prosemirror-model"
import { sourceOfData } from "../apiPart.ts"
import type { ApiNames } from "../apis/apiNames.ts"
import type { EditorContext } from "../context.ts"
import { dataOf, textField } from "../schema/attributes.ts"
import { element, uniqueId } from "./dom.ts"
import type { Suggestions } from "./fields.ts"

const mostValues = 500

interface SuggestedValue {
  readonly value: string
  readonly label?: string
}

/** Returns the names of the document of a block; `undefined` if it cannot be loaded. */
const namesIn = async (context: EditorContext, node: Node): Promise<ApiNames | undefined> => {
  const source = sourceOfData(dataOf(node))
  if (source === "") return undefined
  const loaded = await context.apis.names(source)
  return loaded._tag === "Loaded" ? loaded.value : undefined
}

const operationsOf = (node: Node, names: ApiNames | undefined): ApiNames["operations"] =>
  (node.type.name === "openapi_webhook" ? names?.webhooks : names?.operations) ?? []

/** Joins the methods of each path. */
const pathsOf = (operations: ApiNames["operations"]): ReadonlyArray<SuggestedValue> => {
  const byName = new Map<string, Array<string>>()
  for (const { name, method, title } of operations)
    byName.set(name, [...(byName.get(name) ?? []), `${method.toUpperCase()} ${title}`.trim()])
  return Array.from(byName, ([value, labels]) => ({ value, label: labels.join(", ") }))
}

const valuesOf = async (
  context: EditorContext,
  node: Node,
  kind: Suggestions,
  typed: string
): Promise<ReadonlyArray<SuggestedValue>> => {
  const { backend, signal } = context
  switch (kind) {
    case "specs":
      return ((await backend?.listApis?.(signal)) ?? []).map((value) => ({ value }))
    case "operations":
      return pathsOf(operationsOf(node, await namesIn(context, node)))
    case "schemas": {
      // The name after the last comma is completed.
      const before = typed.slice(0, typed.lastIndexOf(",") + 1)
      const names = (await namesIn(context, node))?.schemas ?? []
      return names.map((name) => ({ value: before === "" ? name : `${before} ${name}` }))
    }
    case "integrations":
      return ((await backend?.listIntegrations?.(signal)) ?? []).map(({ name, title }) => ({
        value: name,
        label: title
      }))
    case "blocks": {
      const loaded = await context.apis.integration(textField(node, "integration") ?? "")
      const blocks = loaded._tag === "Loaded" ? loaded.value.blocks : []
      return blocks.map(({ id, title }) => ({ value: id, label: title }))
    }
  }
}

/** Offers values in a text field, which takes others, too. They are loaded when the field has the focus. Returns the list for the page. */
export const suggestValues = (
  context: EditorContext,
  input: HTMLInputElement,
  kind: Suggestions,
  nodeOf: () => Node | undefined
): HTMLDataListElement => {
  const list = element("datalist", { id: uniqueId("values") })
  input.setAttribute("list", list.id)
  const update = async (): Promise<void> => {
    const node = nodeOf()
    if (node === undefined) return
    const values = await valuesOf(context, node, kind, input.value).catch(() => [])
    list.replaceChildren(
      ...values.slice(0, mostValues).map(({ value, label }) => element("option", { value, label }))
    )
  }
  input.addEventListener("focus", () => void update())
  if (kind === "schemas") input.addEventListener("input", () => void update())
  return list
}

/** Returns the method that an operation with this name has, if it does not have the given one. */
export const otherMethodOf = async (
  context: EditorContext,
  node: Node,
  name: string
): Promise<string | undefined> => {
  const operations = operationsOf(node, await namesIn(context, node).catch(() => undefined))
  const methods = operations.filter((one) => one.name === name).map(({ method }) => method)
  return methods.includes(textField(node, "method") ?? "") ? undefined : methods[0]
}
