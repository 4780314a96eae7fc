/** Finds the drafts of a document: the drafts to restore when an editor starts, and the drafts of editors that are closed later. */
import type { Draft, DraftStore } from "./DraftStore.ts"
import { untilEditorClosed, withoutOpenEditors } from "./editorLocks.ts"

/** Returns the drafts that no open editor saves, newest first. Returns an empty list without the storage of the browser. */
export const findDrafts = async (
  store: DraftStore | undefined,
  name: string
): Promise<ReadonlyArray<Draft>> => {
  try {
    return await withoutOpenEditors((await store?.list(name)) ?? [])
  } catch {
    return []
  }
}

/**
 * Calls `restore` with each draft whose editor was open when this one started, once that editor is closed without having saved it: such as
 * the editor of a tab that the browser ends slowly.
 */
export const restoreLater = async (
  store: DraftStore | undefined,
  name: string,
  known: ReadonlyArray<Draft>,
  signal: AbortSignal,
  restore: (draft: Draft) => Promise<void>
): Promise<void> => {
  const isKnown = ({ writer }: Draft): boolean => known.some((draft) => draft.writer === writer)
  const waitFor = async ({ writer }: Draft): Promise<void> => {
    await untilEditorClosed(writer, signal)
    const left = (await store?.list(name))?.find((draft) => draft.writer === writer)
    if (left !== undefined && !signal.aborted) await restore(left)
  }
  const open = ((await store?.list(name).catch(() => [])) ?? []).filter((draft) => !isKnown(draft))
  await Promise.allSettled(open.map(waitFor))
}
