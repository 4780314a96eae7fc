/** The public names of provisioning in `@lectern/model`. */
export {
  FindProvisionedTeams,
  FindProvisionedUsers,
  NewProvisionedTeam,
  NewProvisionedUser,
  type ProvisionedTeam,
  type ProvisionedTeamList,
  type ProvisionedUser,
  type ProvisionedUserList,
  RemoveProvisioned,
  scimPath,
  UpdateProvisionedTeam,
  UpdateProvisionedUser,
  type UserProfile
} from "./Provisioning.ts"
