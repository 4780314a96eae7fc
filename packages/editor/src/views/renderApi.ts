/** Displays the part of an OpenAPI document that a block refers to. Loaded with the first block of OpenAPI. */
import type { Node as DocumentNode } from "prosemirror-model"
import type { EditorContext } from "../context.ts"
import type { ApiDocument } from "../EditorBackend.ts"
import { openDocument, operationPageOf, PageDetail, renderOperation, renderSchema } from "../openApi.ts"
import { dataOf, textField } from "../schema/attributes.ts"
import { makeDomBuilder } from "./domBuilder.ts"

/** The maximum number of schemas of a block that the editor displays. */
const maximumSchemas = 200

/** Selects the tab of a sample, by a click or by an arrow key. */
const selectTab = (event: Event): void => {
  const tab = event.target instanceof Element ? event.target.closest("[role=tab]") : null
  const list = tab?.parentElement
  if (!(tab instanceof HTMLElement) || list === null || list === undefined) return
  const tabs = Array.from(list.querySelectorAll<HTMLElement>("[role=tab]"))
  let chosen = tab
  if (event instanceof KeyboardEvent) {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    chosen = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length]!
    chosen.focus()
  }
  for (const one of tabs) {
    const isSelected = one === chosen
    one.setAttribute("aria-selected", String(isSelected))
    if (isSelected) one.removeAttribute("tabindex")
    else one.tabIndex = -1
    const panel = list.closest(".samples")?.querySelector(`[id="${one.getAttribute("aria-controls")}"]`)
    panel?.classList.toggle("unselected", !isSelected)
  }
}

const listen = (rendered: Node): Node => {
  if (rendered instanceof HTMLElement)
    for (const name of ["click", "keydown"]) rendered.addEventListener(name, selectTab)
  return rendered
}

/** Renders the content of a block; `undefined` if the document does not have it. */
export const renderApi = (
  context: EditorContext,
  node: DocumentNode,
  loaded: ApiDocument
): ReadonlyArray<Node> | undefined => {
  const document = openDocument(loaded)
  if (document === undefined) return undefined
  const builder = makeDomBuilder(context)
  if (node.type.name === "openapi_schemas") {
    const { schemas } = dataOf(node)
    const names = new Set(Array.isArray(schemas) ? schemas.map(String) : [])
    const found = document.schemas.filter(([name]) => names.has(name))
    if (found.length === 0) return undefined
    const detail = new PageDetail()
    return found.slice(0, maximumSchemas).map((schema) => renderSchema(builder, document, schema, detail))
  }
  const method = textField(node, "method") ?? ""
  const operation =
    node.type.name === "openapi_webhook"
      ? document.webhook(textField(node, "name") ?? "", method)
      : document.operation(method, textField(node, "path") ?? "")
  if (operation === undefined) return undefined
  return [listen(renderOperation(builder, document, operationPageOf(document, operation)))]
}
