/** A site is created, restricted, published and deleted. */
import type { AdaptiveSchema, Page, PublishedSite, ShareLink, Site, Space } from "@lectern/core"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import { idsOf } from "./helpers.ts"

const description = "The plan of the visitor"

/** A schema with a claim of each type. */
const jsonSchema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  $id: "https://example.com/visitor",
  type: "object",
  properties: {
    unsigned: {
      type: "object",
      description: "Unsigned claims of the site visitor.",
      properties: { beta: { type: "boolean", description: "Whether the visitor has joined the beta" } },
      additionalProperties: false
    },
    plan: { type: "string", description, enum: ["free", "pro"] },
    seats: { type: "number", description },
    groups: { type: "array", description, items: { type: "string", description, enum: ["staff", "guests"] } },
    flags: { type: "array", description, items: { type: "boolean", description } },
    years: { type: "array", description, items: { type: "number", description } },
    insider: { type: "boolean", description }
  },
  additionalProperties: false
} as const

export const sites: ContractScenario = {
  title: "A site is created, restricted, published and deleted",
  run: async ({ ada, rita, acme, tag }) => {
    const at = { organizationId: acme.id }
    const spaces: Array<string> = []
    for (const title of ["Guide", "Reference"]) {
      spaces.push((await ada.call<Space>("createSpace", at, { body: { title } })).id)
    }
    const title = `Docs ${tag}`
    const created = await ada.call<Site>("createSite", at, {
      body: { type: "premium", title, visibility: "unlisted", spaces }
    })
    expect(created).toMatchObject({
      type: "premium",
      title,
      visibility: "unlisted",
      published: false,
      siteSpaces: 2
    })
    const fresh = await ada.call<Site>("createSite", at, { body: { title: `Fresh ${tag}`, spaces: "new" } })
    expect(fresh.siteSpaces).toBe(1)
    const list = async (query: { readonly [name: string]: boolean | string } = {}) =>
      idsOf(await rita.call<Page<Site>>("listSites", at, { query }))
    expect(await list()).toEqual(expect.arrayContaining([created.id, fresh.id]))
    expect(await list({ space: spaces[0]! })).toEqual([created.id])
    expect(await list({ title: tag.toUpperCase() })).toEqual([fresh.id, created.id])
    expect(await list({ published: true, title: tag })).toEqual([])

    // All fields are updated: the audience, the address and the default space, among others.
    const site = { ...at, siteId: created.id }
    const reference = await ada.call<Page<{ id: string; space: Space }>>("listSiteSpaces", site)
    const second = reference.items.find(({ space }) => space.id === spaces[1])!
    const changes = {
      title: `Documentation ${tag}`,
      visibility: "share-link",
      basename: `docs-${tag}`,
      adaptiveContent: { enabled: true },
      agentsContext: "excluded",
      defaultSiteSpace: second.id,
      proxy: "company.com/docs"
    }
    const { defaultSiteSpace, proxy, ...sent } = changes
    const changed = await ada.call<Site>("updateSiteById", site, { body: changes })
    expect(changed).toMatchObject({ ...sent, proxy: { origin: expect.stringContaining("company.com/docs") } })
    const { permissions: _, ...shared } = changed
    expect(await rita.call<Site>("getSiteById", site)).toMatchObject(shared)
    const first = await ada.call<Page<{ id: string }>>("listSiteSpaces", site, { query: { default: true } })
    expect(idsOf(first)).toEqual([second.id])
    expect((await ada.call<Site>("updateSiteById", site, { body: { proxy: null } })).proxy).toBeUndefined()

    // The schema of the claims of visitors is set.
    const schema = await ada.call<AdaptiveSchema>("updateSiteAdaptiveSchema", site, { body: { jsonSchema } })
    expect(schema.jsonSchema).toEqual(jsonSchema)
    expect(await ada.call<AdaptiveSchema>("getSiteAdaptiveSchema", site)).toEqual(schema)

    // A share link is deactivated and deleted.
    const link = await ada.call<ShareLink>("createSiteShareLink", site, { body: { name: "Partners" } })
    const spare = await ada.call<ShareLink>("createSiteShareLink", site, { body: { name: "Spare" } })
    expect(idsOf(await ada.call<Page<ShareLink>>("listSiteShareLinks", site)).toSorted()).toEqual(
      [link.id, spare.id].toSorted()
    )
    const inactive = await ada.call<ShareLink>(
      "updateSiteShareLinkById",
      { ...site, shareLinkId: spare.id },
      {
        body: { active: false, name: "Inactive" }
      }
    )
    expect(inactive).toMatchObject({ active: false, name: "Inactive" })
    await ada.call("deleteSiteShareLinkById", { ...site, shareLinkId: spare.id })
    expect(idsOf(await ada.call<Page<ShareLink>>("listSiteShareLinks", site))).toEqual([link.id])

    // The published site is visible only with the key of an active share link.
    await ada.expectError(404, "getPublishedContentSite", site)
    const published = await ada.call<Site>("publishSite", site)
    expect(published).toMatchObject({ published: true, urls: { published: expect.any(String) } })
    expect(await list({ published: true, title: tag })).toEqual([created.id])
    const { items } = await ada.call<Page<ShareLink>>("listSiteShareLinks", site)
    const shareKey = items[0]!.urls.published!.split("/").at(-2)!
    const visible = await rita.call<PublishedSite>("getPublishedContentSite", site, { query: { shareKey } })
    expect(visible).toMatchObject({ site: { id: created.id }, structure: { type: expect.any(String) } })
    await ada.call("updateSiteShareLinkById", { ...site, shareLinkId: link.id }, { body: { active: false } })
    await ada.expectError(404, "getPublishedContentSite", site, { query: { shareKey } })

    // A public site ignores invalid visitor tokens.
    await ada.call("updateSiteById", site, { body: { visibility: "public" } })
    await rita.call("getPublishedContentSite", site, { query: { visitorAuthToken: "no.token.here" } })
    await ada.call("deleteSiteById", site)
    await ada.expectError(404, "getSiteById", site)
  }
}
