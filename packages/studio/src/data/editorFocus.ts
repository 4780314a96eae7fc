/** Whether the editor that opens next gets the focus: a person who chooses to edit types next. */

/** The part of an editor that gets the focus. */
type EditorPart = "text" | "title"

let requested: EditorPart | undefined

/** Requests the focus for the editor that opens next: for its text, or for the title of a new page. */
export const requestEditorFocus = (part: EditorPart = "text"): void => {
  requested = part
}

/** Returns the part for which the focus was requested, once. */
export const takeEditorFocus = (): EditorPart | undefined => {
  const part = requested
  requested = undefined
  return part
}
