import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  AddSectionToGroup,
  AddSiteSection,
  AddSiteSectionGroup,
  MoveSiteSection,
  MoveSiteSectionGroup,
  pageOf,
  SiteSection,
  SiteSectionGroup,
  SiteSectionGroupId,
  SiteSectionId,
  UpdateSiteSection,
  UpdateSiteSectionGroup
} from "../../index.ts"
import { created } from "../shared/created.ts"
import { editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"
import { ChangedResource } from "../shared/requestConditions.ts"
import { siteItems } from "./siteItems.ts"
import { site, sitePath, structurePath, visitor } from "./siteParameters.ts"

const sections = `${sitePath}/sections` as const
const groups = `${sitePath}/section-groups` as const
const section = { ...site, siteSectionId: SiteSectionId }
const group = { ...site, siteSectionGroupId: SiteSectionGroupId }

const sectionGroupChanges = siteItems("SectionGroup", groups, {
  params: group,
  item: SiteSectionGroup,
  add: {
    payload: AddSiteSectionGroup,
    title: "Add a section group to a site",
    description: "Creates a section group at the end of the site, and moves the given sections into it."
  },
  remove: {
    title: "Delete a section group",
    description: "Deletes the section group. Its sections move to its place."
  },
  update: {
    payload: UpdateSiteSectionGroup,
    title: "Update a section group",
    description:
      "Updates the fields that the request contains, and leaves the others unchanged. `null` removes the icon."
  },
  move: {
    payload: MoveSiteSectionGroup,
    title: "Move a section group",
    description: "Moves the group to another position among its siblings, to the end by default."
  }
})

const sectionChanges = siteItems("Section", sections, {
  params: section,
  item: SiteSection,
  add: {
    payload: AddSiteSection,
    title: "Add a section to a site",
    description:
      "Adds a section with a space at the end of the site. If the site has no sections, its current spaces move to a new default section."
  },
  remove: {
    title: "Delete a section",
    description: "Deletes the section and its site spaces. The spaces themselves are not deleted."
  },
  update: {
    payload: UpdateSiteSection,
    title: "Update a section",
    description:
      "Updates the fields that the request contains, and leaves the others unchanged. `null` removes a value."
  },
  move: {
    payload: MoveSiteSection,
    title: "Move a section",
    description: "Moves the section to another position among its siblings, to the end by default."
  }
})

/** The group of operations on the sections of a site. */
export const SiteSectionsApi = HttpApiGroup.make("siteSections")
  .add(
    HttpApiEndpoint.get("listSiteSections", sections, {
      params: site,
      query: { ...page, ...visitor },
      success: pageOf(SiteSection),
      error: reading
    }).annotateMerge(
      describe(
        "List the sections of a site",
        "Returns the sections of the site in their order, including the sections of groups. With a share key or a visitor token, returns only the sections that the visitor can see."
      )
    ),
    sectionChanges.add,
    sectionChanges.remove,
    sectionChanges.update,
    sectionChanges.move
  )
  .annotateMerge(describeGroup("Site sections", "The sections of sites."))

/** The group of operations on groups of sections. */
export const SiteSectionGroupsApi = HttpApiGroup.make("siteSectionGroups")
  .add(
    HttpApiEndpoint.get("listSiteSectionGroups", groups, {
      params: site,
      query: page,
      success: pageOf(SiteSectionGroup),
      error: reading
    }).annotateMerge(
      describe("List the section groups of a site", "Returns the section groups of the site, in their order.")
    ),
    sectionGroupChanges.add,
    sectionGroupChanges.remove,
    sectionGroupChanges.update,
    HttpApiEndpoint.post("addSectionToGroup", `${groups}/:siteSectionGroupId/sections`, {
      params: group,
      payload: AddSectionToGroup,
      success: created(SiteSectionGroup),
      error: editing
    })
      .annotateMerge(describe("Add a section to a group", "Moves the section to the end of the group."))
      .annotate(ChangedResource, structurePath),
    HttpApiEndpoint.delete(
      "removeSectionFromGroup",
      `${groups}/:siteSectionGroupId/sections/:siteSectionId`,
      {
        params: { ...group, siteSectionId: SiteSectionId },
        success: HttpApiSchema.Empty(205),
        error: editing
      }
    )
      .annotateMerge(
        describe("Remove a section from a group", "Moves the section to the place directly after the group.")
      )
      .annotate(ChangedResource, structurePath),
    sectionGroupChanges.move
  )
  .annotateMerge(describeGroup("Site section groups", "Groups of sections under one title."))
