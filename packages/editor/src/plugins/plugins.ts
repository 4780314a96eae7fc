/** The plugins of an editor, in the order in which they handle keys and events. */
import { dropCursor } from "prosemirror-dropcursor"
import { gapCursor } from "prosemirror-gapcursor"
import { history } from "prosemirror-history"
import type { Plugin } from "prosemirror-state"
import { tableEditing } from "prosemirror-tables"
import type { EditorContext } from "../context.ts"
import { selectionToolbar } from "../ui/SelectionToolbar.ts"
import { completions, placeholder, reveal } from "./behaviors.ts"
import { blockHandle } from "./blockHandle.ts"
import { changes } from "./changes.ts"
import { clipboard } from "./clipboard.ts"
import { columnWidths } from "./columnWidths.ts"
import { comments } from "./comments.ts"
import { conflicts } from "./conflicts.ts"
import { heldSelection } from "./heldSelection.ts"
import { highlight } from "./highlight.ts"
import { markdownShortcuts } from "./inputRules.ts"
import { keys } from "./keys.ts"
import { reportedSelection } from "./reportedSelection.ts"
import { search } from "./search.ts"
import { suggestions } from "./suggestions.ts"
import { uploads } from "./uploads.ts"

/** The functions that plugins call. */
export interface PluginHandlers {
  /** Called when the number of conflicts changes. */
  readonly onConflicts: (count: number) => void
  /** Called with the comments whose text the writer has clicked on. */
  readonly onSelectComments: (ids: ReadonlyArray<string>) => void
  /** Called when comments or their places have changed. */
  readonly onComments: () => void
}

/** Creates the plugins of an editor. */
export const makePlugins = (
  context: EditorContext,
  { onConflicts, onSelectComments, onComments }: PluginHandlers
): ReadonlyArray<Plugin> => [
  reportedSelection(),
  suggestions(context),
  selectionToolbar(context),
  blockHandle(context),
  markdownShortcuts(),
  ...keys(),
  clipboard(context),
  uploads(),
  conflicts(context, onConflicts),
  highlight(),
  heldSelection(),
  search(context),
  changes(),
  comments(onSelectComments, onComments),
  placeholder(context),
  completions(),
  reveal(context),
  ...columnWidths(),
  tableEditing(),
  dropCursor({ width: 2, class: "editor-drop-cursor", color: false }),
  gapCursor(),
  history({ newGroupDelay: 600 })
]
