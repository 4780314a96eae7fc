/** The dialog that requests reviewers: the people whose role permits it. It also begins the review of a draft. */
import type { ChangeRequest } from "@lectern/client/fetch"
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { CheckField } from "../../components/CheckField.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { TextField } from "../../components/fields.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { roleName } from "../../components/RoleField.tsx"
import { Loaded, Skeleton } from "../../components/states.tsx"
import { invalidate } from "../../data/cache.ts"
import { useReviewers } from "../../data/reviewers.ts"
import { showToast } from "../../data/toasts.ts"
import { navigate } from "../../router/location.ts"
import { useStrings } from "../../strings/strings.ts"
import { useRequestedReviewers } from "./Reviewers.tsx"
import { beginReview, keysOfRequest, requestReviewers } from "./requestChanges.ts"
import { reviewStrings } from "./reviewStrings.ts"

const maximumReviewers = 20

/** The number of people above which a field filters them. */
const fewPeople = 8

interface RequestDialogProps {
  readonly request: ChangeRequest
  readonly onClose: () => void
}

const RequestDialog = ({ request, onClose }: RequestDialogProps) => {
  const t = useStrings(reviewStrings)
  const [search, setSearch] = useState("")
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const people = useReviewers(request.space)
  const requested = useRequestedReviewers(request)
  const isRequested = new Set((requested.data ?? []).map(({ user }) => user.id))
  const openAccess = () => {
    onClose()
    navigate(`/spaces/${request.space}/permissions`)
  }
  const toggle = (id: string, isChosen: boolean) => {
    const changed = new Set(chosen)
    if (isChosen) changed.add(id)
    else changed.delete(id)
    setChosen(changed)
  }
  return (
    <FormDialog
      title={t("askReviewers")}
      submit={t("ask")}
      isDisabled={chosen.size === 0 || chosen.size > maximumReviewers}
      onSubmit={async () => {
        await requestReviewers(request, [...chosen])
        if (request.status === "draft") await beginReview(request)
        for (const key of keysOfRequest(request)) invalidate(key)
        showToast({ kind: "done", message: t("asked", { count: chosen.size }) })
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <p className="muted small">{t(request.status === "draft" ? "askDraftHint" : "askHint")}</p>
          {(people.data?.length ?? 0) <= fewPeople ? null : (
            <TextField label={t("search")} autoFocus value={search} onChange={setSearch} />
          )}
          {errorOf("users") === undefined ? null : (
            <p role="alert" className="form-error">
              {errorOf("users")}
            </p>
          )}
          <Loaded resource={people} skeleton={<Skeleton rows={4} />}>
            {(found) => {
              const others = found.filter(
                ({ user: { id } }) => id !== request.createdBy.id && !isRequested.has(id)
              )
              if (others.length === 0) {
                return (
                  <>
                    <p className="muted">{t("noReviewers")}</p>
                    <div>
                      <Button size="small" onPress={openAccess}>
                        {t("openAccess")}
                      </Button>
                    </div>
                  </>
                )
              }
              const query = search.trim().toLowerCase()
              return (
                <div className="choices choices-scroll">
                  {others
                    .filter(({ user }) =>
                      `${user.displayName} ${user.email ?? ""}`.toLowerCase().includes(query)
                    )
                    .map(({ user, permission }) => (
                      <CheckField
                        key={user.id}
                        label={user.displayName}
                        description={[roleName(permission), user.email ?? ""]
                          .filter((part) => part !== "")
                          .join(" · ")}
                        isChecked={chosen.has(user.id)}
                        onChange={(isChosen) => toggle(user.id, isChosen)}
                      />
                    ))}
                </div>
              )
            }}
          </Loaded>
        </>
      )}
    </FormDialog>
  )
}

/** Opens the dialog that requests reviewers. */
export const openDialogOf = (request: ChangeRequest): void =>
  openDialog((onClose) => <RequestDialog request={request} onClose={onClose} />)
