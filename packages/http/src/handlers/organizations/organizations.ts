/** Handlers of the operations on organizations. */

import { OrganizationsApi } from "@lectern/client"
import { Organizations } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The operations on organizations, implemented. */
export const organizations = Effect.map(Organizations, (organizations) =>
  implement(OrganizationsApi, {
    listOrganizationsForAuthenticatedUser: ({ query }) => organizations.list(query),
    getOrganizationById: ({ params }) => organizations.get(params.organizationId),
    updateOrganizationById: ({ params, payload }) => organizations.update(params.organizationId, payload),
    getOrganizationsForEmailDomain: ({ params }) => organizations.ofEmailDomain(params.emailDomain)
  })
)
