/** The content of blocks of OpenAPI: the states of loading, and the display of the reader. */
import type { Node } from "prosemirror-model"
import { apiPartOf, sourceOfData } from "../apiPart.ts"
import type { EditorContext } from "../context.ts"
import { typeOfName } from "../convert/blockTypes.ts"
import { dataOf } from "../schema/attributes.ts"
import { showApiStates } from "./apiStates.ts"

/** Displays a block of OpenAPI. Returns the function that ends it. */
export const showApi = (node: Node, dom: HTMLElement, context: EditorContext): (() => void) => {
  const source = sourceOfData(dataOf(node))
  return showApiStates(dom, {
    source,
    part: apiPartOf(typeOfName(node.type.name), dataOf(node)),
    messages: context.messages,
    load: async (isRetry) => {
      const [loaded, module] = await Promise.all([
        context.apis.document(source, isRetry),
        import("./renderApi.ts").catch(() => undefined)
      ])
      if (loaded._tag !== "Loaded") return loaded
      if (module === undefined) return { _tag: "Failed" }
      const rendered = module.renderApi(context, node, loaded.value)
      return {
        _tag: "Loaded",
        value: rendered === undefined ? undefined : (into) => into.replaceChildren(...rendered)
      }
    }
  })
}
