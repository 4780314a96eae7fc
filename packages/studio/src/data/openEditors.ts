/** The editors of this window. A merge, a request for a review and a deletion wait until their text is on the server. */

/** Saves the text of an editor. Resolves with whether the server has it. */
type SaveText = () => Promise<boolean>

const editors = new Map<string, SaveText>()

/** Adds an editor by the name of its text, until the returned function is called. */
export const addEditor = (name: string, save: SaveText): (() => void) => {
  editors.set(name, save)
  return () => {
    if (editors.get(name) === save) editors.delete(name)
  }
}

/** Waits for the last save of an editor that was closed. Text that was not saved is on this device until its page is opened again. */
export const awaitLastSave = (name: string, saved: Promise<boolean>): void => {
  const remove = addEditor(name, () => saved)
  void saved.then((isSaved) => isSaved && remove())
}

/** Saves the text of all editors. Resolves with whether the server has it. */
export const trySaveEditors = async (): Promise<boolean> => {
  const results = await Promise.all([...editors.values()].map((save) => save()))
  return !results.includes(false)
}
