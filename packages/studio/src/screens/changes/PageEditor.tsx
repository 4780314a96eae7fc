/** Edits the text of a page of a change request as Markdown. It is saved while the person types. */
import { useEffect, useRef } from "react"
import { Button } from "../../components/Button.tsx"
import { Loaded, Skeleton } from "../../components/states.tsx"
import { type DocumentPage, type Place, placeKey } from "../../data/content.ts"
import { useResource } from "../../data/useResource.ts"
import { useStrings } from "../../strings/strings.ts"
import { spaceStrings } from "../space/strings.ts"
import { changesStrings } from "./strings.ts"
import { type LoadedText, loadText, type SaveState, useAutosave } from "./useAutosave.ts"

const SaveStatus = ({ state, number }: { readonly state: SaveState; readonly number: string }) => {
  const t = useStrings(changesStrings)
  const texts = {
    saved: () => t("savedState", { number }),
    saving: () => t("savingState"),
    waiting: () => t("waitingState"),
    device: () => t("deviceState"),
    merged: () => t("mergedState"),
    conflict: () => t("conflictState"),
    failed: () => t("failedState", { reason: state.kind === "failed" ? state.reason : "" })
  }
  return (
    <p className={`save-state save-${state.kind}`} role="status">
      {texts[state.kind]()}
    </p>
  )
}

/** The text that another person has saved, and the choice between both. */
const SaveConflict = ({
  theirs,
  onResolve
}: {
  readonly theirs: string
  readonly onResolve: (side: "ours" | "theirs") => void
}) => {
  const t = useStrings(changesStrings)
  return (
    <div className="notice notice-warning" role="alert">
      <p>{t("saveConflict")}</p>
      <details>
        <summary>{t("otherText")}</summary>
        <pre className="conflict-text">{theirs}</pre>
      </details>
      <div className="button-row">
        <Button size="small" onPress={() => onResolve("ours")}>
          {t("keepMine")}
        </Button>
        <Button size="small" onPress={() => onResolve("theirs")}>
          {t("useOther")}
        </Button>
      </div>
    </div>
  )
}

interface FormProps {
  readonly place: Place
  readonly page: DocumentPage
  readonly initial: LoadedText
}

const EditorForm = ({ place, page, initial }: FormProps) => {
  const t = useStrings(changesStrings)
  const space = useStrings(spaceStrings)
  const { text, state, isRestored, change, discard, resolve } = useAutosave(place, page.id, initial)
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
      {state.kind === "conflict" ? <SaveConflict theirs={state.theirs.markdown} onResolve={resolve} /> : null}
      {isRestored && state.kind !== "conflict" ? (
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
        aria-label={space("pageTitle")}
        placeholder={space("pageTitle")}
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

/** Properties of {@link PageEditor}. */
export interface PageEditorProps {
  readonly place: Place
  readonly page: DocumentPage
  /** Displays the text in the visual editor instead. */
  readonly onVisual: () => void
}

/** The editor of a page. */
export const PageEditor = ({ place, page, onVisual }: PageEditorProps) => {
  const t = useStrings(changesStrings)
  // The text is loaded once: later saves of others do not replace the typed text.
  const source = useResource(
    `${placeKey(place)}/source/${page.id}`,
    async (signal) => (await loadText(place, page.id, signal)) ?? null,
    { staleAfterMs: 0 }
  )
  return (
    <>
      <Button size="small" variant="quiet" onPress={onVisual}>
        {t("editVisually")}
      </Button>
      <Loaded resource={source} skeleton={<Skeleton rows={8} kind="text" />}>
        {(loaded) =>
          loaded === null ? null : <EditorForm key={page.id} place={place} page={page} initial={loaded} />
        }
      </Loaded>
    </>
  )
}
