/** Handlers of the endpoints for the sections of a site and groups of them. */
import { SiteSectionGroupsApi, SiteSectionsApi } from "@lectern/client"
import { SiteSectionGroups, SiteSections } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for the sections of a site. */
export const siteSections = Effect.map(SiteSections, (sections) =>
  implement(SiteSectionsApi, {
    listSiteSections: serve(sections.list, ({ params, query }) => ({
      organization: params.organizationId,
      site: params.siteId,
      input: query
    })),
    addSectionToSite: serve(sections.add, ({ params, payload }) => ({
      organization: params.organizationId,
      site: params.siteId,
      input: payload
    })),
    deleteSiteSectionById: serve(sections.remove, ({ params }) => ({
      organization: params.organizationId,
      site: params.siteId,
      section: params.siteSectionId
    })),
    updateSiteSectionById: serve(sections.update, ({ params, payload }) => ({
      organization: params.organizationId,
      site: params.siteId,
      section: params.siteSectionId,
      input: payload
    })),
    moveSiteSection: serve(sections.move, ({ params, payload }) => ({
      organization: params.organizationId,
      site: params.siteId,
      section: params.siteSectionId,
      input: payload
    }))
  })
)

/** The handlers of the endpoints for groups of sections. */
export const siteSectionGroups = Effect.map(SiteSectionGroups, (groups) =>
  implement(SiteSectionGroupsApi, {
    listSiteSectionGroups: serve(groups.list, ({ params, query }) => ({
      organization: params.organizationId,
      site: params.siteId,
      input: query
    })),
    addSectionGroupToSite: serve(groups.add, ({ params, payload }) => ({
      organization: params.organizationId,
      site: params.siteId,
      input: payload
    })),
    deleteSiteSectionGroupById: serve(groups.remove, ({ params }) => ({
      organization: params.organizationId,
      site: params.siteId,
      sectionGroup: params.siteSectionGroupId
    })),
    updateSiteSectionGroupById: serve(groups.update, ({ params, payload }) => ({
      organization: params.organizationId,
      site: params.siteId,
      sectionGroup: params.siteSectionGroupId,
      input: payload
    })),
    addSectionToGroup: serve(groups.addSection, ({ params, payload }) => ({
      organization: params.organizationId,
      site: params.siteId,
      sectionGroup: params.siteSectionGroupId,
      input: payload
    })),
    removeSectionFromGroup: serve(groups.removeSection, ({ params }) => ({
      organization: params.organizationId,
      site: params.siteId,
      sectionGroup: params.siteSectionGroupId,
      section: params.siteSectionId
    })),
    moveSiteSectionGroup: serve(groups.move, ({ params, payload }) => ({
      organization: params.organizationId,
      site: params.siteId,
      sectionGroup: params.siteSectionGroupId,
      input: payload
    }))
  })
)
