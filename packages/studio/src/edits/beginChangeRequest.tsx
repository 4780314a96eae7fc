/** The change request of an edit: the one that the person edits in this tab, one that they choose, or a new one. */
import type { ChangeRequest } from "@lectern/client/fetch"
import type { ReactNode } from "react"
import { openDialogAbove } from "../components/openDialog.tsx"
import { invalidate } from "../data/cache.ts"
import { Declined } from "../data/change.ts"
import { changeKey, createChangeRequest, listOwnChangeRequests } from "../data/changeRequests.ts"
import { flattenPages } from "../data/content.ts"
import { showToast } from "../data/toasts.ts"
import { navigate } from "../router/location.ts"
import { client } from "../session.ts"
import { translate } from "../strings/strings.ts"
import { ChangeRequestChoice } from "./ChangeRequestChoice.tsx"
import { choiceStrings } from "./choiceStrings.ts"
import { type MissingPageChoice, MissingPageDialog } from "./MissingPageDialog.tsx"

const keyOf = (spaceId: string): string => `lectern.changeRequest.${spaceId}`

/** Notes that the person edits a change request in this tab, so that further edits belong to it. */
export const continueInTab = ({ space, id }: Pick<ChangeRequest, "space" | "id">): void =>
  sessionStorage.setItem(keyOf(space), id)

/** Opens a dialog above the others. Resolves with the choice of the person, or rejects with `Declined`. */
const ask = <Choice,>(
  render: (onChoose: (choice: Choice) => void, onClose: () => void) => ReactNode
): Promise<Choice> =>
  new Promise((resolve, reject) =>
    openDialogAbove((close) =>
      render(
        (choice) => {
          close()
          resolve(choice)
        },
        () => {
          close()
          reject(new Declined())
        }
      )
    )
  )

const choose = (offered: ReadonlyArray<ChangeRequest>): Promise<ChangeRequest | "new"> =>
  ask((onChoose, onClose) => <ChangeRequestChoice offered={offered} onChoose={onChoose} onClose={onClose} />)

/** Creates a change request, which further edits in this tab belong to. Rejects with `ApiError`. */
export const beginNewChangeRequest = async (spaceId: string): Promise<ChangeRequest> => {
  const request = await createChangeRequest(spaceId)
  continueInTab(request)
  return request
}

const hasPage = async ({ space, id }: ChangeRequest, pageId: string): Promise<boolean> => {
  const params = { spaceId: space, changeRequestId: id }
  const { pages } = await client.changeRequestContent.listPagesInChangeRequest({ params })
  return flattenPages(pages).some((page) => page.id === pageId)
}

/** Adds the newer pages of the space to a change request. Opens its review, and rejects with `Declined`, if there are conflicts. */
const update = async ({ space, id, number }: ChangeRequest): Promise<void> => {
  const params = { spaceId: space, changeRequestId: id }
  const { result } = await client.changeRequests.updateChangeRequest({ params })
  invalidate(changeKey(space, String(number)))
  if (result !== "conflicts") return
  showToast({ kind: "failed", message: translate(choiceStrings, "updateConflicts", { number }) })
  navigate(`/spaces/${space}/changes/${number}/review`)
  throw new Declined()
}

/** Returns a change request that has the page: this one, after an update if the person chooses it, or a new one. */
const withPage = async (request: ChangeRequest, pageId: string, canUpdate = true): Promise<ChangeRequest> => {
  if (await hasPage(request, pageId)) return request
  const choice = await ask<MissingPageChoice>((onChoose, onClose) => (
    <MissingPageDialog number={request.number} canUpdate={canUpdate} onChoose={onChoose} onClose={onClose} />
  ))
  if (choice === "new") return beginNewChangeRequest(request.space)
  await update(request)
  return withPage(request, pageId, false)
}

/**
 * Returns the change request that an edit of the user belongs to. A draft that this tab began is continued. Others are continued only if
 * the person chooses it: they can be in review, an import, or another subject. With `pageId`, the change request has this page of the
 * space. Rejects with `ApiError`, or with `Declined`.
 */
export const beginChangeRequest = async (
  spaceId: string,
  userId: string,
  pageId?: string
): Promise<ChangeRequest> => {
  const own = await listOwnChangeRequests(spaceId, userId)
  const stored = sessionStorage.getItem(keyOf(spaceId))
  const current = own.find(({ id, status }) => id === stored && status === "draft")
  const choice = current ?? (own.length === 0 ? "new" : await choose(own))
  if (choice === "new") return beginNewChangeRequest(spaceId)
  const request = pageId === undefined ? choice : await withPage(choice, pageId)
  continueInTab(request)
  return request
}
