/** Where a person edits: in the space itself, or in a change request of it if the space is locked. */
import type { Space } from "@lectern/client/fetch"
import type { Place } from "../data/content.ts"
import { client } from "../session.ts"
import { beginChangeRequest } from "./beginChangeRequest.tsx"

/** Whether edits in a place change its content directly. Otherwise they begin a change request. */
export const isDirect = (space: Space, { change }: Place): boolean =>
  change !== undefined || space.editMode !== "locked"

/** Returns the place of edits: a change request of the person if the space is locked. Rejects with `ApiError`. */
export const placeOfEdits = async (space: Space, place: Place): Promise<Place> => {
  if (isDirect(space, place)) return place
  const { id } = await client.users.getAuthenticatedUser()
  const { number } = await beginChangeRequest(space.id, id)
  return { spaceId: space.id, change: String(number) }
}
