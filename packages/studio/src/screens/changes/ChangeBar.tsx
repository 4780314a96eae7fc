/** The bar above the pages of a change request: its number, its subject, and the next steps. */
import type { ChangeRequest } from "@lectern/client/fetch"
import { type ChangeEvent, type KeyboardEvent, useState } from "react"
import { useActions } from "../../actions/actions.ts"
import { Button, ButtonLink } from "../../components/Button.tsx"
import { ChangeRequestStatus } from "../../components/ChangeRequestStatus.tsx"
import { navigate } from "../../router/location.ts"
import { useStrings } from "../../strings/strings.ts"
import { setStatus, setSubject } from "./requestChanges.ts"
import { changesStrings } from "./strings.ts"

/** The field with the subject, which is stored when it is left. */
export const SubjectField = ({
  request,
  isHeading = false
}: {
  readonly request: ChangeRequest
  readonly isHeading?: boolean
}) => {
  const t = useStrings(changesStrings)
  const [subject, setText] = useState(request.subject)
  const save = () => {
    if (subject.trim() !== request.subject) void setSubject(request, subject.trim())
  }
  const attributes = {
    className: "subject",
    "aria-label": t("subject"),
    placeholder: t("subjectHint"),
    maxLength: 100,
    value: subject,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      setText(event.target.value.replaceAll("\n", " ")),
    onBlur: save,
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.key !== "Enter" || event.nativeEvent.isComposing) return
      event.preventDefault()
      event.currentTarget.blur()
    }
  }
  if (!isHeading) return <input {...attributes} />
  // The field has the height of the hidden copy of its text, or of its placeholder.
  return (
    <h1 className="subject-heading" data-text={subject === "" ? attributes.placeholder : subject}>
      <textarea {...attributes} rows={1} />
    </h1>
  )
}

/** The bar of a change request. */
export const ChangeBar = ({
  request,
  canEdit
}: {
  readonly request: ChangeRequest
  readonly canEdit: boolean
}) => {
  const t = useStrings(changesStrings)
  const review = `/spaces/${request.space}/changes/${request.number}/review`
  const canRequest = canEdit && request.status === "draft"
  useActions([
    { id: "change.review", label: t("reviewChanges"), run: () => navigate(review) },
    ...(canRequest
      ? [
          {
            id: "change.request",
            label: t("requestReview"),
            shortcut: "q",
            run: () => void setStatus(request, "open")
          }
        ]
      : [])
  ])
  return (
    <div className="change-bar">
      <span className="change-number">#{request.number}</span>
      {canEdit ? (
        <SubjectField key={request.id} request={request} />
      ) : (
        <span className="subject">{request.subject === "" ? t("untitled") : request.subject}</span>
      )}
      <ChangeRequestStatus request={request} />
      <ButtonLink to={review} size="small">
        {t("reviewChanges")}
      </ButtonLink>
      {canRequest ? (
        <Button size="small" variant="primary" onPress={() => void setStatus(request, "open")}>
          {t("requestReview")}
        </Button>
      ) : null}
    </div>
  )
}
