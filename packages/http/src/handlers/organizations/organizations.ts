/** Handlers of the endpoints for organizations. */
import { OrganizationsApi } from "@lectern/client"
import { Organizations } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for organizations. */
export const organizations = Effect.map(Organizations, (organizations) =>
  implement(OrganizationsApi, {
    listOrganizationsForAuthenticatedUser: serve(organizations.list, ({ query }) => ({ input: query })),
    getOrganizationById: serve(organizations.get, ({ params }) => ({ organization: params.organizationId })),
    updateOrganizationById: serve(organizations.update, ({ params, payload }) => ({
      organization: params.organizationId,
      input: payload
    })),
    getOrganizationUsage: serve(organizations.getUsage, ({ params }) => ({
      organization: params.organizationId
    })),
    getOrganizationsForEmailDomain: serve(organizations.listByEmailDomain, ({ params }) => ({
      domain: params.emailDomain
    }))
  })
)
