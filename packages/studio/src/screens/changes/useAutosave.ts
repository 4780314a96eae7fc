/** Saves the text of a page: on this device with each change, and on the server soon after. */
import { ApiError, type ContentChange } from "@lectern/client/fetch"
import { useCallback, useEffect, useRef, useState } from "react"
import { invalidate } from "../../data/cache.ts"
import { editContent, type Place } from "../../data/content.ts"
import { affectedKeys } from "../space/pageChanges.ts"
import { readDraft, removeDraft, writeDraft } from "./drafts.ts"

/** The state of a save. `waiting` is typed, and neither failed nor confirmed by the server. */
export type SaveState =
  | { readonly kind: "saved" | "saving" | "waiting" | "device" }
  | { readonly kind: "failed"; readonly reason: string }

/** The text of a page. */
export interface PageText {
  readonly title: string
  readonly markdown: string
}

const saveDelayMs = 1_500
const retryDelayMs = 5_000

const isTemporary = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)

const changeOf = (pageId: string, { title, markdown }: PageText, saved: PageText): ContentChange => ({
  operation: "update_page",
  page: pageId,
  ...(title.trim() !== "" && title !== saved.title ? { title: title.trim() } : {}),
  ...(markdown === saved.markdown ? {} : { document: { markdown } })
})

/** The text that is edited, and how far it is saved. */
export interface Autosave {
  readonly text: PageText
  readonly state: SaveState
  readonly isRestored: boolean
  readonly change: (text: PageText) => void
  /** Replaces the text by the one of the server. */
  readonly discard: () => void
}

/** Edits the text of a page of a change request. `initial` is the text of the server. */
export const useAutosave = (place: Place, pageId: string, initial: PageText): Autosave => {
  const { spaceId, change: number = "" } = place
  const [draft] = useState(() => readDraft(spaceId, number, pageId))
  const isRestored = draft !== undefined && draft.markdown !== initial.markdown
  const [text, setText] = useState<PageText>(isRestored ? draft : initial)
  const [state, setState] = useState<SaveState>({ kind: isRestored ? "waiting" : "saved" })
  const latest = useRef(text)
  const saved = useRef(initial)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isSending = useRef(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids are those of the place.
  const save = useCallback(async () => {
    clearTimeout(timer.current)
    const sent = latest.current
    if (isSending.current) return
    if (sent.title === saved.current.title && sent.markdown === saved.current.markdown) return
    isSending.current = true
    setState({ kind: "saving" })
    try {
      await editContent(place, [changeOf(pageId, sent, saved.current)])
      saved.current = sent
      const isLatest = latest.current === sent
      if (isLatest) removeDraft(spaceId, number, pageId)
      setState({ kind: isLatest ? "saved" : "waiting" })
      for (const key of affectedKeys(place)) invalidate(key)
      if (!isLatest) timer.current = setTimeout(() => void save(), saveDelayMs)
    } catch (error) {
      if (isTemporary(error)) {
        setState({ kind: "device" })
        timer.current = setTimeout(() => void save(), retryDelayMs)
      } else setState({ kind: "failed", reason: error instanceof Error ? error.message : String(error) })
    } finally {
      isSending.current = false
    }
  }, [spaceId, number, pageId])

  const change = (changed: PageText) => {
    latest.current = changed
    setText(changed)
    writeDraft(spaceId, number, pageId, { ...changed, base: saved.current.markdown })
    setState({ kind: "waiting" })
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void save(), saveDelayMs)
  }

  const discard = () => {
    removeDraft(spaceId, number, pageId)
    latest.current = saved.current
    setText(saved.current)
    setState({ kind: "saved" })
  }

  useEffect(() => {
    if (isRestored) timer.current = setTimeout(() => void save(), saveDelayMs)
    const onOnline = () => void save()
    const onHide = () => {
      if (document.visibilityState === "hidden") void save()
    }
    window.addEventListener("online", onOnline)
    document.addEventListener("visibilitychange", onHide)
    return () => {
      window.removeEventListener("online", onOnline)
      document.removeEventListener("visibilitychange", onHide)
      // The text is on this device; the save continues after the page was left.
      void save()
    }
  }, [save, isRestored])

  return { text, state, isRestored, change, discard }
}
