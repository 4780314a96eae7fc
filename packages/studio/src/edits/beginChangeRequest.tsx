/** The change request of an edit: the one that the person edits in this tab, one that they choose, or a new one. */
import type { ChangeRequest } from "@lectern/client/fetch"
import { openDialogAbove } from "../components/openDialog.tsx"
import { Declined } from "../data/change.ts"
import { createChangeRequest, listOwnChangeRequests } from "../data/changeRequests.ts"
import { ChangeRequestChoice } from "./ChangeRequestChoice.tsx"

const keyOf = (spaceId: string): string => `lectern.changeRequest.${spaceId}`

/** Notes that the person edits a change request in this tab, so that further edits belong to it. */
export const continueInTab = ({ space, id }: Pick<ChangeRequest, "space" | "id">): void =>
  sessionStorage.setItem(keyOf(space), id)

/** Resolves with the choice of the person: a change request, or `new`. Rejects with `Declined`. */
const choose = (offered: ReadonlyArray<ChangeRequest>): Promise<ChangeRequest | "new"> =>
  new Promise((resolve, reject) =>
    openDialogAbove((close) => (
      <ChangeRequestChoice
        offered={offered}
        onChoose={(choice) => {
          close()
          resolve(choice)
        }}
        onClose={() => {
          close()
          reject(new Declined())
        }}
      />
    ))
  )

/**
 * Returns the change request that an edit of the user belongs to. A change request that this tab did not begin is continued only if the
 * person chooses it: it can be an import, or another subject. Rejects with `ApiError`, or with `Declined`.
 */
export const beginChangeRequest = async (spaceId: string, userId: string): Promise<ChangeRequest> => {
  const own = await listOwnChangeRequests(spaceId, userId)
  const current = own.find(({ id }) => id === sessionStorage.getItem(keyOf(spaceId)))
  if (current !== undefined) return current
  const choice = own.length === 0 ? "new" : await choose(own)
  const request = choice === "new" ? await createChangeRequest(spaceId) : choice
  continueInTab(request)
  return request
}
