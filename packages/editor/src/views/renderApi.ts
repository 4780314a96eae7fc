/** Displays the part of an OpenAPI document that a block refers to. Loaded with the first block of OpenAPI. */
import type { Node as DocumentNode } from "prosemirror-model"
import { apiPartOf } from "../apiPart.ts"
import type { EditorContext } from "../context.ts"
import { typeOfName } from "../convert/blockTypes.ts"
import type { ApiDocument } from "../EditorBackend.ts"
import { openDocument } from "../openApi.ts"
import { dataOf } from "../schema/attributes.ts"
import { makeDomBuilder } from "./domBuilder.ts"
import { renderPart } from "./renderPart.ts"
import { listenToTabs } from "./sampleTabs.ts"

/** Renders the content of a block; `undefined` if the document does not have it. */
export const renderApi = (
  context: EditorContext,
  node: DocumentNode,
  loaded: ApiDocument
): ReadonlyArray<Node> | undefined => {
  const document = openDocument(loaded)
  if (document === undefined) return undefined
  const part = apiPartOf(typeOfName(node.type.name), dataOf(node))
  const rendered = renderPart(makeDomBuilder(context), document, part)
  for (const one of rendered ?? []) if (one instanceof HTMLElement) listenToTabs(one)
  return rendered
}
