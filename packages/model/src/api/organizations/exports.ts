/** The public names of organizations in `@lectern/model/api`. */

export { InvitationsApi } from "./InvitationsApi.ts"
export { InvitesApi } from "./InvitesApi.ts"
export { MembersApi } from "./MembersApi.ts"
export { OrganizationsApi } from "./OrganizationsApi.ts"
export { TeamsApi } from "./TeamsApi.ts"
