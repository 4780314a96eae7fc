/** The content of blocks of OpenAPI: the states of loading, and the display of the reader. */
import type { Node } from "prosemirror-model"
import { apiSourceOf } from "../ApiSources.ts"
import type { EditorContext } from "../context.ts"
import { dataOf, textField } from "../schema/attributes.ts"
import { element } from "../ui/dom.ts"
import { linkCard } from "./linkCard.ts"

const titleOf = (node: Node): string => {
  const { schemas } = dataOf(node)
  const method = textField(node, "method")
  const name =
    textField(node, "path") ?? textField(node, "name") ?? (Array.isArray(schemas) ? schemas.join(", ") : "")
  return `${method === undefined ? "" : `${method.toUpperCase()} `}${name}`.trim()
}

/** Displays a block of OpenAPI. Returns the function that ends it. */
export const showApi = (node: Node, dom: HTMLElement, context: EditorContext): (() => void) => {
  const source = apiSourceOf(node)
  const title = titleOf(node)
  const messages = context.messages.apiStates
  let isEnded = false
  const showCard = (detail: string, retry?: () => void): void => {
    const { dom: card } = linkCard("plug", title || context.messages.chooseTarget, detail)
    const button =
      retry !== undefined &&
      element("button", { type: "button", class: "editor-retry", click: retry }, context.messages.retry)
    dom.replaceChildren(...(button === false ? [card] : [card, button]))
  }
  const load = async (isRetry: boolean): Promise<void> => {
    dom.setAttribute("aria-busy", "true")
    showCard(messages.loading(source))
    const [loaded, module] = await Promise.all([
      context.apis.document(source, isRetry),
      import("./renderApi.ts").catch(() => undefined)
    ])
    if (isEnded) return
    dom.removeAttribute("aria-busy")
    if (loaded._tag === "Absent") return showCard(source)
    if (loaded._tag === "Missing") return showCard(messages.missing(source))
    if (loaded._tag === "Failed" || module === undefined)
      return showCard(messages.failed(source), () => void load(true))
    const rendered = module.renderApi(context, node, loaded.value)
    if (rendered === undefined) return showCard(messages.missingPart(source))
    dom.replaceChildren(...rendered)
  }
  if (source === "") showCard(messages.chooseSource)
  else void load(false)
  return () => {
    isEnded = true
  }
}
