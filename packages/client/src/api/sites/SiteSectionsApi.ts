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
import { site, sitePath, visitor } from "./siteParameters.ts"

const sections = `${sitePath}/sections` as const
const groups = `${sitePath}/section-groups` as const
const section = { ...site, siteSectionId: SiteSectionId }
const group = { ...site, siteSectionGroupId: SiteSectionGroupId }

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
    HttpApiEndpoint.post("addSectionToSite", sections, {
      params: site,
      payload: AddSiteSection,
      success: SiteSection.pipe(HttpApiSchema.status(201)),
      error: changing
    }).annotateMerge(
      describe(
        "Add a section to a site",
        "With a space in it, at the end. What was on a site without sections goes into a section of its own, the default."
      )
    ),
    HttpApiEndpoint.delete("deleteSiteSectionById", `${sections}/:siteSectionId`, {
      params: section,
      success: HttpApiSchema.Empty(205),
      error: changing
    }).annotateMerge(describe("Delete a section", "With what is in it; the spaces themselves stay.")),
    HttpApiEndpoint.patch("updateSiteSectionById", `${sections}/:siteSectionId`, {
      params: section,
      payload: UpdateSiteSection,
      success: SiteSection,
      error: changing
    }).annotateMerge(
      describe("Update a section", "Changes the fields that are given; the others stay. Null takes away.")
    ),
    HttpApiEndpoint.post("moveSiteSection", `${sections}/:siteSectionId/move`, {
      params: section,
      payload: MoveSiteSection,
      success: SiteSection,
      error: changing
    }).annotateMerge(describe("Move a section", "Among those beside it; to the end by default."))
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
    HttpApiEndpoint.post("addSectionGroupToSite", groups, {
      params: site,
      payload: AddSiteSectionGroup,
      success: SiteSectionGroup.pipe(HttpApiSchema.status(201)),
      error: changing
    }).annotateMerge(
      describe("Add a section group to a site", "At the end, of sections that are taken from where they are.")
    ),
    HttpApiEndpoint.delete("deleteSiteSectionGroupById", `${groups}/:siteSectionGroupId`, {
      params: group,
      success: HttpApiSchema.Empty(205),
      error: changing
    }).annotateMerge(describe("Delete a section group", "Its sections stay, where it was.")),
    HttpApiEndpoint.patch("updateSiteSectionGroupById", `${groups}/:siteSectionGroupId`, {
      params: group,
      payload: UpdateSiteSectionGroup,
      success: SiteSectionGroup,
      error: changing
    }).annotateMerge(
      describe("Update a section group", "Changes the fields that are given. A null icon is taken away.")
    ),
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
    HttpApiEndpoint.post("moveSiteSectionGroup", `${groups}/:siteSectionGroupId/move`, {
      params: group,
      payload: MoveSiteSectionGroup,
      success: SiteSectionGroup,
      error: changing
    }).annotateMerge(
      describe("Move a section group", "Among the groups and the sections beside it; to the end by default.")
    )
  )
  .annotateMerge(describeGroup("Site section groups", "Sections of a site under one title."))
