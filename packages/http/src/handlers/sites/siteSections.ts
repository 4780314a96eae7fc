/** Handlers of the operations on the sections of a site, and on groups of them. */

import { SiteSectionGroupsApi, SiteSectionsApi } from "@lectern/client"
import { SiteSectionGroups, SiteSections } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The operations on the sections of a site, implemented. */
export const siteSections = Effect.map(SiteSections, (sections) =>
  implement(SiteSectionsApi, {
    listSiteSections: ({ params, query }) => sections.list(params.organizationId, params.siteId, query),
    addSectionToSite: ({ params, payload }) => sections.add(params.organizationId, params.siteId, payload),
    deleteSiteSectionById: ({ params }) =>
      sections.remove(params.organizationId, params.siteId, params.siteSectionId),
    updateSiteSectionById: ({ params, payload }) =>
      sections.update(params.organizationId, params.siteId, params.siteSectionId, payload),
    moveSiteSection: ({ params, payload }) =>
      sections.move(params.organizationId, params.siteId, params.siteSectionId, payload)
  })
)

/** The operations on groups of sections, implemented. */
export const siteSectionGroups = Effect.map(SiteSectionGroups, (groups) =>
  implement(SiteSectionGroupsApi, {
    listSiteSectionGroups: ({ params, query }) => groups.list(params.organizationId, params.siteId, query),
    addSectionGroupToSite: ({ params, payload }) => groups.add(params.organizationId, params.siteId, payload),
    deleteSiteSectionGroupById: ({ params }) =>
      groups.remove(params.organizationId, params.siteId, params.siteSectionGroupId),
    updateSiteSectionGroupById: ({ params, payload }) =>
      groups.update(params.organizationId, params.siteId, params.siteSectionGroupId, payload),
    addSectionToGroup: ({ params, payload }) =>
      groups.addSection(params.organizationId, params.siteId, params.siteSectionGroupId, payload),
    removeSectionFromGroup: ({ params }) =>
      groups.removeSection(
        params.organizationId,
        params.siteId,
        params.siteSectionGroupId,
        params.siteSectionId
      ),
    moveSiteSectionGroup: ({ params, payload }) =>
      groups.move(params.organizationId, params.siteId, params.siteSectionGroupId, payload)
  })
)
