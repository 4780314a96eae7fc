/** The node views of an editor. */
import type { NodeViewConstructor } from "prosemirror-view"
import type { EditorContext } from "../context.ts"
import { codeView } from "./codeView.ts"
import { containerViews } from "./containerViews.ts"
import { inlineViews } from "./inlineViews.ts"
import { mediaViews } from "./mediaViews.ts"
import { cellValueView, LecternTableView } from "./tableViews.ts"
import { voidViews } from "./voidViews.ts"

/** Creates the node views of an editor. */
export const makeNodeViews = (context: EditorContext): Readonly<Record<string, NodeViewConstructor>> => ({
  ...containerViews(context),
  ...mediaViews(context),
  ...voidViews(context),
  ...inlineViews(context),
  code: codeView(context),
  cell_value: cellValueView(context),
  table: (node) => new LecternTableView(node)
})
