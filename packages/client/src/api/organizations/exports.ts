/** The public names of organizations in `@lectern/client`. */

export { InvitesApi } from "./InvitesApi.ts"
export { MembersApi } from "./MembersApi.ts"
export { OrganizationsApi } from "./OrganizationsApi.ts"
export { TeamsApi } from "./TeamsApi.ts"
