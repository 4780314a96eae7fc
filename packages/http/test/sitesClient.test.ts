/** Sites for different visitors, through the unmodified official client. */
import { GitBookAPI, SiteVisibility } from "@gitbook/api"
import type { PublishedSite, PublishingAuth, SiteSection } from "@lectern/core"
import { SignJWT } from "jose"
import { describe, expect, it } from "vitest"
import { ruleDatabases } from "./stores.ts"
import { callerOf } from "./support/sites.ts"
import { startServerOn } from "./support.ts"

const sign = (claims: Record<string, unknown>, key: string) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256" })
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(key))

const jsonSchema = {
  $schema: "http://json-schema.org/draft-07/schema#" as const,
  type: "object" as const,
  properties: {
    unsigned: {
      type: "object",
      description: "Unsigned claims of the site visitor.",
      properties: { beta: { type: "boolean", description: "Whether they try things" } },
      additionalProperties: false
    },
    plan: { type: "string", description: "What they pay for", enum: ["free", "pro"] },
    insider: { type: "boolean", description: "Whether they work here" }
  },
  additionalProperties: false as const
}

/** Starts a site of four spaces in three sections. One section has two spaces, and is in a group. */
const startSite = async (store: (typeof ruleDatabases)[number]) => {
  const server = await startServerOn(store)
  const admin = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", admin)
  const token = await server.tokenOf(admin)
  const client = new GitBookAPI({ endpoint: server.url, authToken: token })
  const call = callerOf(server, token)
  const createSpace = async (title: string) =>
    (await client.orgs.createSpace(organization, { title })).data.id
  const [guide, api, internal, secret] = [
    await createSpace("Guide"),
    await createSpace("API"),
    await createSpace("Internal"),
    await createSpace("Secret")
  ]
  const site = (await client.orgs.createSite(organization, { title: "Docs", spaces: [guide] })).data
  const reference = (
    await client.orgs.addSectionToSite(organization, site.id, { spaceId: api, title: "Reference" })
  ).data
  const staff = (
    await client.orgs.addSectionToSite(organization, site.id, { spaceId: internal, title: "Staff" })
  ).data
  await client.orgs.addSpaceToSite(organization, site.id, { spaceId: secret, sectionId: reference.id })
  const group = (
    await client.orgs.addSectionGroupToSite(organization, site.id, {
      title: "For developers",
      sections: [reference.id]
    })
  ).data
  const at = `/orgs/${organization}/sites/${site.id}`
  return {
    client,
    call,
    organization,
    site,
    at,
    api,
    secret,
    staff,
    group,
    update: (body: { readonly visibility: SiteVisibility }) =>
      client.orgs.updateSiteById(organization, site.id, body),
    published: (query: Record<string, string>) =>
      call<PublishedSite>("getPublishedContentSite", "GET", `${at}/published?${new URLSearchParams(query)}`)
  }
}

/** Also sets the visibility `share-link`, and creates a share link. */
const startSharedSite = async (store: (typeof ruleDatabases)[number]) => {
  const world = await startSite(store)
  const { client, organization, site, update } = world
  await update({ visibility: SiteVisibility.ShareLink })
  const link = (await client.orgs.createSiteShareLink(organization, site.id, { name: "Partners" })).data
  const shareKey = link.urls.published!.split("/").at(-2)!
  return { ...world, link, shareKey }
}

/** Also sets conditions of a section and a site-space, and requires visitor tokens. */
const startAdaptiveSite = async (store: (typeof ruleDatabases)[number]) => {
  const world = await startSite(store)
  const { client, call, organization, site, at, staff, secret, update, published } = world
  await call("updateSiteAdaptiveSchema", "PUT", `${at}/adaptive-schema`, { jsonSchema })
  await client.orgs.updateSiteSectionById(organization, site.id, staff.id, {
    condition: "visitor.claims.insider"
  })
  const variants = (await client.orgs.listSiteSpaces(organization, site.id)).data.items
  const hidden = variants.find(({ space }) => space.id === secret)!
  await client.orgs.updateSiteSpaceById(organization, site.id, hidden.id, {
    condition: "visitor.claims.plan == 'pro' || visitor.claims.unsigned.beta"
  })
  await client.orgs.publishSite(organization, site.id)
  await update({ visibility: SiteVisibility.VisitorAuth })
  const auth = (await call<PublishingAuth>("getSitePublishingAuthById", "GET", `${at}/publishing/auth`)).value
  /** The titles of the sections that a visitor with these claims sees, each with the titles of its spaces. */
  const outlineFor = async (claims: Record<string, unknown>) => {
    const visitorAuthToken = await sign(claims, auth.privateKey)
    const { value } = await published({ visitorAuthToken })
    const outline = (one: SiteSection) => [one.title, ...one.siteSpaces.map(({ title }) => title)]
    return (value.structure.structure as ReadonlyArray<SiteSection | { title: string; sections: [] }>).map(
      (one) => ("sections" in one ? { [one.title]: one.sections.map(outline) } : outline(one))
    )
  }
  return { ...world, outlineFor }
}

