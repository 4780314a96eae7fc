/** What the operations on a site have in common. */
import { OrganizationId, SiteId, VisitorQuery } from "@lectern/core/model"

/** The path of a site. */
export const sitePath = "/orgs/:organizationId/sites/:siteId" as const

/** The parameters of that path. */
export const site = { organizationId: OrganizationId, siteId: SiteId }

/** What a visitor shows. */
export const visitor = {
  shareKey: VisitorQuery.fields.shareKey,
  visitorAuthToken: VisitorQuery.fields.visitorAuthToken
}
