/** The place of a screen, and whether the person can change its pages there. */
import type { ChangeRequest, Space } from "@lectern/client/fetch"
import { useChangeRequest } from "../../data/changeRequests.ts"
import type { Place } from "../../data/content.ts"
import { useSpace } from "../../data/spaces.ts"
import type { Resource } from "../../data/useResource.ts"

/** A place with its resources, as far as they are loaded. */
export interface KnownPlace {
  readonly place: Place
  readonly space: Resource<Space>
  readonly changeRequest: Resource<ChangeRequest>
  /** Whether the person can change pages in the place. */
  readonly canEdit: boolean
}

/** Whether a change request accepts changes. */
export const isOpen = ({ status }: ChangeRequest): boolean => status === "draft" || status === "open"

/** Returns the place of the parameters of an address. */
export const usePlace = (spaceId: string, number: string | undefined): KnownPlace => {
  const space = useSpace(spaceId)
  const changeRequest = useChangeRequest(spaceId, number)
  const isEditor = space.data?.permissions.edit === true
  const acceptsChanges =
    number === undefined
      ? space.data?.editMode !== "locked"
      : changeRequest.data !== undefined && isOpen(changeRequest.data)
  return {
    place: { spaceId, change: number },
    space,
    changeRequest,
    canEdit: isEditor && acceptsChanges
  }
}
