/** The path and the parameters that operations on a site share. */
import { OrganizationId, SiteId, VisitorQuery } from "../../index.ts"

/** The path of a site. */
export const sitePath = "/orgs/:organizationId/sites/:siteId" as const

/** The path of the structure of a site, which changes with its sections, groups and spaces. */
export const structurePath = `${sitePath}/structure` as const

/** The parameters of {@link sitePath}. */
export const site = { organizationId: OrganizationId, siteId: SiteId }

/** The credentials of a visitor, to return the content that the visitor can see. */
export const visitor = {
  shareKey: VisitorQuery.fields.shareKey,
  visitorAuthToken: VisitorQuery.fields.visitorAuthToken
}
