/** Uploads files, one after the other, with their progress. */
import type { Space } from "@lectern/client/fetch"
import { useEffect, useRef, useState } from "react"
import { invalidate } from "../../data/cache.ts"
import type { Place } from "../../data/content.ts"
import { placeOfEdits } from "../../data/editing.ts"
import { uploadFile } from "../../data/files.ts"
import { showToast } from "../../data/toasts.ts"
import { translate } from "../../strings/strings.ts"
import { affectedKeys } from "../space/pageChanges.ts"
import { resourcesStrings } from "./strings.ts"

/** A file that is being uploaded, or could not be. */
export interface Upload {
  readonly id: number
  readonly file: File
  /** The part that was sent, from 0 to 1. */
  readonly fraction: number
  readonly failure?: string
}

/** The uploads of a screen. */
export interface Uploads {
  readonly items: ReadonlyArray<Upload>
  readonly add: (files: ReadonlyArray<File>) => void
  /** Cancels an upload, or removes a failed one from the list. */
  readonly remove: (id: number) => void
  readonly retry: (id: number) => void
}

let lastId = 0

/** Uploads files to a place: to a change request of the person if the space is locked. */
export const useUploads = (space: Space, place: Place): Uploads => {
  const [items, setItems] = useState<ReadonlyArray<Upload>>([])
  const queue = useRef<Array<{ readonly id: number; readonly file: File }>>([])
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
      const { id, file } = next
      const controller = new AbortController()
      active.current = { id, controller }
      try {
        target = await placeOfEdits(space, place)
        await uploadFile(target, file, (fraction) => change(id, { fraction }), controller.signal)
        count++
        drop(id)
      } catch (error) {
        if (controller.signal.aborted) drop(id)
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
  const enqueue = (entries: ReadonlyArray<{ readonly id: number; readonly file: File }>) => {
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
    add: (files) => {
      const entries = files.map((file) => ({ id: ++lastId, file }))
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
        current.map((candidate) => (candidate.id === id ? { id, file: item.file, fraction: 0 } : candidate))
      )
      enqueue([{ id, file: item.file }])
    }
  }
}
