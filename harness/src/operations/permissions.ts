/** The operations on who has access to collections, spaces and sites. */
import type { CollectionPermissionsApi, SitePermissionsApi, SpacePermissionsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const collectionPermissions = {
  inviteToCollection: {
    serves: "Permissions.share",
    rule: "collection.share",
    body: ({ ids, otherUser }) => ({ users: [otherUser], teams: [ids.teamId], role: "edit" })
  },
  listUserPermissionsInCollection: {
    serves: "Permissions.listUsers",
    rule: ["collection.view", "organization.listMembers"]
  },
  updateUserPermissionInCollection: {
    serves: "Permissions.updateUser",
    rule: "collection.share",
    body: () => ({ role: "edit" })
  },
  removeUserFromCollection: {
    serves: "Permissions.removeUser",
    rule: "collection.share",
    repeated: "404"
  },
  listTeamPermissionsInCollection: {
    serves: "Permissions.listTeams",
    rule: ["collection.view", "organization.listMembers"]
  },
  updateTeamPermissionInCollection: {
    serves: "Permissions.updateTeam",
    rule: "collection.share",
    body: () => ({ role: "edit" })
  },
  removeTeamFromCollection: {
    serves: "Permissions.removeTeam",
    rule: "collection.share",
    repeated: "404"
  },
  listPermissionsAggregateInCollection: {
    serves: "Permissions.listEffective",
    rule: ["collection.view", "organization.listMembers"],
    query: "role=admin"
  }
} satisfies RowsOf<typeof CollectionPermissionsApi>

export const spacePermissions = {
  inviteToSpace: {
    serves: "Permissions.share",
    rule: "space.share",
    body: ({ ids, otherUser }) => ({ users: [otherUser], teams: [ids.teamId], role: "edit" })
  },
  listUserPermissionsInSpace: {
    serves: "Permissions.listUsers",
    rule: ["space.view", "organization.listMembers"]
  },
  updateUserPermissionInSpace: {
    serves: "Permissions.updateUser",
    rule: "space.share",
    body: () => ({ role: "edit" })
  },
  removeUserFromSpace: {
    serves: "Permissions.removeUser",
    rule: "space.share",
    repeated: "404"
  },
  listTeamPermissionsInSpace: {
    serves: "Permissions.listTeams",
    rule: ["space.view", "organization.listMembers"]
  },
  updateTeamPermissionInSpace: {
    serves: "Permissions.updateTeam",
    rule: "space.share",
    body: () => ({ role: "edit" })
  },
  removeTeamFromSpace: {
    serves: "Permissions.removeTeam",
    rule: "space.share",
    repeated: "404"
  },
  listPermissionsAggregateInSpace: {
    serves: "Permissions.listEffective",
    rule: ["space.view", "organization.listMembers"],
    query: "role=admin"
  }
} satisfies RowsOf<typeof SpacePermissionsApi>

export const sitePermissions = {
  inviteToSite: {
    serves: "Permissions.share",
    rule: "site.share",
    body: ({ ids, otherUser }) => ({ users: [otherUser], teams: [ids.teamId], role: "edit" })
  },
  listUserPermissionsInSite: {
    serves: "Permissions.listUsers",
    rule: ["site.view", "organization.listMembers"]
  },
  updateUserPermissionInSite: {
    serves: "Permissions.updateUser",
    rule: "site.share",
    body: () => ({ role: "edit" })
  },
  removeUserFromSite: {
    serves: "Permissions.removeUser",
    rule: "site.share",
    repeated: "404"
  },
  listTeamPermissionsInSite: {
    serves: "Permissions.listTeams",
    rule: ["site.view", "organization.listMembers"]
  },
  updateTeamPermissionInSite: {
    serves: "Permissions.updateTeam",
    rule: "site.share",
    body: () => ({ role: "edit" })
  },
  removeTeamFromSite: {
    serves: "Permissions.removeTeam",
    rule: "site.share",
    repeated: "404"
  }
} satisfies RowsOf<typeof SitePermissionsApi>
