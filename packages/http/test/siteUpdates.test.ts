/** Updates of sites, their sections and their customization over HTTP. */
import type { Site, SiteSection, SiteSpace, Space } from "@lectern/core"
import { describe, expect, it } from "vitest"
import { ruleStores, type stores } from "./stores.ts"
import { callerOf } from "./support/sites.ts"
import { startServerOn } from "./support.ts"

/** An update of every field of a site. */
const changes = {
  title: "Docs",
  visibility: "unlisted",
  basename: "docs",
  adaptiveContent: { enabled: true },
  agentsContext: "excluded",
  proxy: "acme.com/docs"
}

/** Starts a site with a new space. */
const startSite = async (store: (typeof stores)[number]) => {
  const server = await startServerOn(store)
  const admin = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", admin)
  const call = callerOf(server, await server.tokenOf(admin))
  const sites = `/orgs/${organization}/sites`
  const site = (await call<Site>("createSite", "POST", sites, { title: "Handbook", spaces: "new" })).value
  const at = `${sites}/${site.id}`
  const [siteSpace] = (
    await call<{ items: ReadonlyArray<SiteSpace> }>("listSiteSpaces", "GET", `${at}/site-spaces`)
  ).value.items
  return {
    call,
    organization,
    sites,
    site,
    at,
    siteSpace: siteSpace!,
    space: async () => (await call<Space>("", "GET", `/spaces/${siteSpace!.space.id}`)).value,
    patch: (body: unknown) => call<Site>("updateSiteById", "PATCH", at, body)
  }
}

