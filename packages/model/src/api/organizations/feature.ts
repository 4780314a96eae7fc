/** The endpoints of organizations. */

import { InvitesApi } from "./InvitesApi.ts"
import { MembersApi } from "./MembersApi.ts"
import { OrganizationsApi } from "./OrganizationsApi.ts"
import { TeamsApi } from "./TeamsApi.ts"

/** The groups of endpoints of organizations, in the order of the OpenAPI document. */
export const groups: readonly [
  typeof OrganizationsApi,
  typeof MembersApi,
  typeof TeamsApi,
  typeof InvitesApi
] = [OrganizationsApi, MembersApi, TeamsApi, InvitesApi]
