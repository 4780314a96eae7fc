/** The editors of this window. A merge and a request for a review wait until their text is on the server. */
import { translate } from "../../strings/strings.ts"
import { changesStrings } from "./strings.ts"

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

/** Saves the text of all editors. Rejects if the server does not have the text of one of them. */
export const saveEditors = async (): Promise<void> => {
  const results = await Promise.all([...editors.values()].map((save) => save()))
  if (results.includes(false)) throw new Error(translate(changesStrings, "unsavedText"))
}
