/** Whether the editor that opens next gets the focus: a person who chooses to edit types next. */
let isRequested = false

/** Requests the focus for the editor that opens next. */
export const requestEditorFocus = (): void => {
  isRequested = true
}

/** Returns whether the focus was requested, once. */
export const takeEditorFocus = (): boolean => {
  const wasRequested = isRequested
  isRequested = false
  return wasRequested
}
