/**
 * Saves the text of a page: on this device with each change, and on the server soon after. A save is conditional: text that another person
 * has saved is merged, or displayed as a conflict, and never replaced silently.
 */
import { ApiError, type ContentChange } from "@lectern/client/fetch"
import { useCallback, useEffect, useRef, useState } from "react"
import { invalidate } from "../../data/cache.ts"
import { editIfCurrent, loadDocumentId, loadDocumentIdAt } from "../../data/conditionalEdits.ts"
import { loadPage, type Place } from "../../data/content.ts"
import { mergeLines } from "../../diff/mergeLines.ts"
import { affectedKeys } from "../space/pageChanges.ts"
import { type Draft, readDraft, removeDraft, writeDraft } from "./drafts.ts"

/** The state of a save. `waiting` is typed, and neither failed nor confirmed by the server. */
export type SaveState =
  | { readonly kind: "saved" | "saving" | "waiting" | "device" | "merged" }
  | { readonly kind: "failed"; readonly reason: string }
  /** Another person has changed the same lines. */
  | { readonly kind: "conflict"; readonly theirs: LoadedText }

/** The text of a page. */
export interface PageText {
  readonly title: string
  readonly markdown: string
}

/** The text of a page on the server, with the id of its body. */
export interface LoadedText extends PageText {
  readonly documentId: string | undefined
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

/** Loads the text of a page with the id of its body. */
export const loadText = async (
  place: Place,
  pageId: string,
  signal?: AbortSignal
): Promise<LoadedText | undefined> => {
  const page = await loadPage(place, pageId, "markdown", signal)
  if (page.type !== "document") return undefined
  return { title: page.title, markdown: page.markdown ?? "", documentId: page.documentId }
}

/** Merges typed text with the one of the server. Returns `undefined` if both changed the same lines. */
export const mergeTexts = (base: string, theirs: string, ours: string): string | undefined => {
  const chunks = mergeLines(base.split("\n"), theirs.split("\n"), ours.split("\n"))
  const lines = chunks.map((chunk) => (chunk.kind === "settled" ? chunk.lines : undefined))
  return lines.includes(undefined) ? undefined : lines.flatMap((part) => part ?? []).join("\n")
}

/** The text that is edited, and how far it is saved. */
export interface Autosave {
  readonly text: PageText
  readonly state: SaveState
  readonly isRestored: boolean
  readonly change: (text: PageText) => void
  /** Replaces the text by the one of the server. */
  readonly discard: () => void
  /** Resolves a conflict: the typed text replaces the one of the other person, or is replaced by it. */
  readonly resolve: (side: "ours" | "theirs") => void
}

/** Returns the text to begin with: the draft of this device, merged with the server's text if that has changed since. */
const beginWith = (draft: Draft | undefined, initial: LoadedText) => {
  if (draft === undefined || draft.markdown === initial.markdown) return { text: initial, isRestored: false }
  if (draft.base === initial.markdown) return { text: draft, isRestored: true }
  const merged = mergeTexts(draft.base, initial.markdown, draft.markdown)
  const text = { title: draft.title, markdown: merged ?? draft.markdown }
  return { text, isRestored: true, isConflict: merged === undefined }
}

/** Edits the text of a page of a change request. `initial` is the text of the server. */
export const useAutosave = (place: Place, pageId: string, initial: LoadedText): Autosave => {
  const { spaceId, change: number = "" } = place
  const [begin] = useState(() => beginWith(readDraft(spaceId, number, pageId), initial))
  const { isRestored } = begin
  const [text, setText] = useState<PageText>(begin.text)
  const [state, setState] = useState<SaveState>(
    begin.isConflict === true
      ? { kind: "conflict", theirs: initial }
      : { kind: isRestored ? "waiting" : "saved" }
  )
  const latest = useRef(text)
  const saved = useRef<LoadedText>(initial)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isBlocked = useRef(begin.isConflict === true)
  const isSending = useRef(false)

  const show = (shown: PageText) => {
    latest.current = shown
    setText(shown)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids are those of the place.
  const save = useCallback(async () => {
    clearTimeout(timer.current)
    const sent = latest.current
    if (isSending.current || isBlocked.current) return
    if (sent.title === saved.current.title && sent.markdown === saved.current.markdown) return
    isSending.current = true
    setState({ kind: "saving" })
    try {
      const { documentId } = saved.current
      const edited = await editIfCurrent({
        place,
        changes: [changeOf(pageId, sent, saved.current)],
        isCurrent: async () => (await loadDocumentId(place, pageId)) === documentId
      })
      if (edited === undefined) await mergeChange()
      else {
        saved.current = {
          ...sent,
          documentId: await loadDocumentIdAt(spaceId, edited.revision, pageId)
        }
        const isLatest = latest.current === sent
        if (isLatest) removeDraft(spaceId, number, pageId)
        setState({ kind: isLatest ? "saved" : "waiting" })
        for (const key of affectedKeys(place)) invalidate(key)
        if (!isLatest) timer.current = setTimeout(() => void save(), saveDelayMs)
      }
    } catch (error) {
      if (isTemporary(error)) {
        setState({ kind: "device" })
        timer.current = setTimeout(() => void save(), retryDelayMs)
      } else setState({ kind: "failed", reason: error instanceof Error ? error.message : String(error) })
    } finally {
      isSending.current = false
    }
  }, [spaceId, number, pageId])

  /** Merges the text that another person has saved. */
  const mergeChange = async () => {
    const theirs = await loadText(place, pageId)
    if (theirs === undefined) return
    const merged = mergeTexts(saved.current.markdown, theirs.markdown, latest.current.markdown)
    if (merged === undefined) {
      isBlocked.current = true
      setState({ kind: "conflict", theirs })
      return
    }
    const isRenamed = latest.current.title !== saved.current.title
    saved.current = theirs
    show({ title: isRenamed ? latest.current.title : theirs.title, markdown: merged })
    writeDraft(spaceId, number, pageId, { ...latest.current, base: theirs.markdown })
    setState({ kind: "merged" })
    timer.current = setTimeout(() => void save(), 0)
  }

  const change = (changed: PageText) => {
    show(changed)
    writeDraft(spaceId, number, pageId, { ...changed, base: saved.current.markdown })
    if (isBlocked.current) return
    setState({ kind: "waiting" })
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void save(), saveDelayMs)
  }

  const discard = () => {
    removeDraft(spaceId, number, pageId)
    isBlocked.current = false
    show(saved.current)
    setState({ kind: "saved" })
  }

  const resolve = (side: "ours" | "theirs") => {
    if (state.kind !== "conflict") return
    saved.current = state.theirs
    isBlocked.current = false
    if (side === "theirs") discard()
    else {
      writeDraft(spaceId, number, pageId, { ...latest.current, base: state.theirs.markdown })
      void save()
    }
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

  return { text, state, isRestored, change, discard, resolve }
}
