/** The dialog that changes the description of a change request, in Markdown. */
import type { ChangeRequest } from "@lectern/client/fetch"
import { useState } from "react"
import { FormDialog } from "../../components/FormDialog.tsx"
import { TextField } from "../../components/fields.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { invalidate } from "../../data/cache.ts"
import { showToast } from "../../data/toasts.ts"
import { client } from "../../session.ts"
import { useStrings } from "../../strings/strings.ts"
import { descriptionOfMarkdown, markdownOfDescription } from "./descriptionMarkdown.ts"
import { keysOfRequest } from "./requestChanges.ts"
import { reviewStrings } from "./reviewStrings.ts"

const DescriptionDialog = ({
  request,
  onClose
}: {
  readonly request: ChangeRequest
  readonly onClose: () => void
}) => {
  const t = useStrings(reviewStrings)
  const [initial] = useState(() => markdownOfDescription(request.description))
  const [text, setText] = useState(initial)
  return (
    <FormDialog
      title={t("description")}
      submit={t("save")}
      isDisabled={text.trim() === initial.trim()}
      onSubmit={async () => {
        await client.changeRequests.updateChangeRequestById({
          params: { spaceId: request.space, changeRequestId: request.id },
          payload: { description: descriptionOfMarkdown(text) }
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

/** Opens the dialog that changes the description of a change request. */
export const openDescription = (request: ChangeRequest): void =>
  openDialog((onClose) => <DescriptionDialog request={request} onClose={onClose} />)
