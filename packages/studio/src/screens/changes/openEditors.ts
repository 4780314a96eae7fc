/** Saves the text of the editors of this window before it is merged or reviewed. */
import { trySaveEditors } from "../../data/openEditors.ts"
import { translate } from "../../strings/strings.ts"
import { changesStrings } from "./strings.ts"

/** Saves the text of all editors. Rejects if the server does not have the text of one of them. */
export const saveEditors = async (): Promise<void> => {
  if (!(await trySaveEditors())) throw new Error(translate(changesStrings, "unsavedText"))
}
