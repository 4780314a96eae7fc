/** Links to other websites in the structure of a site: among its sections, and in a group. */
import type { SiteExternalLink, SiteStructure } from "@lectern/model"
import { expect } from "vitest"
import type { ScenarioContext } from "../ScenarioContext.ts"
import { idsOf } from "./helpers.ts"

/** A site with a section at the top level, and a group. */
interface LinkedSite {
  readonly site: { readonly organizationId: string; readonly siteId: string }
  readonly first: { readonly id: string }
  readonly group: { readonly id: string }
}

/** Verifies the operations on links, and removes the links again. */
export const checkExternalLinks = async (
  { ada, rita }: ScenarioContext,
  { site, first, group }: LinkedSite
): Promise<void> => {
  const fields = {
    title: "Status",
    url: "https://status.example.com/",
    description: "Whether all works",
    icon: "signal",
    draft: false,
    condition: "visitor.claims.beta"
  }
  const link = await ada.call<SiteExternalLink>("addExternalLinkToSite", site, { body: fields })
  expect(link).toMatchObject({ object: "site-external-link", ...fields })
  expect(link.sectionGroup).toBeUndefined()
  const structure = () => rita.call<SiteStructure>("getSiteStructure", site)
  const topLevel = async (): Promise<ReadonlyArray<string>> =>
    (await structure()).structure.map(({ id }) => id)
  expect((await topLevel()).at(-1)).toBe(link.id)
  const pointer = { type: "site-external-link", id: link.id }
  await ada.call("sortSiteStructure", site, {
    body: { item: pointer, position: { before: { type: "site-section", id: first.id } } }
  })
  const sorted = await topLevel()
  expect(sorted.indexOf(first.id)).toBe(sorted.indexOf(link.id) + 1)

  const one = { ...site, siteExternalLinkId: link.id }
  const changed = await ada.call<SiteExternalLink>("updateSiteExternalLinkById", one, {
    body: { ...fields, title: "Health", url: "https://health.example.com/", draft: true, parent: group.id }
  })
  expect(changed).toMatchObject({ title: "Health", draft: true, sectionGroup: group.id })
  const inGroup = (await structure()).structure.flatMap((item) =>
    item.object === "site-section-group" && item.id === group.id ? item.children : []
  )
  expect(inGroup.map(({ id }) => id)).toContain(link.id)
  const cleared = await ada.call<SiteExternalLink>("updateSiteExternalLinkById", one, {
    body: { parent: null, description: null, icon: null, condition: null }
  })
  expect(Object.keys(cleared)).not.toEqual(expect.arrayContaining(["description"]))
  expect((await topLevel()).at(-1)).toBe(link.id)
  const second = await ada.call<SiteExternalLink>("addExternalLinkToSite", site, {
    body: { ...fields, parent: group.id }
  })
  expect(second.sectionGroup).toBe(group.id)
  for (const body of [
    { ...fields, parent: "missing" },
    { ...fields, url: "javascript:alert(1)" },
    { ...fields, condition: "visitor.claims.unknown" }
  ]) {
    await ada.expectError(400, "addExternalLinkToSite", site, { body })
  }
  await rita.expectError(403, "addExternalLinkToSite", site, { body: fields })
  for (const { id } of [link, second]) {
    await ada.call("deleteSiteExternalLinkById", { ...site, siteExternalLinkId: id })
    await ada.expectError(404, "deleteSiteExternalLinkById", { ...site, siteExternalLinkId: id })
  }
  expect(idsOf({ items: (await structure()).structure })).not.toContain(link.id)
}
