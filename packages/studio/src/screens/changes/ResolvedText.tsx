/** The text of a page in a resolution of conflicts that was interrupted. It is on this device until it is used or discarded. */
import type { Editor } from "@lectern/editor"
import { type RefObject, useState } from "react"
import { Button } from "../../components/Button.tsx"
import { useStrings } from "../../strings/strings.ts"
import { readDraft, removeDraft } from "./drafts.ts"
import { changesStrings } from "./strings.ts"

/** Properties of {@link ResolvedText}. */
export interface ResolvedTextProps {
  readonly spaceId: string
  readonly change: string
  readonly pageId: string
  readonly editor: RefObject<Editor | undefined>
}

/** Offers the text in place of the one of the editor. Displays nothing if it does not exist. */
export const ResolvedText = ({ spaceId, change, pageId, editor }: ResolvedTextProps) => {
  const t = useStrings(changesStrings)
  const [draft, setDraft] = useState(() => readDraft(spaceId, change, pageId))
  if (draft === undefined) return null
  const remove = () => {
    removeDraft(spaceId, change, pageId)
    setDraft(undefined)
  }
  const use = async () => {
    const { fromMarkdown } = await import("@lectern/markdown/document")
    const { current } = editor
    if (current === undefined) return
    current.setDocument(fromMarkdown(draft.markdown))
    await current.save()
    if (current.status()._tag === "Saved") remove()
  }
  return (
    <div className="notice">
      <p>
        <strong>{t("restored")}</strong> {t("restoredBody")}
      </p>
      <div className="button-row">
        <Button size="small" onPress={() => void use()}>
          {t("useRestored")}
        </Button>
        <Button size="small" onPress={remove}>
          {t("discard")}
        </Button>
      </div>
    </div>
  )
}