describe("the official client, unmodified", () => {
  for (const store of ruleDatabases) {
    it(`creates a public, unpublished site, on ${store.name}`, async () => {
      const { site } = await startSite(store)
      expect(site).toMatchObject({ published: false, visibility: "public", siteSpaces: 1 })
    })

    it(`groups and moves sections, and lists them in the order of the site, on ${store.name}`, async () => {
      const { client, organization, site, staff, group } = await startSite(store)
      expect(group.sections.map(({ title }) => title)).toEqual(["Reference"])
      await client.orgs.moveSiteSectionGroup(organization, site.id, group.id, {
        position: { before: { type: "site-section", id: staff.id } }
      })
      const sections = (await client.orgs.listSiteSections(organization, site.id)).data
      expect(sections.items.map(({ title, default: isDefault }) => [title, isDefault])).toEqual([
        ["Docs", true],
        ["Reference", false],
        ["Staff", false]
      ])
    })

    it(`cannot set a condition on a claim that the adaptive schema does not declare, on ${store.name}`, async () => {
      const { call, at, staff } = await startSite(store)
      await call("updateSiteAdaptiveSchema", "PUT", `${at}/adaptive-schema`, { jsonSchema })
      const unknown = await call<{ error: { details: unknown } }>("", "PATCH", `${at}/sections/${staff.id}`, {
        condition: "visitor.claims.team == 'x'"
      })
      expect([unknown.status, unknown.value.error.details]).toEqual([
        400,
        [
          {
            path: "condition",
            message:
              "names the claim visitor.claims.team, which the adaptive schema of the site does not declare"
          }
        ]
      ])
    })

    it(`gets a published site with a share key, but not without, on ${store.name}`, async () => {
      const { client, organization, site, link, shareKey, published } = await startSharedSite(store)
      expect((await published({ shareKey })).status).toBe(404)
      await client.orgs.publishSite(organization, site.id)
      const shared = await published({ shareKey })
      expect(shared.status).toBe(200)
      expect(shared.value.site.urls.published).toBe(link.urls.published)
      expect((await published({})).status).toBe(404)
      expect(
        (await client.orgs.getPublishedContentSite(organization, site.id, { shareKey })).data.site.id
      ).toBe(site.id)
    })

    it(`cannot get a site with the key of an inactive share link, on ${store.name}`, async () => {
      const { client, organization, site, link, shareKey, published } = await startSharedSite(store)
      await client.orgs.publishSite(organization, site.id)
      expect((await published({ shareKey })).status).toBe(200)
      await client.orgs.updateSiteShareLinkById(organization, site.id, link.id, { active: false })
      await expect(
        client.orgs.getPublishedContentSite(organization, site.id, { shareKey })
      ).rejects.toMatchObject({ code: 404 })
    })

    it(`gets only the sections and spaces whose conditions the visitor meets, on ${store.name}`, async () => {
      const { client, organization, site, staff, group, outlineFor } = await startAdaptiveSite(store)
      await client.orgs.moveSiteSectionGroup(organization, site.id, group.id, {
        position: { before: { type: "site-section", id: staff.id } }
      })
      expect(await outlineFor({ insider: true, plan: "pro" })).toEqual([
        ["Docs", "Guide"],
        { "For developers": [["Reference", "API", "Secret"]] },
        ["Staff", "Internal"]
      ])
      expect(await outlineFor({ insider: "true", plan: "free" })).toEqual([
        ["Docs", "Guide"],
        { "For developers": [["Reference", "API"]] }
      ])
    })

    it(`gets the visibility of a space from the site that publishes it, on ${store.name}`, async () => {
      const { client, organization, site, api } = await startAdaptiveSite(store)
      const seen = (await client.spaces.getSpaceById(api)).data
      expect([seen.visibility, seen.urls.published, seen.urls.public]).toEqual([
        "visitor-auth",
        expect.stringMatching(/\/reference\/$/),
        undefined
      ])
      await client.orgs.unpublishSite(organization, site.id)
      expect((await client.spaces.getSpaceById(api)).data.visibility).toBe("private")
    })

    it(`deletes a site, but not its spaces, on ${store.name}`, async () => {
      const { client, organization, site } = await startSite(store)
      await client.orgs.deleteSiteById(organization, site.id)
      expect((await client.orgs.listSites(organization)).data.count).toBe(0)
      expect((await client.orgs.listSpacesInOrganizationById(organization)).data.count).toBe(4)
    })
  }
})
