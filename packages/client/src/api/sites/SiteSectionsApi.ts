/** The operations on the sections of a site, and on groups of them. */
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
} from "@lectern/core/model"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { changing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"
import { siteItems } from "./siteItems.ts"
import { site, sitePath, visitor } from "./siteParameters.ts"

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
    description: "At the end, of sections that are taken from where they are."
  },
  remove: { title: "Delete a section group", description: "Its sections stay, where it was." },
  update: {
    payload: UpdateSiteSectionGroup,
    title: "Update a section group",
    description: "Changes the fields that are given. A null icon is taken away."
  },
  move: {
    payload: MoveSiteSectionGroup,
    title: "Move a section group",
    description: "Among the groups and the sections beside it; to the end by default."
  }
})

const sectionChanges = siteItems("Section", sections, {
  params: section,
  item: SiteSection,
  add: {
    payload: AddSiteSection,
    title: "Add a section to a site",
    description:
      "With a space in it, at the end. What was on a site without sections goes into a section of its own, the default."
  },
  remove: { title: "Delete a section", description: "With what is in it; the spaces themselves stay." },
  update: {
    payload: UpdateSiteSection,
    title: "Update a section",
    description: "Changes the fields that are given; the others stay. Null takes away."
  },
  move: {
    payload: MoveSiteSection,
    title: "Move a section",
    description: "Among those beside it; to the end by default."
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
        "In their order, those of groups too; with a key or a token, those that a visitor is shown."
      )
    ),
    sectionChanges.add,
    sectionChanges.remove,
    sectionChanges.update,
    sectionChanges.move
  )
  .annotateMerge(describeGroup("Site sections", "The parts of a site."))

/** The group of operations on groups of sections. */
export const SiteSectionGroupsApi = HttpApiGroup.make("siteSectionGroups")
  .add(
    HttpApiEndpoint.get("listSiteSectionGroups", groups, {
      params: site,
      query: page,
      success: pageOf(SiteSectionGroup),
      error: reading
    }).annotateMerge(describe("List the section groups of a site", "In their order.")),
    sectionGroupChanges.add,
    sectionGroupChanges.remove,
    sectionGroupChanges.update,
    HttpApiEndpoint.post("addSectionToGroup", `${groups}/:siteSectionGroupId/sections`, {
      params: group,
      payload: AddSectionToGroup,
      success: SiteSectionGroup.pipe(HttpApiSchema.status(201)),
      error: changing
    }).annotateMerge(describe("Add a section to a group", "To its end, from wherever the section is.")),
    HttpApiEndpoint.delete(
      "removeSectionFromGroup",
      `${groups}/:siteSectionGroupId/sections/:siteSectionId`,
      {
        params: { ...group, siteSectionId: SiteSectionId },
        success: HttpApiSchema.Empty(205),
        error: changing
      }
    ).annotateMerge(describe("Remove a section from a group", "It goes to the place behind the group.")),
    sectionGroupChanges.move
  )
  .annotateMerge(describeGroup("Site section groups", "Sections of a site under one title."))
