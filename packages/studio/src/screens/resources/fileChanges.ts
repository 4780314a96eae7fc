/** Changes of files: their names, their bytes, and their deletion, each with its undo. */
import type { ContentChange, Space, File as SpaceFile } from "@lectern/client/fetch"
import { openConfirm } from "../../components/openConfirm.tsx"
import { runChange, showFailure } from "../../data/change.ts"
import { editContent, loadRevisionId, type Place } from "../../data/content.ts"
import { placeOfEdits } from "../../edits/editing.ts"
import { translate } from "../../strings/strings.ts"
import { affectedKeys } from "../space/pageChanges.ts"
import { replacedName } from "./replacedName.ts"
import { resourcesStrings } from "./strings.ts"
import { loadFileUses, type Use } from "./uses.ts"

/** A change that was sent to a place. */
export interface SentChange {
  /** The place: a change request of the person if the space is locked. */
  readonly place: Place
  /** The revision before the change, which an undo restores from. */
  readonly before: string
}

/** Sends changes to a place, or to a change request of the person if the space is locked. Rejects with `ApiError`. */
export const sendChanges = async (
  space: Space,
  place: Place,
  changes: ReadonlyArray<ContentChange>
): Promise<SentChange> => {
  const target = await placeOfEdits(space, place)
  const before = await loadRevisionId(target)
  await editContent(target, changes)
  return { place: target, before }
}

/** Returns the message on a change, which names the change request that it has begun. */
export const messageIn =
  (place: Place, direct: string, inChangeRequest: (number: string) => string) =>
  ({ place: { change } }: SentChange): string =>
    change === undefined || change === place.change ? direct : inChangeRequest(change)

/** Reverts a file to its state before a change. */
export const revertFile = (file: string, { place, before }: SentChange) =>
  editContent(place, [{ operation: "revert_file", file, revision: before }])

/** Renames a file. */
export const renameFile = (space: Space, place: Place, file: SpaceFile, name: string) => {
  const title = name
  return runChange({
    send: () => sendChanges(space, place, [{ operation: "update_file", file: file.id, name }]),
    message: messageIn(place, translate(resourcesStrings, "renamed", { title }), (number) =>
      translate(resourcesStrings, "renamedIn", { title, number })
    ),
    failure: translate(resourcesStrings, "renameFailed"),
    undo: (sent) => revertFile(file.id, sent),
    invalidates: affectedKeys(place)
  })
}

/** Replaces the bytes of a file by the bytes of an uploaded one, which is removed. Rejects with `ApiError`. */
export const replaceFile = async (place: Place, file: SpaceFile, upload: SpaceFile): Promise<SentChange> => {
  const before = await loadRevisionId(place)
  await editContent(place, [
    {
      operation: "update_file",
      file: file.id,
      name: replacedName(file.name, upload.name),
      bytesOf: upload.id
    },
    { operation: "delete_files", files: [upload.id] }
  ])
  return { place, before }
}

/** Something of a space that pages use, and that can be deleted. */
interface Deletable {
  readonly space: Space
  readonly place: Place
  readonly title: string
  readonly loadUses: () => Promise<ReadonlyArray<Use>>
  readonly deletion: ContentChange
  readonly undo: (sent: SentChange) => Promise<unknown>
}

/** Deletes something after a question, which states how many pages use it. */
export const confirmDelete = async (deletable: Deletable): Promise<void> => {
  const { space, place, title, loadUses, deletion, undo } = deletable
  const failure = translate(resourcesStrings, "deleteFailed", { title })
  try {
    const uses = await loadUses()
    openConfirm({
      title: translate(resourcesStrings, "deleteTitle", { title }),
      body:
        uses.length === 0
          ? translate(resourcesStrings, "deleteUnused")
          : translate(resourcesStrings, "deleteUsed", { count: uses.length }),
      confirm: translate(resourcesStrings, "delete"),
      run: () =>
        void runChange({
          send: () => sendChanges(space, place, [deletion]),
          message: messageIn(place, translate(resourcesStrings, "deleted", { title }), (number) =>
            translate(resourcesStrings, "deletedIn", { title, number })
          ),
          failure,
          undo,
          invalidates: affectedKeys(place)
        })
    })
  } catch (error) {
    showFailure(failure, error)
  }
}

/** Deletes a file after a question. */
export const confirmDeleteFile = (space: Space, place: Place, file: SpaceFile): Promise<void> =>
  confirmDelete({
    space,
    place,
    title: file.name,
    loadUses: () => loadFileUses(place, file),
    deletion: { operation: "delete_files", files: [file.id] },
    undo: (sent) => revertFile(file.id, sent)
  })
