/** The schema of the editor: every block, inline node and mark of the document model. */
import { Schema } from "prosemirror-model"
import { atomNodes } from "./atomNodes.ts"
import { containerNodes } from "./containerNodes.ts"
import { marks } from "./marks.ts"
import { tableNodes } from "./tableNodes.ts"
import { textNodes } from "./textNodes.ts"

/** The schema of the editor. */
export const schema = new Schema({
  nodes: {
    doc: { content: "block+ footnote*", attrs: { data: { default: {} } } },
    ...textNodes,
    ...containerNodes,
    ...tableNodes,
    ...atomNodes,
    text: { group: "inline" }
  },
  marks
})
