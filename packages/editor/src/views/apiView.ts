/** The content of blocks of OpenAPI in an editor, which the reader displays in the same way. */
import type { Node } from "prosemirror-model"
import { apiPartOf, sourceOfData } from "../apiPart.ts"
import type { EditorContext } from "../context.ts"
import { typeOfName } from "../convert/blockTypes.ts"
import { dataOf } from "../schema/attributes.ts"
import { showApiPart } from "./showApiPart.ts"

/** Displays a block of OpenAPI. Returns the function that ends it. */
export const showApi = (node: Node, dom: HTMLElement, { messages, apis }: EditorContext): (() => void) =>
  showApiPart(dom, {
    source: sourceOfData(dataOf(node)),
    part: apiPartOf(typeOfName(node.type.name), dataOf(node)),
    messages,
    apis
  })
