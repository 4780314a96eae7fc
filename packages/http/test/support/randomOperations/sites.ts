/** Random operations on sites. */
import { SiteSectionGroups, SiteSections, SiteSpaces, Sites } from "@lectern/core"
import { index, oneIn, operation, type Row, rowAt } from "./choices.ts"

/** The row of a site at an index modulo their number. */
const rowOfSite = (name: string, site: Row, chosen: number) =>
  rowAt(name, chosen, (row) => row.site === site.id)

/** The parameters that identify a site. */
const idsOf = (site: Row) => ({ organization: site.organization as string, site: site.id })

export const createSite = operation({ space: index }, function* (choices) {
  const space = yield* rowAt("spaces", choices.space)
  yield* (yield* Sites).create({
    organization: space.organization as string,
    input: { title: "Site", spaces: [space.id] as never }
  })
})

/** Deletes in one of four cases only, so that sites grow. */
export const deleteSite = operation(
  { site: index, isPerformed: oneIn(4) },
  function* ({ site, isPerformed }) {
    if (isPerformed) yield* (yield* Sites).remove(idsOf(yield* rowAt("sites", site)))
  }
)

export const publishSite = operation({ site: index }, function* ({ site }) {
  yield* (yield* Sites).publish(idsOf(yield* rowAt("sites", site)))
})

export const unpublishSite = operation({ site: index }, function* ({ site }) {
  yield* (yield* Sites).unpublish(idsOf(yield* rowAt("sites", site)))
})

export const updateSite = operation(
  { site: index, isUnlisted: oneIn(2), hasFreeBasename: oneIn(3) },
  function* ({ site, isUnlisted, hasFreeBasename }) {
    yield* (yield* Sites).update({
      ...idsOf(yield* rowAt("sites", site)),
      input: {
        visibility: isUnlisted ? "unlisted" : "public",
        basename: hasFreeBasename ? "docs" : "site"
      }
    } as never)
  }
)

export const addSection = operation({ site: index, space: index }, function* ({ site, space }) {
  yield* (yield* SiteSections).add({
    ...idsOf(yield* rowAt("sites", site)),
    input: { spaceId: (yield* rowAt("spaces", space)).id, title: "Section" }
  })
})

export const removeSection = operation({ site: index, section: index }, function* (choices) {
  const site = yield* rowAt("sites", choices.site)
  const { id } = yield* rowOfSite("siteSections", site, choices.section)
  yield* (yield* SiteSections).remove({ ...idsOf(site), section: id })
})

export const moveSection = operation(
  { site: index, section: index, neighbor: index, isBefore: oneIn(2) },
  function* (choices) {
    const site = yield* rowAt("sites", choices.site)
    const { id } = yield* rowOfSite("siteSections", site, choices.section)
    const neighbor = yield* rowOfSite("siteSections", site, choices.neighbor)
    const place = { type: "site-section", siteSection: neighbor.id }
    const position = choices.isBefore ? { before: place } : { after: place }
    yield* (yield* SiteSections).move({ ...idsOf(site), section: id, input: { position } } as never)
  }
)

export const addGroup = operation({ site: index, section: index, isEmpty: oneIn(2) }, function* (choices) {
  const site = yield* rowAt("sites", choices.site)
  const section = yield* rowOfSite("siteSections", site, choices.section)
  const sections = choices.isEmpty ? [] : [section.id]
  yield* (yield* SiteSectionGroups).add({ ...idsOf(site), input: { title: "Group", sections } } as never)
})

export const addSectionToGroup = operation(
  { site: index, group: index, section: index },
  function* (choices) {
    const site = yield* rowAt("sites", choices.site)
    const group = yield* rowOfSite("siteSectionGroups", site, choices.group)
    const section = yield* rowOfSite("siteSections", site, choices.section)
    yield* (yield* SiteSectionGroups).addSection({
      ...idsOf(site),
      sectionGroup: group.id,
      input: { sectionId: section.id }
    } as never)
  }
)

export const removeSectionFromGroup = operation(
  { site: index, group: index, section: index },
  function* (choices) {
    const site = yield* rowAt("sites", choices.site)
    const group = yield* rowOfSite("siteSectionGroups", site, choices.group)
    const section = yield* rowOfSite("siteSections", site, choices.section)
    yield* (yield* SiteSectionGroups).removeSection({
      ...idsOf(site),
      sectionGroup: group.id,
      section: section.id
    })
  }
)

export const removeGroup = operation({ site: index, group: index }, function* (choices) {
  const site = yield* rowAt("sites", choices.site)
  const { id } = yield* rowOfSite("siteSectionGroups", site, choices.group)
  yield* (yield* SiteSectionGroups).remove({ ...idsOf(site), sectionGroup: id })
})

export const addSiteSpace = operation(
  { site: index, space: index, section: index, isInNoSection: oneIn(2) },
  function* (choices) {
    const site = yield* rowAt("sites", choices.site)
    const section = yield* rowOfSite("siteSections", site, choices.section)
    yield* (yield* SiteSpaces).add({
      ...idsOf(site),
      input: {
        spaceId: (yield* rowAt("spaces", choices.space)).id,
        ...(choices.isInNoSection ? {} : { sectionId: section.id })
      }
    } as never)
  }
)

export const removeSiteSpace = operation({ site: index, siteSpace: index }, function* (choices) {
  const site = yield* rowAt("sites", choices.site)
  const { id } = yield* rowOfSite("siteSpaces", site, choices.siteSpace)
  yield* (yield* SiteSpaces).remove({ ...idsOf(site), siteSpace: id })
})
