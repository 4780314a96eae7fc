/** Handlers of the endpoints for permissions. */
import { CollectionPermissionsApi, SpacePermissionsApi } from "@lectern/client"
import { type CollectionId, Permissions, type SpaceId } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

const space = (params: { readonly spaceId: SpaceId }) => ({ space: params.spaceId })
const collection = (params: { readonly collectionId: CollectionId }) => ({ collection: params.collectionId })

/** The handlers of the endpoints for permissions of a space. */
export const spacePermissions = Effect.map(Permissions, (permissions) =>
  implement(SpacePermissionsApi, {
    inviteToSpace: serve(permissions.share, ({ params, payload }) => ({
      content: space(params),
      input: payload
    })),
    listUserPermissionsInSpace: serve(permissions.listUsers, ({ params, query }) => ({
      content: space(params),
      input: query
    })),
    updateUserPermissionInSpace: serve(permissions.updateUser, ({ params, payload }) => ({
      content: space(params),
      user: params.userId,
      input: payload
    })),
    removeUserFromSpace: serve(permissions.removeUser, ({ params }) => ({
      content: space(params),
      user: params.userId
    })),
    listTeamPermissionsInSpace: serve(permissions.listTeams, ({ params, query }) => ({
      content: space(params),
      input: query
    })),
    updateTeamPermissionInSpace: serve(permissions.updateTeam, ({ params, payload }) => ({
      content: space(params),
      team: params.teamId,
      input: payload
    })),
    removeTeamFromSpace: serve(permissions.removeTeam, ({ params }) => ({
      content: space(params),
      team: params.teamId
    })),
    listPermissionsAggregateInSpace: serve(permissions.listEffective, ({ params, query }) => ({
      content: space(params),
      input: query
    }))
  })
)

/** The handlers of the endpoints for permissions of a collection. */
export const collectionPermissions = Effect.map(Permissions, (permissions) =>
  implement(CollectionPermissionsApi, {
    inviteToCollection: serve(permissions.share, ({ params, payload }) => ({
      content: collection(params),
      input: payload
    })),
    listUserPermissionsInCollection: serve(permissions.listUsers, ({ params, query }) => ({
      content: collection(params),
      input: query
    })),
    updateUserPermissionInCollection: serve(permissions.updateUser, ({ params, payload }) => ({
      content: collection(params),
      user: params.userId,
      input: payload
    })),
    removeUserFromCollection: serve(permissions.removeUser, ({ params }) => ({
      content: collection(params),
      user: params.userId
    })),
    listTeamPermissionsInCollection: serve(permissions.listTeams, ({ params, query }) => ({
      content: collection(params),
      input: query
    })),
    updateTeamPermissionInCollection: serve(permissions.updateTeam, ({ params, payload }) => ({
      content: collection(params),
      team: params.teamId,
      input: payload
    })),
    removeTeamFromCollection: serve(permissions.removeTeam, ({ params }) => ({
      content: collection(params),
      team: params.teamId
    })),
    listPermissionsAggregateInCollection: serve(permissions.listEffective, ({ params, query }) => ({
      content: collection(params),
      input: query
    }))
  })
)
