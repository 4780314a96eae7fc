/** The endpoints of organizations. */

import { InvitationsApi } from "./InvitationsApi.ts"
import { InvitesApi } from "./InvitesApi.ts"
import { MembersApi } from "./MembersApi.ts"
import { OrganizationsApi } from "./OrganizationsApi.ts"
import { TeamsApi } from "./TeamsApi.ts"

/** The groups of endpoints of organizations, in the order of the OpenAPI document. */
export const groups: readonly [
  typeof OrganizationsApi,
  typeof MembersApi,
  typeof TeamsApi,
  typeof InvitesApi,
  typeof InvitationsApi
] = [OrganizationsApi, MembersApi, TeamsApi, InvitesApi, InvitationsApi]
