/** Edits a page of a change request with `@lectern/editor`, which loads and saves the text of the page. */
import type { Editor } from "@lectern/editor"
import { useEffect, useRef, useState } from "react"
import { Button } from "../../components/Button.tsx"
import { Skeleton } from "../../components/states.tsx"
import { invalidate } from "../../data/cache.ts"
import { messageOfError } from "../../data/change.ts"
import { useComments } from "../../data/comments.ts"
import { type DocumentPage, type Place, placeKey } from "../../data/content.ts"
import { takeEditorFocus } from "../../data/editorFocus.ts"
import { addEditor, awaitLastSave } from "../../data/openEditors.ts"
import { credentials, sessionStore } from "../../session.ts"
import { useStore } from "../../store/store.ts"
import { localeStore, useStrings } from "../../strings/strings.ts"
import { makeCommentsHost, writtenPageStore } from "../comments/writtenPage.ts"
import { affectedKeys } from "../space/pageChanges.ts"
import { ResolvedText } from "./ResolvedText.tsx"
import { changesStrings } from "./strings.ts"
import { TitleField } from "./TitleField.tsx"

/** Properties of {@link VisualEditor}. */
export interface VisualEditorProps {
  readonly place: Place
  readonly organization: string
  readonly page: DocumentPage
  /** Whether the text is displayed as Markdown first. */
  readonly isMarkdown?: boolean
}

const invalidatePlace = (place: Place): void => {
  for (const key of affectedKeys(place)) invalidate(key)
}

/** The editor of a page, with its title. */
export const VisualEditor = ({ place, organization, page, isMarkdown = false }: VisualEditorProps) => {
  const t = useStrings(changesStrings)
  const locale = useStore(localeStore)
  const host = useRef<HTMLDivElement>(null)
  const title = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<"loading" | "ready" | { readonly error: unknown }>("loading")
  const [attempt, setAttempt] = useState(0)
  const { spaceId, change } = place
  const editing = useRef<Editor>(undefined)
  const comments = useComments(place, page.id)

  // Comments that the panel or other people have posted, resolved or deleted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor loads the comments itself.
  useEffect(() => {
    void editing.current?.refreshComments()
  }, [comments.data])

  // The text that other people have saved.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor loads the text itself.
  useEffect(() => {
    if (state === "ready") void editing.current?.refresh()
  }, [page.documentId])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is created again for another page, language or attempt.
  useEffect(() => {
    let isActive = true
    let destroy: (() => Promise<void>) | undefined
    const start = async () => {
      const [{ createEditor, loadMessages }, { createServerBackend }, { startEditorApis }] =
        await Promise.all([
          import("@lectern/editor"),
          import("@lectern/editor/backend"),
          import("../../document/editorApis.ts")
        ])
      const messages = await loadMessages(locale)
      if (!isActive || host.current === null) return
      const session = sessionStore.get()
      const { apis, release } = startEditorApis(organization, place)
      const editor: Editor = createEditor(host.current, {
        backend: createServerBackend({
          ...credentials,
          ...(session.state === "signed-in" ? { user: session.user.id } : {}),
          organization,
          space: spaceId,
          page: page.id,
          ...(change === undefined
            ? {}
            : { changeRequest: change, place: t("changeRequestPlace", { number: change }) })
        }),
        messages,
        language: locale,
        label: page.title,
        comments: makeCommentsHost(page.id, () => editor),
        apis,
        // The address of the editor of the published text is opened to edit it.
        isLiveEditConfirmed: change === undefined,
        onStatus: ({ _tag }) => {
          if (_tag === "Saved") invalidatePlace(place)
        }
      })
      editing.current = editor
      const isSaved = () => editor.status()._tag === "Saved"
      const name = `${placeKey(place)}/${page.id}`
      const remove = addEditor(name, async () => {
        await editor.save()
        return isSaved()
      })
      destroy = () => {
        editing.current = undefined
        writtenPageStore.set(undefined)
        remove()
        release()
        const destroyed = editor.destroy()
        awaitLastSave(name, destroyed.then(isSaved))
        return destroyed
      }
      await editor.ready
      if (isActive && isMarkdown) await editor.toggleMarkdown()
      if (isActive) setState("ready")
    }
    setState("loading")
    start().catch((error: unknown) => {
      if (isActive) setState({ error })
    })
    return () => {
      isActive = false
      void destroy?.().then(() => invalidatePlace(place))
    }
  }, [organization, spaceId, change, page.id, locale, attempt])

  // The text is displayed, and can have the focus, once it is loaded.
  useEffect(() => {
    if (state !== "ready") return
    const part = takeEditorFocus()
    if (part === "text") editing.current?.focus()
    if (part === "title") title.current?.select()
  }, [state])

  return (
    <div className="editor-form">
      {change === undefined ? <h1>{page.title}</h1> : <TitleField ref={title} place={place} page={page} />}
      {state === "loading" ? <Skeleton rows={8} kind="text" /> : null}
      {typeof state === "object" ? (
        <div className="notice" role="alert">
          <p>{messageOfError(state.error)}</p>
          <Button size="small" onPress={() => setAttempt(attempt + 1)}>
            {t("retry")}
          </Button>
        </div>
      ) : null}
      {state === "ready" && change !== undefined ? (
        <ResolvedText spaceId={spaceId} change={change} pageId={page.id} editor={editing} />
      ) : null}
      <div ref={host} className="editor-host" hidden={state !== "ready"} />
    </div>
  )
}
