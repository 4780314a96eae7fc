export { ProvisionedMembers } from "./ProvisionedMembers.ts"
export { ProvisionedTeams } from "./ProvisionedTeams.ts"
