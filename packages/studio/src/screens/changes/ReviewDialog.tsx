/** The dialog that submits a review with an optional comment. */
import type { ChangeRequest } from "@lectern/client/fetch"
import { useState } from "react"
import { FormDialog } from "../../components/FormDialog.tsx"
import { TextField } from "../../components/fields.tsx"
import { useStrings } from "../../strings/strings.ts"
import { submitReview } from "./requestChanges.ts"
import { changesStrings } from "./strings.ts"

/** Properties of {@link ReviewDialog}. */
export interface ReviewDialogProps {
  readonly request: ChangeRequest
  readonly status: "approved" | "changes-requested"
  readonly onClose: () => void
}

/** The dialog that submits a review. */
export const ReviewDialog = ({ request, status, onClose }: ReviewDialogProps) => {
  const t = useStrings(changesStrings)
  const [comment, setComment] = useState("")
  const verb = status === "approved" ? t("approve") : t("requestChanges")
  return (
    <FormDialog
      title={verb}
      submit={verb}
      onSubmit={async () => void submitReview(request, status, comment)}
      onClose={onClose}
    >
      {() => (
        <TextField
          label={t("comment")}
          description={t("commentHint")}
          rows={4}
          autoFocus
          value={comment}
          onChange={setComment}
        />
      )}
    </FormDialog>
  )
}
