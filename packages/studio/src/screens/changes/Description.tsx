/** The description of a change request. */
import type { ChangeRequest, JSONDocumentEncoded } from "@lectern/client/fetch"
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { TextField } from "../../components/fields.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { invalidate } from "../../data/cache.ts"
import { showToast } from "../../data/toasts.ts"
import { Blocks } from "../../document/Blocks.tsx"
import { blocksOf } from "../../document/DocumentView.tsx"
import { client } from "../../session.ts"
import { useStrings } from "../../strings/strings.ts"
import { descriptionOfText, textOfDescription } from "./descriptionText.ts"
import { keysOfRequest } from "./requestChanges.ts"
import { reviewStrings } from "./reviewStrings.ts"

const DescriptionDialog = ({
  request,
  initial,
  onClose
}: {
  readonly request: ChangeRequest
  readonly initial: string
  readonly onClose: () => void
}) => {
  const t = useStrings(reviewStrings)
  const [text, setText] = useState(initial)
  return (
    <FormDialog
      title={t("description")}
      submit={t("save")}
      isDisabled={text.trim() === initial.trim()}
      onSubmit={async () => {
        await client.changeRequests.updateChangeRequestById({
          params: { spaceId: request.space, changeRequestId: request.id },
          payload: { description: descriptionOfText(text) }
        })
        for (const key of keysOfRequest(request)) invalidate(key)
        showToast({ kind: "done", message: t("descriptionSaved") })
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <TextField
          label={t("description")}
          description={t("descriptionHint")}
          rows={6}
          autoFocus
          maxLength={9_000}
          value={text}
          onChange={setText}
          error={errorOf("description")}
        />
      )}
    </FormDialog>
  )
}

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
  const text = textOfDescription(description)
  const isEmpty = description === undefined || description.nodes.length === 0
  if (isEmpty && !canEdit) return null
  const edit = () =>
    openDialog((onClose) => <DescriptionDialog request={request} initial={text ?? ""} onClose={onClose} />)
  return (
    <section className="section" aria-label={t("description")}>
      {isEmpty ? null : (
        <div className="document description">
          <Blocks nodes={blocksOf(description as unknown as JSONDocumentEncoded)} />
        </div>
      )}
      {!canEdit ? null : text === undefined ? (
        <p className="muted small">{t("richDescription")}</p>
      ) : (
        <Button size="small" variant="quiet" onPress={edit}>
          {t(isEmpty ? "addDescription" : "editDescription")}
        </Button>
      )}
    </section>
  )
}
