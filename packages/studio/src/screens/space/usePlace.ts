/** The place of a screen, and whether the person can change its pages there. */
import type { ChangeRequest, Space } from "@lectern/client/fetch"
import { useChangeRequest } from "../../data/changeRequests.ts"
import type { Place } from "../../data/content.ts"
import { useSpace } from "../../data/spaces.ts"
import type { Resource } from "../../data/useResource.ts"
import { useUserId } from "../../data/user.ts"

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

/**
 * Whether a person can change a change request: their own as an editor, and that of another person as a reviewer. The server rejects other
 * changes.
 */
const canChange = (
  permissions: Space["permissions"],
  { createdBy }: Pick<ChangeRequest, "createdBy">,
  user: string | undefined
): boolean => (createdBy.id === user ? permissions.edit : permissions.review)

/** Whether the person can change a change request of a space with these permissions. */
export const useCanChange = (
  permissions: Space["permissions"],
  request: Pick<ChangeRequest, "createdBy">
): boolean => canChange(permissions, request, useUserId())

/** Returns the place of the parameters of an address. */
export const usePlace = (spaceId: string, number: string | undefined): KnownPlace => {
  const space = useSpace(spaceId)
  const changeRequest = useChangeRequest(spaceId, number)
  const user = useUserId()
  const acceptsChanges =
    number === undefined
      ? space.data?.editMode !== "locked"
      : changeRequest.data !== undefined && isOpen(changeRequest.data)
  const permissions = space.data?.permissions
  const isPermitted =
    number === undefined
      ? permissions?.edit === true
      : permissions !== undefined &&
        changeRequest.data !== undefined &&
        canChange(permissions, changeRequest.data, user)
  return {
    place: { spaceId, change: number },
    space,
    changeRequest,
    canEdit: isPermitted && acceptsChanges
  }
}
