/** Uploads files, one after the other, with their progress. */
import type { Space, File as SpaceFile } from "@lectern/client/fetch"
import { useEffect, useRef, useState } from "react"
import { invalidate } from "../../data/cache.ts"
import { Declined, showFailure } from "../../data/change.ts"
import type { Place } from "../../data/content.ts"
import { uploadFile } from "../../data/files.ts"
import { showToast } from "../../data/toasts.ts"
import { placeOfEdits } from "../../edits/editing.ts"
import { translate } from "../../strings/strings.ts"
import { affectedKeys } from "../space/pageChanges.ts"
import { messageIn, replaceFile, revertFile, type SentChange } from "./fileChanges.ts"
import { resourcesStrings } from "./strings.ts"

/** A file that is being uploaded, or could not be. */
export interface Upload {
  readonly id: number
  readonly file: File
  /** The part that was sent, from 0 to 1. */
  readonly fraction: number
  readonly failure?: string
  /** The file that the upload replaces. Absent if it is added. */
  readonly replaces?: SpaceFile | undefined
}

/** The uploads of a screen. */
export interface Uploads {
  readonly items: ReadonlyArray<Upload>
  /** Adds files, or replaces one by the first of them. */
  readonly add: (files: ReadonlyArray<File>, replaces?: SpaceFile) => void
  /** Cancels an upload, or removes a failed one from the list. */
  readonly remove: (id: number) => void
  readonly retry: (id: number) => void
}

let lastId = 0

/** Displays that a file was replaced, with the undo of it. */
const showReplaced = (place: Place, { id, name }: SpaceFile, sent: SentChange): void => {
  const title = name
  const refresh = () => {
    for (const key of affectedKeys(sent.place)) invalidate(key)
  }
  showToast({
    kind: "done",
    message: messageIn(place, translate(resourcesStrings, "replaced", { title }), (number) =>
      translate(resourcesStrings, "replacedIn", { title, number })
    )(sent),
    undo: () =>
      void revertFile(id, sent).then(refresh, (error: unknown) =>
        showFailure(translate(resourcesStrings, "replaceFailed", { title }), error)
      )
  })
}

/** Uploads files to a place: to a change request of the person if the space is locked. */
export const useUploads = (space: Space, place: Place): Uploads => {
  const [items, setItems] = useState<ReadonlyArray<Upload>>([])
  const queue = useRef<Array<Pick<Upload, "id" | "file" | "replaces">>>([])
  const active = useRef<{ readonly id: number; readonly controller: AbortController }>(undefined)
  const isRunning = useRef(false)

  const change = (id: number, values: Partial<Upload>) =>
    setItems((current) => current.map((item) => (item.id === id ? { ...item, ...values } : item)))
  const drop = (id: number) => setItems((current) => current.filter((item) => item.id !== id))

  const run = async () => {
    if (isRunning.current) return
    isRunning.current = true
    let count = 0
    let target = place
    for (let next = queue.current.shift(); next !== undefined; next = queue.current.shift()) {
      const { id, file, replaces } = next
      const controller = new AbortController()
      active.current = { id, controller }
      try {
        target = await placeOfEdits(space, place)
        const upload = await uploadFile(
          target,
          file,
          (fraction) => change(id, { fraction }),
          controller.signal
        )
        if (replaces === undefined || upload === undefined) count++
        else showReplaced(place, replaces, await replaceFile(target, replaces, upload))
        drop(id)
      } catch (error) {
        if (controller.signal.aborted || error instanceof Declined) drop(id)
        else change(id, { failure: error instanceof Error ? error.message : String(error) })
      }
      for (const key of affectedKeys(target)) invalidate(key)
    }
    active.current = undefined
    isRunning.current = false
    if (count === 0) return
    const isElsewhere = target.change !== undefined && target.change !== place.change
    showToast({
      kind: "done",
      message: isElsewhere
        ? translate(resourcesStrings, "uploadedIn", { number: target.change! })
        : translate(resourcesStrings, "uploaded", { count })
    })
  }
  const enqueue = (entries: typeof queue.current) => {
    queue.current.push(...entries)
    void run()
  }

  useEffect(() => {
    // Leaving the page would cancel the uploads.
    const onLeave = (event: BeforeUnloadEvent) => {
      if (isRunning.current) event.preventDefault()
    }
    window.addEventListener("beforeunload", onLeave)
    return () => window.removeEventListener("beforeunload", onLeave)
  }, [])

  return {
    items,
    add: (files, replaces) => {
      const chosen = replaces === undefined ? files : files.slice(0, 1)
      const entries = chosen.map((file) => ({ id: ++lastId, file, replaces }))
      setItems((current) => [...current, ...entries.map((entry) => ({ ...entry, fraction: 0 }))])
      enqueue(entries)
    },
    remove: (id) => {
      queue.current = queue.current.filter((entry) => entry.id !== id)
      if (active.current?.id === id) active.current.controller.abort()
      else drop(id)
    },
    retry: (id) => {
      const item = items.find((candidate) => candidate.id === id)
      if (item === undefined) return
      setItems((current) =>
        current.map((candidate) =>
          candidate.id === id ? { id, file: item.file, fraction: 0, replaces: item.replaces } : candidate
        )
      )
      enqueue([item])
    }
  }
}
