/** The title of a page of a change request. It is on this device with each change, and saved after a rest and when the focus leaves it. */
import { type Ref, useEffect, useRef, useState } from "react"
import { invalidate } from "../../data/cache.ts"
import { showFailure } from "../../data/change.ts"
import { type DocumentPage, editContent, type Place } from "../../data/content.ts"
import { addEditor, awaitLastSave } from "../../data/openEditors.ts"
import { readStored, writeStored } from "../../store/store.ts"
import { useStrings } from "../../strings/strings.ts"
import { affectedKeys } from "../space/pageChanges.ts"
import { spaceStrings } from "../space/strings.ts"

const restMs = 3_000

/** The title that was typed and is not on the server, if one is. */
const readDraft = (key: string): string | undefined => {
  const stored = readStored(key)
  return typeof stored === "string" && stored.trim() !== "" ? stored : undefined
}

/** The field with the title of a page. */
export const TitleField = ({
  place,
  page,
  ref
}: {
  readonly place: Place
  readonly page: DocumentPage
  readonly ref: Ref<HTMLInputElement>
}) => {
  const t = useStrings(spaceStrings)
  const key = `title.${place.spaceId}.${place.change ?? ""}.${page.id}`
  const [title, setTitle] = useState(() => readDraft(key) ?? page.title)
  const latest = useRef(title)
  const saved = useRef(page.title)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const save = async (): Promise<boolean> => {
    clearTimeout(timer.current)
    const sent = latest.current.trim()
    if (sent === "" || sent === saved.current) {
      writeStored(key, null)
      return true
    }
    try {
      await editContent(place, [{ operation: "update_page", page: page.id, title: sent }])
      saved.current = sent
      if (latest.current.trim() === sent) writeStored(key, null)
      for (const affected of affectedKeys(place)) invalidate(affected)
      return true
    } catch (error) {
      showFailure(t("titleFailed"), error)
      return false
    }
  }
  const change = (changed: string) => {
    latest.current = changed
    setTitle(changed)
    writeStored(key, changed)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void save(), restMs)
  }
  const leave = () => {
    if (latest.current.trim() === "") setTitle(saved.current)
    void save()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field is created again for another page.
  useEffect(() => {
    const remove = addEditor(key, save)
    // A title of an earlier visit that the server does not have.
    if (latest.current !== saved.current) void save()
    return () => {
      remove()
      awaitLastSave(key, save())
    }
  }, [])
  return (
    <input
      ref={ref}
      className="editor-title"
      aria-label={t("pageTitle")}
      placeholder={t("pageTitle")}
      maxLength={100}
      value={title}
      onChange={(event) => change(event.target.value)}
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !event.nativeEvent.isComposing) event.currentTarget.blur()
      }}
    />
  )
}
