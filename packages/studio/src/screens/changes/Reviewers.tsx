/** The people whose review is requested, and the reviews. */
import type {
  ChangeRequest,
  ChangeRequestReview,
  RequestedReviewer,
  Space,
  User
} from "@lectern/client/fetch"
import { UserPlus, X } from "lucide-react"
import { useState } from "react"
import { Avatar } from "../../components/Avatar.tsx"
import { Button, IconButton } from "../../components/Button.tsx"
import { CheckField } from "../../components/CheckField.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { TextField } from "../../components/fields.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { Loaded, Skeleton } from "../../components/states.tsx"
import { Time } from "../../components/Time.tsx"
import { invalidate } from "../../data/cache.ts"
import { runChange } from "../../data/change.ts"
import { changeKey } from "../../data/changeRequests.ts"
import { loadAll, pageSize } from "../../data/organization.ts"
import { usePeople } from "../../data/people.ts"
import { showToast } from "../../data/toasts.ts"
import { type Resource, useResource } from "../../data/useResource.ts"
import { Blocks } from "../../document/Blocks.tsx"
import { blocksOf } from "../../document/DocumentView.tsx"
import { client } from "../../session.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { isOpen } from "../space/usePlace.ts"
import { keysOfRequest } from "./requestChanges.ts"
import { reviewStrings } from "./reviewStrings.ts"

const keyOf = ({ space, number }: ChangeRequest): string => changeKey(space, String(number))

const paramsOf = ({ space, id }: ChangeRequest) => ({ spaceId: space, changeRequestId: id })

/** The reviews of a change request, newest first. */
export const useReviews = (request: ChangeRequest): Resource<ReadonlyArray<ChangeRequestReview>> =>
  useResource(`${keyOf(request)}/reviews`, (signal) =>
    loadAll((cursor) =>
      client.reviews.getReviewsByChangeRequestId(
        { params: paramsOf(request), query: { limit: pageSize, format: "document", ...cursor } },
        { signal }
      )
    )
  )

/** The people who are requested to review, and have not yet. */
export const useRequestedReviewers = (request: ChangeRequest): Resource<ReadonlyArray<RequestedReviewer>> =>
  useResource(`${keyOf(request)}/reviewers`, async (signal) => {
    const { items } = await client.reviews.getRequestedReviewersByChangeRequestId(
      { params: paramsOf(request) },
      { signal }
    )
    return items
  })

const sendRequest = (request: ChangeRequest, users: ReadonlyArray<string>) =>
  client.reviews.requestReviewersForChangeRequest({ params: paramsOf(request), payload: { users } })

const removeReviewer = (request: ChangeRequest, user: User) =>
  runChange({
    send: () =>
      client.reviews.removeRequestedReviewerFromChangeRequest({
        params: { ...paramsOf(request), userId: user.id }
      }),
    message: translate(reviewStrings, "reviewerRemoved", { name: user.displayName }),
    failure: translate(reviewStrings, "reviewerNotRemoved"),
    undo: () => sendRequest(request, [user.id]),
    invalidates: keysOfRequest(request)
  })

const maximumReviewers = 20

interface RequestDialogProps {
  readonly request: ChangeRequest
  readonly organization: string
  readonly requested: ReadonlyArray<RequestedReviewer>
  readonly onClose: () => void
}

const RequestDialog = ({ request, organization, requested, onClose }: RequestDialogProps) => {
  const t = useStrings(reviewStrings)
  const [search, setSearch] = useState("")
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const people = usePeople(organization, search.trim())
  const isRequested = new Set(requested.map(({ user }) => user.id))
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
        await sendRequest(request, [...chosen])
        for (const key of keysOfRequest(request)) invalidate(key)
        showToast({ kind: "done", message: t("asked", { count: chosen.size }) })
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextField
            label={t("search")}
            autoFocus
            value={search}
            onChange={setSearch}
            error={errorOf("users")}
          />
          <Loaded resource={people} skeleton={<Skeleton rows={4} />}>
            {(users) => (
              <div className="choices choices-scroll">
                {users
                  .filter(({ id }) => id !== request.createdBy.id && !isRequested.has(id))
                  .map((user) => (
                    <CheckField
                      key={user.id}
                      label={user.displayName}
                      {...(user.email === undefined ? {} : { description: user.email })}
                      isChecked={chosen.has(user.id)}
                      onChange={(isChosen) => toggle(user.id, isChosen)}
                    />
                  ))}
              </div>
            )}
          </Loaded>
        </>
      )}
    </FormDialog>
  )
}

const ReviewItem = ({ review }: { readonly review: ChangeRequestReview }) => {
  const t = useStrings(reviewStrings)
  const { reviewer, status, outdated, comment, createdAt } = review
  return (
    <li className={outdated ? "review is-outdated" : "review"}>
      <Avatar name={reviewer.displayName} size="small" />
      <div>
        <p className="row">
          <strong>{reviewer.displayName}</strong>
          <span className={status === "approved" ? "tag tag-success" : "tag tag-danger"}>
            {status === "approved" ? t("approved") : t("changesRequested")}
          </span>
          {outdated ? <span className="tag">{t("outdated")}</span> : null}
          <span className="muted small">
            <Time value={createdAt} />
          </span>
        </p>
        {comment?.body.document === undefined ? null : (
          <div className="document comment-body">
            <Blocks nodes={blocksOf(comment.body.document)} />
          </div>
        )}
      </div>
    </li>
  )
}

/** Properties of {@link Reviewers}. */
export interface ReviewersProps {
  readonly request: ChangeRequest
  readonly space: Space
  readonly reviews: ReadonlyArray<ChangeRequestReview>
  readonly requested: ReadonlyArray<RequestedReviewer>
}

/** The reviews of a change request, and the requested reviewers. */
export const Reviewers = ({ request, space, reviews, requested }: ReviewersProps) => {
  const t = useStrings(reviewStrings)
  const canAsk = isOpen(request) && space.permissions.edit
  const isEmpty = reviews.length === 0 && requested.length === 0
  return (
    <section className="section" aria-label={t("reviews")}>
      <header className="section-header">
        <h2>{t("reviews")}</h2>
        {canAsk ? (
          <Button
            size="small"
            icon={<UserPlus size={15} aria-hidden />}
            onPress={() =>
              openDialog((onClose) => (
                <RequestDialog
                  request={request}
                  organization={space.organization}
                  requested={requested}
                  onClose={onClose}
                />
              ))
            }
          >
            {t("askReviewers")}
          </Button>
        ) : null}
      </header>
      {isEmpty ? <p className="muted">{t("noReviews")}</p> : null}
      <ul className="reviews">
        {requested.map(({ user, createdAt }) => (
          <li key={user.id} className="review">
            <Avatar name={user.displayName} size="small" />
            <div>
              <p className="row">
                <strong>{user.displayName}</strong>
                <span className="tag">{t("requested")}</span>
                <span className="muted small">
                  <Time value={createdAt} />
                </span>
                {canAsk ? (
                  <IconButton
                    label={t("removeReviewer", { name: user.displayName })}
                    icon={<X size={14} />}
                    onPress={() => void removeReviewer(request, user)}
                  />
                ) : null}
              </p>
            </div>
          </li>
        ))}
        {reviews.map((review) => (
          <ReviewItem key={review.id} review={review} />
        ))}
      </ul>
    </section>
  )
}
