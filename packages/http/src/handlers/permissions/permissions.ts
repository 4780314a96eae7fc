/** Handlers of the operations on who has access to content. */

import { CollectionPermissionsApi, SpacePermissionsApi } from "@lectern/client"
import { Grants } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

const space = (params: { readonly spaceId: string }) => ({ space: params.spaceId })
const collection = (params: { readonly collectionId: string }) => ({ collection: params.collectionId })

/** The operations on who has access to a space, implemented. */
export const spacePermissions = Effect.map(Grants, (grants) =>
  implement(SpacePermissionsApi, {
    inviteToSpace: ({ params, payload }) => grants.share(space(params), payload),
    listUserPermissionsInSpace: ({ params, query }) => grants.users(space(params), query),
    updateUserPermissionInSpace: ({ params, payload }) =>
      grants.updateUser(space(params), params.userId, payload),
    removeUserFromSpace: ({ params }) => grants.removeUser(space(params), params.userId),
    listTeamPermissionsInSpace: ({ params, query }) => grants.teams(space(params), query),
    updateTeamPermissionInSpace: ({ params, payload }) =>
      grants.updateTeam(space(params), params.teamId, payload),
    removeTeamFromSpace: ({ params }) => grants.removeTeam(space(params), params.teamId),
    listPermissionsAggregateInSpace: ({ params, query }) => grants.aggregate(space(params), query)
  })
)

/** The operations on who has access to a collection, implemented. */
export const collectionPermissions = Effect.map(Grants, (grants) =>
  implement(CollectionPermissionsApi, {
    inviteToCollection: ({ params, payload }) => grants.share(collection(params), payload),
    listUserPermissionsInCollection: ({ params, query }) => grants.users(collection(params), query),
    updateUserPermissionInCollection: ({ params, payload }) =>
      grants.updateUser(collection(params), params.userId, payload),
    removeUserFromCollection: ({ params }) => grants.removeUser(collection(params), params.userId),
    listTeamPermissionsInCollection: ({ params, query }) => grants.teams(collection(params), query),
    updateTeamPermissionInCollection: ({ params, payload }) =>
      grants.updateTeam(collection(params), params.teamId, payload),
    removeTeamFromCollection: ({ params }) => grants.removeTeam(collection(params), params.teamId),
    listPermissionsAggregateInCollection: ({ params, query }) => grants.aggregate(collection(params), query)
  })
)
