import { OrganizationsApi } from "@lectern/client"
import { Organizations } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const organizations = Effect.map(Organizations, (organizations) =>
  implement(OrganizationsApi, {
    listOrganizationsForAuthenticatedUser: organizations.list,
    getOrganizationById: organizations.get,
    updateOrganizationById: organizations.update,
    deleteOrganizationById: organizations.remove,
    restoreOrganization: organizations.restore,
    listDeletedOrganizations: organizations.listDeleted,
    getOrganizationUsage: organizations.getUsage,
    getOrganizationsForEmailDomain: organizations.listByEmailDomain
  })
)
