/** Displays the blocks of a description without an editor. */
import { DOMSerializer } from "prosemirror-model"
import { fromDocument } from "../convert.ts"
import type { Document } from "../model.ts"

/** Displays blocks by the elements of the schema. Blocks of other resources are omitted: descriptions could contain themselves. */
export const renderBlocks = (document: Document): Node => {
  const { content } = fromDocument(document)
  const serializer = DOMSerializer.fromSchema(content.firstChild!.type.schema)
  const rendered = serializer.serializeFragment(content)
  if (rendered instanceof DocumentFragment)
    for (const void_ of rendered.querySelectorAll(".editor-void")) void_.remove()
  return rendered
}
