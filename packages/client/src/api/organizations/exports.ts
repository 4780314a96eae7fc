/** What `@lectern/client` exports of organizations. */

export { InvitesApi } from "./InvitesApi.ts"
export { MembersApi } from "./MembersApi.ts"
export { OrganizationsApi } from "./OrganizationsApi.ts"
export { TeamsApi } from "./TeamsApi.ts"
