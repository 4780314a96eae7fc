/** Writes to the sections, section groups and site-spaces of sites. */
import { sitePath } from "./sites.ts"
import {
  byRow,
  type Created,
  exists,
  isListed,
  isUnlisted,
  itemFact,
  itemSubject,
  pickOne,
  removeWhere,
  uniqueName,
  type WriteKind,
  type WriteKinds,
  type Writer
} from "./writes.ts"

const url = "https://example.com/"

const sectionsOf = (writer: Writer, site: string): string => `${sitePath(writer, site)}/sections`
const groupsOf = (writer: Writer, site: string): string => `${sitePath(writer, site)}/section-groups`
const siteSpacesOf = (writer: Writer, site: string): string => `${sitePath(writer, site)}/site-spaces`

/** Returns the lists of site-spaces of all sites. Deleted and transferred spaces leave them. */
export const siteSpaceLists = (writer: Writer): ReadonlyArray<string> =>
  writer.sites.map((site) => siteSpacesOf(writer, site))

const addSiteSpace: WriteKind = (writer) => {
  const [site, space] = [pickOne(writer, writer.sites), pickOne(writer, writer.spaces)]
  if (site === undefined || space === undefined) return undefined
  return {
    method: "POST",
    path: siteSpacesOf(writer, site),
    body: { spaceId: space },
    done: ({ id }: Created) => {
      writer.siteSpaces.push({ site, id })
      return [isListed(siteSpacesOf(writer, site), id)]
    }
  }
}

const updateSiteSpace: WriteKind = (writer) => {
  const siteSpace = pickOne(writer, writer.siteSpaces)
  if (siteSpace === undefined) return undefined
  const { site, id } = siteSpace
  const path = uniqueName(writer).toLowerCase()
  return {
    ...byRow(writer, "updateSiteSpaceById", { siteId: site, siteSpaceId: id }, { path }),
    facts: [itemFact(siteSpacesOf(writer, site), id, "path", path)]
  }
}

const moveSiteSpace: WriteKind = (writer) => {
  const siteSpace = pickOne(writer, writer.siteSpaces)
  if (siteSpace === undefined) return undefined
  const { site, id } = siteSpace
  return {
    ...byRow(writer, "moveSiteSpace", { siteId: site, siteSpaceId: id }),
    facts: [isListed(siteSpacesOf(writer, site), id)]
  }
}

const deleteSiteSpace: WriteKind = (writer) => {
  const siteSpace = pickOne(writer, writer.siteSpaces)
  if (siteSpace === undefined) return undefined
  const { site, id } = siteSpace
  removeWhere(writer.siteSpaces, (other) => other === siteSpace)
  return {
    ...byRow(writer, "deleteSiteSpaceById", { siteId: site, siteSpaceId: id }),
    facts: [isUnlisted(siteSpacesOf(writer, site), id)]
  }
}

const addSection: WriteKind = (writer) => {
  const [site, space] = [pickOne(writer, writer.sites), pickOne(writer, writer.spaces)]
  if (site === undefined || space === undefined) return undefined
  return {
    ...byRow(writer, "addSectionToSite", { siteId: site, spaceId: space }),
    done: ({ id }: Created) => {
      writer.sections.push({ site, id })
      return [isListed(sectionsOf(writer, site), id)]
    }
  }
}

const renameSection: WriteKind = (writer) => {
  const section = pickOne(writer, writer.sections)
  if (section === undefined) return undefined
  const { site, id } = section
  const title = uniqueName(writer)
  return {
    ...byRow(writer, "updateSiteSectionById", { siteId: site, siteSectionId: id }, { title }),
    facts: [itemFact(sectionsOf(writer, site), id, "title", title)]
  }
}

const moveSection: WriteKind = (writer) => {
  const section = pickOne(writer, writer.sections)
  if (section === undefined) return undefined
  const { site, id } = section
  return {
    ...byRow(writer, "moveSiteSection", { siteId: site, siteSectionId: id }),
    facts: [isListed(sectionsOf(writer, site), id)]
  }
}

/** Deletes a section with its site-spaces. The writer does not record which these are. */
const deleteSection: WriteKind = (writer) => {
  const section = writer.sections.length < 3 ? undefined : pickOne(writer, writer.sections)
  if (section === undefined) return undefined
  const { site, id } = section
  removeWhere(writer.sections, (other) => other === section)
  return {
    ...byRow(writer, "deleteSiteSectionById", { siteId: site, siteSectionId: id }),
    makesUncertain: [siteSpacesOf(writer, site)],
    facts: [isUnlisted(sectionsOf(writer, site), id)]
  }
}

const addSectionGroup: WriteKind = (writer) => {
  const site = pickOne(writer, writer.sites)
  if (site === undefined) return undefined
  const title = uniqueName(writer)
  return {
    ...byRow(writer, "addSectionGroupToSite", { siteId: site }, { title }),
    done: ({ id }: Created) => {
      writer.sectionGroups.push({ site, id })
      return [itemFact(groupsOf(writer, site), id, "title", title)]
    }
  }
}

const renameSectionGroup: WriteKind = (writer) => {
  const group = pickOne(writer, writer.sectionGroups)
  if (group === undefined) return undefined
  const { site, id } = group
  const title = uniqueName(writer)
  return {
    ...byRow(writer, "updateSiteSectionGroupById", { siteId: site, siteSectionGroupId: id }, { title }),
    facts: [itemFact(groupsOf(writer, site), id, "title", title)]
  }
}

