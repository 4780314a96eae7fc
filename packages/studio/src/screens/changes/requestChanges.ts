/** Changes of a change request itself: its subject, its status, and reviews. */
import type { ChangeRequest } from "@lectern/client/fetch"
import { writeData } from "../../data/cache.ts"
import { runChange } from "../../data/change.ts"
import { changeKey } from "../../data/changeRequests.ts"
import { spaceKey } from "../../data/spaces.ts"
import { client } from "../../session.ts"
import { translate } from "../../strings/strings.ts"
import { saveEditors } from "./openEditors.ts"
import { openRequestReviewers } from "./openRequestReviewers.ts"
import { reviewStrings } from "./reviewStrings.ts"
import { changesStrings } from "./strings.ts"

const paramsOf = ({ space, id }: ChangeRequest) => ({ spaceId: space, changeRequestId: id })

const keyOf = ({ space, number }: ChangeRequest): string => changeKey(space, String(number))

/** The keys of everything that depends on the status of a change request. */
export const keysOfRequest = ({ space }: ChangeRequest): ReadonlyArray<string> => [
  `${spaceKey(space)}/changes`,
  `${spaceKey(space)}/space`
]

/** Changes the subject of a change request. */
export const setSubject = (request: ChangeRequest, subject: string) =>
  runChange({
    apply: () => [
      writeData<ChangeRequest>(`${keyOf(request)}/request`, (current) => ({ ...current, subject }))
    ],
    send: () =>
      client.changeRequests.updateChangeRequestById({ params: paramsOf(request), payload: { subject } }),
    failure: translate(changesStrings, "subjectFailed"),
    invalidates: keysOfRequest(request)
  })

/** Requests the reviews of users. Rejects with `ApiError`. */
export const requestReviewers = async (request: ChangeRequest, users: ReadonlyArray<string>) => {
  // Reviewers read the last typed words, too.
  await saveEditors()
  return client.reviews.requestReviewersForChangeRequest({ params: paramsOf(request), payload: { users } })
}

/** Begins the review of a draft. Rejects with `ApiError`. */
export const beginReview = (request: ChangeRequest) =>
  client.changeRequests.updateChangeRequestById({ params: paramsOf(request), payload: { status: "open" } })

/** Changes the status of a change request. */
export const setStatus = (request: ChangeRequest, status: "draft" | "open" | "archived") => {
  const send = (value: ChangeRequest["status"]) =>
    client.changeRequests.updateChangeRequestById({ params: paramsOf(request), payload: { status: value } })
  const isRequest = status === "open" && request.status === "draft"
  return runChange({
    apply: () => [
      writeData<ChangeRequest>(`${keyOf(request)}/request`, (current) => ({ ...current, status }))
    ],
    send: async () => {
      // Reviewers read the last typed words, too.
      if (isRequest) await saveEditors()
      return send(status)
    },
    message: translate(changesStrings, isRequest ? "reviewRequested" : "statusChanged"),
    failure: translate(changesStrings, isRequest ? "requestFailed" : "statusFailed"),
    undo: () => send(request.status),
    // A review without reviewers is easily overlooked: the message offers to choose them.
    ...(isRequest
      ? {
          next: {
            label: translate(reviewStrings, "chooseReviewers"),
            run: () => openRequestReviewers({ ...request, status })
          }
        }
      : {}),
    invalidates: keysOfRequest(request)
  })
}

/** Submits a review. */
export const submitReview = (
  request: ChangeRequest,
  status: "approved" | "changes-requested",
  comment: string
) =>
  runChange({
    send: () =>
      client.reviews.submitChangeRequestReview({
        params: paramsOf(request),
        payload: { status, ...(comment.trim() === "" ? {} : { comment: { markdown: comment.trim() } }) }
      }),
    message: translate(changesStrings, status === "approved" ? "approvalSubmitted" : "changesRequested"),
    failure: translate(changesStrings, "reviewFailed"),
    invalidates: keysOfRequest(request)
  })
