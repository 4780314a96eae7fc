/** Sections, section groups and spaces of a site are added, updated, moved and removed. */
import type { Page, Site, SiteSection, SiteSectionGroup, SiteSpace, Space } from "@lectern/core"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import { idsOf, titlesOf } from "./helpers.ts"

export const siteStructure: ContractScenario = {
  title: "Sections, section groups and spaces of a site are added, moved and removed",
  run: async ({ ada, rita, acme }) => {
    const at = { organizationId: acme.id }
    const createSpace = async (title: string) =>
      (await ada.call<Space>("createSpace", at, { body: { title } })).id
    const [guide, api, team, extra] = [
      await createSpace("Guide"),
      await createSpace("API"),
      await createSpace("Team"),
      await createSpace("Extra")
    ]
    const created = await ada.call<Site>("createSite", at, { body: { title: "Docs", spaces: [guide] } })
    const site = { ...at, siteId: created.id }
    await ada.call("updateSiteAdaptiveSchema", site, {
      body: {
        jsonSchema: {
          type: "object",
          properties: { insider: { type: "boolean", description: "Whether the visitor is an employee" } },
          additionalProperties: false
        }
      }
    })

    // The first section of a site moves the existing spaces into a section of their own.
    const addSection = (spaceId: string, title: string) =>
      ada.call<SiteSection>("addSectionToSite", site, { body: { spaceId, title, icon: "book" } })
    const reference = await addSection(api, "Reference")
    const staff = await addSection(team, "Staff")
    const listSections = async () => await rita.call<Page<SiteSection>>("listSiteSections", site)
    expect(titlesOf(await listSections())).toEqual(["Docs", "Reference", "Staff"])
    // A public site ignores the keys and tokens of visitors.
    await ada.call("publishSite", site)
    const asVisitor = { shareKey: "any", visitorAuthToken: "any" }
    expect((await rita.call<Page<SiteSection>>("listSiteSections", site, { query: asVisitor })).count).toBe(3)
    const [root] = (await listSections()).items

    // A space is added to a section, moved within it, and gets a path and a condition.
    const added = await ada.call<SiteSpace>("addSpaceToSite", site, {
      body: { spaceId: extra, sectionId: reference.id }
    })
    const list = (query: { readonly [name: string]: boolean | string } = {}) =>
      rita.call<Page<SiteSpace>>("listSiteSpaces", site, { query })
    expect((await list(asVisitor)).count).toBe(4)
    expect((await list({ default: true })).count).toBe(1)
    expect(idsOf(await list({ default: false }))).toContain(added.id)
    const inReference = async () => (await list()).items.filter((one) => one.section === reference.id)
    const [first] = await inReference()
    const siteSpace = { ...site, siteSpaceId: added.id }
    const move = (position: "after" | "before") =>
      ada.call<SiteSpace>("moveSiteSpace", siteSpace, {
        body: { position: { [position]: { type: "site-space", siteSpace: first!.id } } }
      })
    await move("before")
    expect((await inReference()).map(({ id }) => id)).toEqual([added.id, first!.id])
    await move("after")
    expect((await inReference()).map(({ id }) => id)).toEqual([first!.id, added.id])
    const changed = await ada.call<SiteSpace>("updateSiteSpaceById", siteSpace, {
      body: { path: "variant", condition: "visitor.claims.insider" }
    })
    expect(changed).toMatchObject({ path: "variant", condition: "visitor.claims.insider" })
    const unconditional = await ada.call<SiteSpace>("updateSiteSpaceById", siteSpace, {
      body: { condition: null }
    })
    expect(unconditional.condition).toBeUndefined()
    await ada.expectError(400, "updateSiteSpaceById", siteSpace, {
      body: { condition: "visitor.claims.nothing" }
    })

    // A section is updated, gets a condition, and is moved.
    const inSection = { ...site, siteSectionId: reference.id }
    const fields = {
      title: "The reference",
      path: "reference",
      condition: "visitor.claims.insider",
      icon: "gear",
      description: "All of it"
    }
    const renamed = await ada.call<SiteSection>("updateSiteSectionById", inSection, {
      body: { ...fields, defaultSiteSpace: added.id }
    })
    expect(renamed).toMatchObject(fields)
    expect(renamed.siteSpaces.find(({ id }) => id === added.id)?.default).toBe(true)
    const cleared = await ada.call<SiteSection>("updateSiteSectionById", inSection, {
      body: { condition: null, icon: null, description: null }
    })
    expect([cleared.condition, cleared.icon, cleared.description]).toEqual([undefined, undefined, undefined])
    const moveSection = (position: "after" | "before", siteSection: string) =>
      ada.call<SiteSection>("moveSiteSection", inSection, {
        body: { position: { [position]: { type: "site-section", siteSection } } }
      })
    await moveSection("after", staff.id)
    expect(idsOf(await listSections())).toEqual([root!.id, staff.id, reference.id])
    await moveSection("before", root!.id)
    expect(idsOf(await listSections())).toEqual([reference.id, root!.id, staff.id])
    await ada.call("updateSiteById", site, { body: { defaultSiteSection: staff.id } })
    const defaultSection = (await listSections()).items.find((one) => one.default)
    expect(defaultSection?.id).toBe(staff.id)

    // Section groups and sections of the top level share one order.
    const group = await ada.call<SiteSectionGroup>("addSectionGroupToSite", site, {
      body: { title: "For developers", icon: "code", sections: [reference.id] }
    })
    expect(group.sections.map(({ id }) => id)).toEqual([reference.id])
    const second = await ada.call<SiteSectionGroup>("addSectionGroupToSite", site, {
      body: { title: "Others" }
    })
    const listGroups = async () => await rita.call<Page<SiteSectionGroup>>("listSiteSectionGroups", site)
    expect(idsOf(await listGroups())).toEqual([group.id, second.id])
    const inGroup = { ...site, siteSectionGroupId: group.id }
    const updated = await ada.call<SiteSectionGroup>("updateSiteSectionGroupById", inGroup, {
      body: { title: "Developers", icon: "terminal" }
    })
    expect(updated).toMatchObject({ title: "Developers", icon: "terminal" })
    expect(
      (await ada.call<SiteSectionGroup>("updateSiteSectionGroupById", inGroup, { body: { icon: null } })).icon
    ).toBe(undefined)
    const extended = await ada.call<SiteSectionGroup>("addSectionToGroup", inGroup, {
      body: { sectionId: staff.id }
    })
    expect(extended.sections.map(({ id }) => id)).toEqual([reference.id, staff.id])
    await ada.call("removeSectionFromGroup", { ...inGroup, siteSectionId: reference.id })
    const moveGroup = (position: "after" | "before", type: string, id: string) =>
      ada.call("moveSiteSectionGroup", inGroup, { body: { position: { [position]: { type, id } } } })
    await moveGroup("after", "site-section-group", second.id)
    expect(idsOf(await listGroups())).toEqual([second.id, group.id])
    await moveGroup("before", "site-section-group", second.id)
    await moveGroup("before", "site-section", root!.id)
    expect(idsOf(await listGroups())).toEqual([group.id, second.id])

    // Groups, spaces and sections are removed.
    await ada.call("deleteSiteSectionGroupById", inGroup)
    expect(idsOf(await listGroups())).toEqual([second.id])
    await ada.call("deleteSiteSpaceById", siteSpace)
    expect(await inReference()).toHaveLength(1)
    await ada.call("deleteSiteSectionById", inSection)
    expect(idsOf(await listSections())).not.toContain(reference.id)
  }
}