describe("a site", () => {
  for (const store of ruleStores) {
    it(`with a new space has it as its default, on ${store.name}`, async () => {
      const { siteSpace } = await startSite(store)
      expect(siteSpace).toMatchObject({ title: "Handbook", path: "handbook", default: true, urls: {} })
    })

    it(`applies every field of an update, and retains omitted fields, on ${store.name}`, async () => {
      const { patch } = await startSite(store)
      const changed = (await patch(changes)).value
      expect(changed).toMatchObject({ ...changes, proxy: { origin: "acme.com/docs" } })
      expect(changed.proxy?.target).toMatch(/\/sites\/.*\/docs\/$/)
      expect((await patch({})).value).toEqual(changed)
    })

    it(`has its proxy as its public URL, or its own URL without a proxy, on ${store.name}`, async () => {
      const { call, at, space, patch } = await startSite(store)
      const changed = (await patch(changes)).value
      await call("publishSite", "POST", `${at}/publish`)
      expect((await space()).urls.public).toBe("https://acme.com/docs/")
      expect((await patch({ proxy: null })).value.proxy).toBeUndefined()
      expect((await space()).urls).toMatchObject({
        published: changed.proxy!.target,
        public: changed.proxy!.target
      })
      expect((await space()).visibility).toBe("unlisted")
    })

    it(`rejects the basename of another site, on ${store.name}`, async () => {
      const { call, sites, patch } = await startSite(store)
      await patch(changes)
      const other = (await call<Site>("createSite", "POST", sites, {})).value
      expect((await call("", "PATCH", `${sites}/${other.id}`, { basename: "docs" })).status).toBe(409)
    })

    it(`is listed by part of its title, by publication and by space, on ${store.name}`, async () => {
      const { call, sites, site, at, siteSpace, patch } = await startSite(store)
      await patch(changes)
      await call("publishSite", "POST", `${at}/publish`)
      const other = (await call<Site>("createSite", "POST", sites, {})).value
      const list = async (query: string) =>
        (await call<{ items: ReadonlyArray<Site> }>("listSites", "GET", `${sites}?${query}`)).value.items.map(
          ({ id }) => id
        )
      expect(await list("")).toEqual([other.id, site.id])
      expect(await list("title=DOC")).toEqual([site.id])
      expect(await list("published=true")).toEqual([site.id])
      expect(await list("published=false")).toEqual([other.id])
      expect(await list(`space=${siteSpace.space.id}`)).toEqual([site.id])
    })

    it(`is the default content of its organization until it is deleted, on ${store.name}`, async () => {
      const { call, organization, site, at } = await startSite(store)
      const defaultContent = { type: "site", site: site.id }
      const updated = await call<{ defaultContent: unknown }>(
        "updateOrganizationById",
        "PATCH",
        `/orgs/${organization}`,
        { defaultContent }
      )
      expect(updated.value.defaultContent).toEqual(defaultContent)
      const current = async () =>
        (await call<{ defaultContent?: unknown }>("", "GET", `/orgs/${organization}`)).value.defaultContent
      expect(await current()).toEqual(defaultContent)
      await call("", "DELETE", at)
      expect(await current()).toBeUndefined()
    })

    it(`rejects invalid fields, and reports the path of each, on ${store.name}`, async () => {
      const { call, sites, at, siteSpace } = await startSite(store)
      for (const [path, method, body, field] of [
        [sites, "POST", { title: "x" }, "title"],
        [sites, "POST", { title: "x".repeat(129) }, "title"],
        [sites, "POST", { visibility: "private" }, "visibility"],
        [sites, "POST", { type: "gold" }, "type"],
        [sites, "POST", { spaces: "old" }, "spaces"],
        [at, "PATCH", { basename: "a/b" }, "basename"],
        [at, "PATCH", { basename: ".." }, "basename"],
        [at, "PATCH", { proxy: "https://acme.com/docs" }, "proxy"],
        [at, "PATCH", { proxy: "acme.com" }, "proxy"],
        [at, "PATCH", { defaultSiteSpace: "nothing" }, "defaultSiteSpace"],
        [at, "PATCH", { defaultSiteSection: "nothing" }, "defaultSiteSection"],
        [`${at}/site-spaces/${siteSpace.id}`, "PATCH", { condition: "process.exit()" }, "condition"],
        [`${at}/site-spaces/${siteSpace.id}`, "PATCH", { condition: "x".repeat(1025) }, "condition"],
        [
          `${at}/site-spaces/${siteSpace.id}`,
          "PATCH",
          { condition: `visitor.claims${".x".repeat(200_000)}` },
          "condition"
        ],
        [
          `${at}/site-spaces/${siteSpace.id}`,
          "PATCH",
          { condition: `${"!(".repeat(200_000)}1${")".repeat(200_000)}` },
          "condition"
        ],
        [`${at}/site-spaces/${siteSpace.id}`, "PATCH", { path: "" }, "path"],
        [`${at}/site-spaces`, "POST", { spaceId: siteSpace.space.id, sectionId: "nothing" }, "sectionId"],
        [`${at}/section-groups`, "POST", { title: "G", sections: ["nothing"] }, "sections.0"],
        [`${at}/share-links`, "POST", { name: "x".repeat(51) }, "name"],
        [`${at}/adaptive-schema`, "PUT", { jsonSchema: { type: "array" } }, "jsonSchema.type"]
      ] as const) {
        const rejected = await call<{ error: { details: ReadonlyArray<{ path: string }> } }>(
          "",
          method,
          path,
          body
        )
        expect([field, rejected.status]).toEqual([field, 400])
        expect(rejected.value.error.details.map(({ path }) => path)).toContain(field)
      }
    })

    it(`rejects a space that is on it already, on ${store.name}`, async () => {
      const { call, at, siteSpace } = await startSite(store)
      const added = await call("", "POST", `${at}/site-spaces`, { spaceId: siteSpace.space.id })
      expect(added.status).toBe(409)
    })

    it(`takes its icon from its customization, which can have unknown fields, on ${store.name}`, async () => {
      const { call, at } = await startSite(store)
      const customization = (
        await call<Record<string, unknown>>("getSiteCustomizationById", "GET", `${at}/customization`)
      ).value
      const icon = { light: "https://acme.com/light.png", dark: "https://acme.com/dark.png" }
      const ours = { ...customization, title: "Our docs", favicon: { icon } }
      const put = await call("updateSiteCustomizationById", "PUT", `${at}/customization`, ours)
      expect(put.value).toEqual(ours)
      expect((await call<Site>("getSiteById", "GET", at)).value.icon).toEqual({ icon })
      for (const [favicon, status] of [
        [true, 400],
        [[], 400],
        [{ icon: 5 }, 400],
        [{ emoji: "" }, 400],
        [{ "not known": 1 }, 200]
      ] as const) {
        const updated = await call("", "PUT", `${at}/customization`, { ...ours, favicon })
        expect([favicon, updated.status]).toEqual([favicon, status])
      }
      expect((await call<Site>("getSiteById", "GET", at)).value.icon).toBeUndefined()
    })

    it(`applies every field of a section update, and clears fields that are null, on ${store.name}`, async () => {
      const { call, organization, at, patch } = await startSite(store)
      await patch(changes)
      const sections = `${at}/sections`
      const first = (
        await call<SiteSection>("addSectionToSite", "POST", sections, {
          spaceId: (await call<Space>("", "POST", `/orgs/${organization}/spaces`, { title: "A" })).value.id
        })
      ).value
      expect([first.title, first.path]).toEqual(["Untitled", "untitled"])
      const updated = await call<SiteSection>("updateSiteSectionById", "PATCH", `${sections}/${first.id}`, {
        title: "Section",
        path: "other",
        icon: "book",
        description: "About it",
        condition: "visitor.claims.x"
      })
      expect(updated.value).toMatchObject({
        title: "Section",
        path: "other",
        icon: "book",
        description: "About it"
      })
      const cleared = await call<SiteSection>("updateSiteSectionById", "PATCH", `${sections}/${first.id}`, {
        icon: null,
        description: null,
        condition: null
      })
      expect(Object.keys(cleared.value)).not.toEqual(expect.arrayContaining(["icon"]))
      expect(cleared.value).toMatchObject({ title: "Section", path: "other" })
      expect((await call("", "PATCH", `${sections}/${first.id}`, { path: "docs" })).status).toBe(409)
    })
  }
})
