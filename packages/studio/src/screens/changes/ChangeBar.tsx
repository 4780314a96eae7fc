/** The bar above the pages of a change request: its number, its subject, and the next steps. */
import type { ChangeRequest } from "@lectern/client/fetch"
import { useState } from "react"
import { useActions } from "../../actions/actions.ts"
import { Button, ButtonLink } from "../../components/Button.tsx"
import { ChangeRequestStatus } from "../../components/ChangeRequestStatus.tsx"
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
  const field = (
    <input
      className="subject"
      aria-label={t("subject")}
      placeholder={t("subjectHint")}
      maxLength={100}
      value={subject}
      onChange={(event) => setText(event.target.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !event.nativeEvent.isComposing) event.currentTarget.blur()
      }}
    />
  )
  return isHeading ? <h1 className="subject-heading">{field}</h1> : field
}

/** The bar of a change request. */
export const ChangeBar = ({ request }: { readonly request: ChangeRequest }) => {
  const t = useStrings(changesStrings)
  const review = `/spaces/${request.space}/changes/${request.number}/review`
  const canRequest = request.status === "draft"
  useActions(
    canRequest
      ? [
          {
            id: "change.request",
            label: t("requestReview"),
            run: () => void setStatus(request, "open")
          }
        ]
      : []
  )
  return (
    <div className="change-bar">
      <span className="change-number">#{request.number}</span>
      <SubjectField key={request.id} request={request} />
      <ChangeRequestStatus status={request.status} />
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
