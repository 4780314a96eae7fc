/** The public names of organizations in `@lectern/core`, besides the model. */

export { members } from "../../tables/organizations/memberTable.ts"
export { teamMembers, teams } from "../../tables/organizations/teamTables.ts"
export { Administration } from "./Administration.ts"
export { Invitations } from "./Invitations.ts"
export { Invites } from "./Invites.ts"
export { type JoinOffer, Joins, joinPath } from "./Joins.ts"
export { Members } from "./Members.ts"
export { Organizations } from "./Organizations.ts"
export { Teams } from "./Teams.ts"
