/** The operations on who has access to collections and spaces. */
import type { CollectionPermissionsApi, SpacePermissionsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const collectionPermissions = {
  inviteToCollection: {
    serves: "Permissions.share",
    rule: "collection.share",
    statements: 13,
    body: ({ ids, otherUser }) => ({ users: [otherUser], teams: [ids.teamId], role: "edit" })
  },
  listUserPermissionsInCollection: {
    serves: "Permissions.listUsers",
    rule: ["collection.view", "organization.listMembers"],
    statements: 7
  },
  updateUserPermissionInCollection: {
    serves: "Permissions.updateUser",
    rule: "collection.share",
    statements: 10,
    body: () => ({ role: "edit" })
  },
  removeUserFromCollection: {
    serves: "Permissions.removeUser",
    rule: "collection.share",
    statements: 8,
    repeated: "404"
  },
  listTeamPermissionsInCollection: {
    serves: "Permissions.listTeams",
    rule: ["collection.view", "organization.listMembers"],
    statements: 12
  },
  updateTeamPermissionInCollection: {
    serves: "Permissions.updateTeam",
    rule: "collection.share",
    statements: 10,
    body: () => ({ role: "edit" })
  },
  removeTeamFromCollection: {
    serves: "Permissions.removeTeam",
    rule: "collection.share",
    statements: 8,
    repeated: "404"
  },
  listPermissionsAggregateInCollection: {
    serves: "Permissions.listEffective",
    rule: ["collection.view", "organization.listMembers"],
    statements: 9,
    query: "role=admin"
  }
} satisfies RowsOf<typeof CollectionPermissionsApi>

export const spacePermissions = {
  inviteToSpace: {
    serves: "Permissions.share",
    rule: "space.share",
    statements: 13,
    body: ({ ids, otherUser }) => ({ users: [otherUser], teams: [ids.teamId], role: "edit" })
  },
  listUserPermissionsInSpace: {
    serves: "Permissions.listUsers",
    rule: ["space.view", "organization.listMembers"],
    statements: 7
  },
  updateUserPermissionInSpace: {
    serves: "Permissions.updateUser",
    rule: "space.share",
    statements: 10,
    body: () => ({ role: "edit" })
  },
  removeUserFromSpace: {
    serves: "Permissions.removeUser",
    rule: "space.share",
    statements: 8,
    repeated: "404"
  },
  listTeamPermissionsInSpace: {
    serves: "Permissions.listTeams",
    rule: ["space.view", "organization.listMembers"],
    statements: 12
  },
  updateTeamPermissionInSpace: {
    serves: "Permissions.updateTeam",
    rule: "space.share",
    statements: 10,
    body: () => ({ role: "edit" })
  },
  removeTeamFromSpace: {
    serves: "Permissions.removeTeam",
    rule: "space.share",
    statements: 8,
    repeated: "404"
  },
  listPermissionsAggregateInSpace: {
    serves: "Permissions.listEffective",
    rule: ["space.view", "organization.listMembers"],
    statements: 9,
    query: "role=admin"
  }
} satisfies RowsOf<typeof SpacePermissionsApi>
