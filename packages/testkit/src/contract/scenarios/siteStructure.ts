/** A site is put together: sections, groups of them, and the spaces in each. */
import type { Page, Site, SiteSection, SiteSectionGroup, SiteSpace, Space } from "@lectern/core"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import { idsOf, titlesOf } from "./reading.ts"

export const siteStructure: ContractScenario = {
  title: "A site is put together of sections, groups and spaces",
  run: async ({ ada, rita, acme }) => {
    const at = { organizationId: acme.id }
    const make = async (title: string) => (await ada.call<Space>("createSpace", at, { body: { title } })).id
    const [guide, api, team, extra] = [
      await make("Guide"),
      await make("API"),
      await make("Team"),
      await make("Extra")
    ]
    const made = await ada.call<Site>("createSite", at, { body: { title: "Docs", spaces: [guide] } })
    const site = { ...at, siteId: made.id }
    await ada.call("updateSiteAdaptiveSchema", site, {
      body: {
        jsonSchema: {
          type: "object",
          properties: { insider: { type: "boolean", description: "Whether they work here" } },
          additionalProperties: false
        }
      }
    })

    // The first section wraps what is there.
    const section = (spaceId: string, title: string) =>
      ada.call<SiteSection>("addSectionToSite", site, { body: { spaceId, title, icon: "book" } })
    const reference = await section(api, "Reference")
    const staff = await section(team, "Staff")
    const sections = async () => await rita.call<Page<SiteSection>>("listSiteSections", site)
    expect(titlesOf(await sections())).toEqual(["Docs", "Reference", "Staff"])
    // Visitors of a published site may show a key or a token, which changes nothing where all may come.
    await ada.call("publishSite", site)
    const asVisitor = { shareKey: "any", visitorAuthToken: "any" }
    expect((await rita.call<Page<SiteSection>>("listSiteSections", site, { query: asVisitor })).count).toBe(3)
    const [root] = (await sections()).items

    // Spaces in sections: two in one, in an order, each with a path and perhaps a condition.
    const variant = await ada.call<SiteSpace>("addSpaceToSite", site, {
      body: { spaceId: extra, sectionId: reference.id }
    })
    const list = (query: { readonly [name: string]: boolean | string } = {}) =>
      rita.call<Page<SiteSpace>>("listSiteSpaces", site, { query })
    expect((await list(asVisitor)).count).toBe(4)
    expect((await list({ default: true })).count).toBe(1)
    expect(idsOf(await list({ default: false }))).toContain(variant.id)
    const inReference = async () => (await list()).items.filter((one) => one.section === reference.id)
    const [first] = await inReference()
    const siteSpace = { ...site, siteSpaceId: variant.id }
    const move = (position: "after" | "before") =>
      ada.call<SiteSpace>("moveSiteSpace", siteSpace, {
        body: { position: { [position]: { type: "site-space", siteSpace: first!.id } } }
      })
    await move("before")
    expect((await inReference()).map(({ id }) => id)).toEqual([variant.id, first!.id])
    await move("after")
    expect((await inReference()).map(({ id }) => id)).toEqual([first!.id, variant.id])
    const changed = await ada.call<SiteSpace>("updateSiteSpaceById", siteSpace, {
      body: { path: "variant", condition: "visitor.claims.insider" }
    })
    expect(changed).toMatchObject({ path: "variant", condition: "visitor.claims.insider" })
    const free = await ada.call<SiteSpace>("updateSiteSpaceById", siteSpace, { body: { condition: null } })
    expect(free.condition).toBeUndefined()
    await ada.refused(400, "updateSiteSpaceById", siteSpace, {
      body: { condition: "visitor.claims.nothing" }
    })

    // A section is renamed, shown to some, and moved.
    const inSection = { ...site, siteSectionId: reference.id }
    const named = {
      title: "The reference",
      path: "reference",
      condition: "visitor.claims.insider",
      icon: "gear",
      description: "All of it"
    }
    const renamed = await ada.call<SiteSection>("updateSiteSectionById", inSection, {
      body: { ...named, defaultSiteSpace: variant.id }
    })
    expect(renamed).toMatchObject(named)
    expect(renamed.siteSpaces.find(({ id }) => id === variant.id)?.default).toBe(true)
    const bare = await ada.call<SiteSection>("updateSiteSectionById", inSection, {
      body: { condition: null, icon: null, description: null }
    })
    expect([bare.condition, bare.icon, bare.description]).toEqual([undefined, undefined, undefined])
    const moveSection = (position: "after" | "before", siteSection: string) =>
      ada.call<SiteSection>("moveSiteSection", inSection, {
        body: { position: { [position]: { type: "site-section", siteSection } } }
      })
    await moveSection("after", staff.id)
    expect(idsOf(await sections())).toEqual([root!.id, staff.id, reference.id])
    await moveSection("before", root!.id)
    expect(idsOf(await sections())).toEqual([reference.id, root!.id, staff.id])
    await ada.call("updateSiteById", site, { body: { defaultSiteSection: staff.id } })
    const main = (await sections()).items.find((one) => one.default)
    expect(main?.id).toBe(staff.id)

    // Groups of sections stand among the sections.
    const group = await ada.call<SiteSectionGroup>("addSectionGroupToSite", site, {
      body: { title: "For developers", icon: "code", sections: [reference.id] }
    })
    expect(group.sections.map(({ id }) => id)).toEqual([reference.id])
    const second = await ada.call<SiteSectionGroup>("addSectionGroupToSite", site, {
      body: { title: "Others" }
    })
    const groups = async () => await rita.call<Page<SiteSectionGroup>>("listSiteSectionGroups", site)
    expect(idsOf(await groups())).toEqual([group.id, second.id])
    const inGroup = { ...site, siteSectionGroupId: group.id }
    const called = await ada.call<SiteSectionGroup>("updateSiteSectionGroupById", inGroup, {
      body: { title: "Developers", icon: "terminal" }
    })
    expect(called).toMatchObject({ title: "Developers", icon: "terminal" })
    expect(
      (await ada.call<SiteSectionGroup>("updateSiteSectionGroupById", inGroup, { body: { icon: null } })).icon
    ).toBe(undefined)
    const grown = await ada.call<SiteSectionGroup>("addSectionToGroup", inGroup, {
      body: { sectionId: staff.id }
    })
    expect(grown.sections.map(({ id }) => id)).toEqual([reference.id, staff.id])
    await ada.call("removeSectionFromGroup", { ...inGroup, siteSectionId: reference.id })
    const moveGroup = (position: "after" | "before", type: string, id: string) =>
      ada.call("moveSiteSectionGroup", inGroup, { body: { position: { [position]: { type, id } } } })
    await moveGroup("after", "site-section-group", second.id)
    expect(idsOf(await groups())).toEqual([second.id, group.id])
    await moveGroup("before", "site-section-group", second.id)
    await moveGroup("before", "site-section", root!.id)
    expect(idsOf(await groups())).toEqual([group.id, second.id])

    // And taken apart again.
    await ada.call("deleteSiteSectionGroupById", inGroup)
    expect(idsOf(await groups())).toEqual([second.id])
    await ada.call("deleteSiteSpaceById", siteSpace)
    expect(await inReference()).toHaveLength(1)
    await ada.call("deleteSiteSectionById", inSection)
    expect(idsOf(await sections())).not.toContain(reference.id)
  }
}