const moveSectionGroup: WriteKind = (writer) => {
  const group = pickOne(writer, writer.sectionGroups)
  if (group === undefined) return undefined
  const { site, id } = group
  return {
    ...byRow(writer, "moveSiteSectionGroup", { siteId: site, siteSectionGroupId: id }),
    facts: [isListed(groupsOf(writer, site), id)]
  }
}

const deleteSectionGroup: WriteKind = (writer) => {
  const group = writer.sectionGroups.length < 3 ? undefined : pickOne(writer, writer.sectionGroups)
  if (group === undefined) return undefined
  const { site, id } = group
  removeWhere(writer.sectionGroups, (other) => other === group)
  return {
    ...byRow(writer, "deleteSiteSectionGroupById", { siteId: site, siteSectionGroupId: id }),
    // Its sections move to the top level.
    makesUncertain: writer.sections
      .filter((section) => section.group === id)
      .map((section) => itemSubject(sectionsOf(writer, site), section.id)),
    facts: [isUnlisted(groupsOf(writer, site), id)]
  }
}

const addSectionToGroup: WriteKind = (writer) => {
  const group = pickOne(
    writer,
    writer.sectionGroups.filter(({ site }) => writer.sections.some((section) => section.site === site))
  )
  if (group === undefined) return undefined
  const { site } = group
  const section = pickOne(
    writer,
    writer.sections.filter((other) => other.site === site)
  )!
  const { id } = section
  section.group = group.id
  return {
    ...byRow(writer, "addSectionToGroup", { siteId: site, siteSectionGroupId: group.id, siteSectionId: id }),
    facts: [itemFact(sectionsOf(writer, site), id, "sectionGroup", group.id)]
  }
}

const removeSectionFromGroup: WriteKind = (writer) => {
  const section = pickOne(
    writer,
    writer.sections.filter(({ group }) => group !== undefined)
  )
  if (section?.group === undefined) return undefined
  const { site, id, group } = section
  return {
    ...byRow(writer, "removeSectionFromGroup", {
      siteId: site,
      siteSectionGroupId: group,
      siteSectionId: id
    }),
    facts: [itemFact(sectionsOf(writer, site), id, "sectionGroup", undefined)]
  }
}

/** Adds a link to a site with a section. */
const addExternalLink: WriteKind = (writer) => {
  const section = pickOne(writer, writer.sections)
  if (section === undefined) return undefined
  const { site } = section
  return {
    ...byRow(writer, "addExternalLinkToSite", { siteId: site }, { title: uniqueName(writer), url }),
    facts: [exists(`${sitePath(writer, site)}/structure`)],
    done: ({ id }: Created) => {
      writer.externalLinks.push({ site, id })
      return []
    }
  }
}

const updateExternalLink: WriteKind = (writer) => {
  const link = pickOne(writer, writer.externalLinks)
  if (link === undefined) return undefined
  const { site, id } = link
  const parent =
    pickOne(
      writer,
      writer.sectionGroups.filter((group) => group.site === site)
    )?.id ?? null
  return {
    ...byRow(
      writer,
      "updateSiteExternalLinkById",
      { siteId: site, siteExternalLinkId: id },
      { title: uniqueName(writer), parent }
    ),
    facts: [exists(`${sitePath(writer, site)}/structure`)]
  }
}

const deleteExternalLink: WriteKind = (writer) => {
  const link = pickOne(writer, writer.externalLinks)
  if (link === undefined) return undefined
  const { site, id } = link
  removeWhere(writer.externalLinks, (other) => other === link)
  return {
    ...byRow(writer, "deleteSiteExternalLinkById", { siteId: site, siteExternalLinkId: id }),
    facts: [exists(`${sitePath(writer, site)}/structure`)]
  }
}

const overrideCustomization: WriteKind = (writer) => {
  const siteSpace = pickOne(writer, writer.siteSpaces)
  if (siteSpace === undefined) return undefined
  const { site, id } = siteSpace
  return {
    ...byRow(
      writer,
      "overrideSiteSpaceCustomizationById",
      { siteId: site, siteSpaceId: id },
      { title: uniqueName(writer) }
    ),
    facts: [isListed(siteSpacesOf(writer, site), id)]
  }
}

const deleteCustomization: WriteKind = (writer) => {
  const siteSpace = pickOne(writer, writer.siteSpaces)
  if (siteSpace === undefined) return undefined
  const { site, id } = siteSpace
  return {
    ...byRow(writer, "deleteSiteSpaceCustomizationById", { siteId: site, siteSpaceId: id }),
    facts: [isListed(siteSpacesOf(writer, site), id)]
  }
}

/** The kinds of these writes, by operation. */
export const siteStructureWrites = {
  addSpaceToSite: [addSiteSpace],
  updateSiteSpaceById: [updateSiteSpace],
  moveSiteSpace: [moveSiteSpace],
  deleteSiteSpaceById: [deleteSiteSpace],
  overrideSiteSpaceCustomizationById: [overrideCustomization],
  deleteSiteSpaceCustomizationById: [deleteCustomization],
  addSectionToSite: [addSection],
  updateSiteSectionById: [renameSection],
  moveSiteSection: [moveSection],
  deleteSiteSectionById: [deleteSection],
  addExternalLinkToSite: [addExternalLink],
  updateSiteExternalLinkById: [updateExternalLink],
  deleteSiteExternalLinkById: [deleteExternalLink],
  addSectionGroupToSite: [addSectionGroup],
  updateSiteSectionGroupById: [renameSectionGroup],
  moveSiteSectionGroup: [moveSectionGroup],
  deleteSiteSectionGroupById: [deleteSectionGroup],
  addSectionToGroup: [addSectionToGroup],
  removeSectionFromGroup: [removeSectionFromGroup]
} satisfies WriteKinds
