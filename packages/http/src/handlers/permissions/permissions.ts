import { CollectionPermissionsApi, SitePermissionsApi, SpacePermissionsApi } from "@lectern/client"
import { Permissions } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"
import { contentTarget, siteTarget } from "../shared/parametersOf.ts"

export const spacePermissions = Effect.map(Permissions, (permissions) =>
  implement(
    SpacePermissionsApi,
    {
      inviteToSpace: permissions.share,
      listUserPermissionsInSpace: permissions.listUsers,
      updateUserPermissionInSpace: permissions.updateUser,
      removeUserFromSpace: permissions.removeUser,
      listTeamPermissionsInSpace: permissions.listTeams,
      updateTeamPermissionInSpace: permissions.updateTeam,
      removeTeamFromSpace: permissions.removeTeam,
      listPermissionsAggregateInSpace: permissions.listEffective
    },
    contentTarget
  )
)

export const collectionPermissions = Effect.map(Permissions, (permissions) =>
  implement(
    CollectionPermissionsApi,
    {
      inviteToCollection: permissions.share,
      listUserPermissionsInCollection: permissions.listUsers,
      updateUserPermissionInCollection: permissions.updateUser,
      removeUserFromCollection: permissions.removeUser,
      listTeamPermissionsInCollection: permissions.listTeams,
      updateTeamPermissionInCollection: permissions.updateTeam,
      removeTeamFromCollection: permissions.removeTeam,
      listPermissionsAggregateInCollection: permissions.listEffective
    },
    contentTarget
  )
)

export const sitePermissions = Effect.map(Permissions, (permissions) =>
  implement(
    SitePermissionsApi,
    {
      inviteToSite: permissions.share,
      listUserPermissionsInSite: permissions.listUsers,
      updateUserPermissionInSite: permissions.updateUser,
      removeUserFromSite: permissions.removeUser,
      listTeamPermissionsInSite: permissions.listTeams,
      updateTeamPermissionInSite: permissions.updateTeam,
      removeTeamFromSite: permissions.removeTeam
    },
    siteTarget
  )
)
