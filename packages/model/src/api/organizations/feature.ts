import { InvitationsApi } from "./InvitationsApi.ts"
import { InvitesApi } from "./InvitesApi.ts"
import { MembersApi } from "./MembersApi.ts"
import { OrganizationsApi } from "./OrganizationsApi.ts"
import { TeamsApi } from "./TeamsApi.ts"

export const groups: readonly [
  typeof OrganizationsApi,
  typeof MembersApi,
  typeof TeamsApi,
  typeof InvitesApi,
  typeof InvitationsApi
] = [OrganizationsApi, MembersApi, TeamsApi, InvitesApi, InvitationsApi]
