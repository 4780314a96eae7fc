/** The description of a change request, which is written in Markdown. */
import type { ChangeRequest, JSONDocumentEncoded } from "@lectern/client/fetch"
import { useActions } from "../../actions/actions.ts"
import { Button } from "../../components/Button.tsx"
import { Blocks } from "../../document/Blocks.tsx"
import { blocksOf } from "../../document/DocumentView.tsx"
import { useStrings } from "../../strings/strings.ts"
import { reviewStrings } from "./reviewStrings.ts"

/** The description of a change request. Nothing is displayed if it is empty and the person cannot add one. */
export const Description = ({
  request,
  canEdit
}: {
  readonly request: ChangeRequest
  readonly canEdit: boolean
}) => {
  const t = useStrings(reviewStrings)
  const { description } = request
  const isEmpty = description === undefined || description.nodes.length === 0
  // The Markdown engine is loaded with the dialog.
  const edit = () =>
    void import("./DescriptionDialog.tsx").then(({ openDescription }) => openDescription(request))
  useActions(
    canEdit
      ? [{ id: "change.description", label: t(isEmpty ? "addDescription" : "editDescription"), run: edit }]
      : []
  )
  if (isEmpty && !canEdit) return null
  return (
    <section className="section" aria-label={t("description")}>
      {isEmpty ? null : (
        <div className="document description">
          <Blocks nodes={blocksOf(description as unknown as JSONDocumentEncoded)} />
        </div>
      )}
      {canEdit ? (
        <Button size="small" onPress={edit}>
          {t(isEmpty ? "addDescription" : "editDescription")}
        </Button>
      ) : null}
    </section>
  )
}
