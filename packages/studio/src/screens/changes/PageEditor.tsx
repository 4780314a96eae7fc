/** Edits the text of a page of a change request as Markdown. It is saved while the person types. */
import { useEffect, useRef } from "react"
import { Button } from "../../components/Button.tsx"
import { Loaded, Skeleton } from "../../components/states.tsx"
import { type DocumentPage, loadPage, type Place, placeKey } from "../../data/content.ts"
import { useResource } from "../../data/useResource.ts"
import { useStrings } from "../../strings/strings.ts"
import { spaceStrings } from "../space/strings.ts"
import { type PageText, type SaveState, useAutosave } from "./useAutosave.ts"

const SaveStatus = ({ state, number }: { readonly state: SaveState; readonly number: string }) => {
  const t = useStrings(spaceStrings)
  const texts = {
    saved: () => t("savedState", { number }),
    saving: () => t("savingState"),
    waiting: () => t("waitingState"),
    device: () => t("deviceState"),
    failed: () => t("failedState", { reason: state.kind === "failed" ? state.reason : "" })
  }
  return (
    <p className={`save-state save-${state.kind}`} role="status">
      {texts[state.kind]()}
    </p>
  )
}

interface FormProps {
  readonly place: Place
  readonly page: DocumentPage
  readonly initial: PageText
}

const EditorForm = ({ place, page, initial }: FormProps) => {
  const t = useStrings(spaceStrings)
  const { text, state, isRestored, change, discard } = useAutosave(place, page.id, initial)
  const area = useRef<HTMLTextAreaElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text.
  useEffect(() => {
    const element = area.current
    if (element === null) return
    element.style.height = "auto"
    element.style.height = `${element.scrollHeight + 2}px`
  }, [text.markdown])
  return (
    <div className="editor-form">
      <SaveStatus state={state} number={place.change ?? ""} />
      {isRestored ? (
        <div className="notice">
          <p>
            <strong>{t("restored")}</strong> {t("restoredBody")}
          </p>
          <Button size="small" onPress={discard}>
            {t("discard")}
          </Button>
        </div>
      ) : null}
      <input
        className="editor-title"
        aria-label={t("pageTitle")}
        placeholder={t("pageTitle")}
        maxLength={100}
        value={text.title}
        onChange={(event) => change({ ...text, title: event.target.value })}
      />
      <textarea
        ref={area}
        className="editor-text"
        aria-label={t("markdown")}
        placeholder={t("markdownHint")}
        dir="auto"
        spellCheck
        value={text.markdown}
        onChange={(event) => change({ ...text, markdown: event.target.value })}
      />
    </div>
  )
}

/** The editor of a page. */
export const PageEditor = ({ place, page }: { readonly place: Place; readonly page: DocumentPage }) => {
  // The text is loaded once: later saves of others do not replace the typed text.
  const source = useResource(
    `${placeKey(place)}/source/${page.id}`,
    (signal) => loadPage(place, page.id, "markdown", signal),
    { staleAfterMs: 0 }
  )
  return (
    <Loaded resource={source} skeleton={<Skeleton rows={8} kind="text" />}>
      {(loaded) =>
        loaded.type === "document" ? (
          <EditorForm
            key={page.id}
            place={place}
            page={page}
            initial={{ title: loaded.title, markdown: loaded.markdown ?? "" }}
          />
        ) : null
      }
    </Loaded>
  )
}
