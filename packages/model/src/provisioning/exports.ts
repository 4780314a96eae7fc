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
  UpdateProvisionedTeam,
  UpdateProvisionedUser,
  type UserProfile
} from "./Provisioning.ts"
