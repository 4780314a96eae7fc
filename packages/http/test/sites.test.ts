/** Docs sites as their makers and their visitors meet them. */
import { GitBookAPI, SiteVisibility } from "@gitbook/api"
import type {
  PublishedSite,
  PublishingAuth,
  ShareLink,
  Site,
  SiteSection,
  SiteSpace,
  Space
} from "@lectern/core"
import { roundTrips } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { SignJWT } from "jose"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { callByContract } from "./caller.ts"
import { memory, stores } from "./stores.ts"
import { startServer, type TestServer } from "./support.ts"

/** Calls the server, and checks the body of a success against the public contract. */
const caller =
  (server: TestServer, token: string) =>
  <A>(operation: string, method: string, path: string, body?: unknown) =>
    callByContract<A>(server, token, operation, method, path, body)

const sign = (
  claims: Record<string, unknown>,
  key: string,
  expires: string | undefined = "1h",
  alg = "HS256"
) => {
  const token = new SignJWT(claims).setProtectedHeader({ alg })
  return (expires === undefined ? token : token.setExpirationTime(expires)).sign(
    new TextEncoder().encode(key)
  )
}

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

describe("the official client, unmodified", () => {
  for (const { name, make } of stores) {
    it(`makes a site for two kinds of visitors, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const admin = await server.core.createUser("admin@example.com")
        const organization = await server.core.createOrganization("Acme", admin)
        const token = await server.tokenOf(admin)
        const client = new GitBookAPI({ endpoint: server.url, authToken: token })
        const call = caller(server, token)
        const space = async (title: string) =>
          (await client.orgs.createSpace(organization, { title })).data.id
        const [guide, api, internal, secret] = [
          await space("Guide"),
          await space("API"),
          await space("Internal"),
          await space("Secret")
        ]

        const site = (await client.orgs.createSite(organization, { title: "Docs", spaces: [guide] })).data
        const at = `/orgs/${organization}/sites/${site.id}`
        expect(site).toMatchObject({ published: false, visibility: "public", siteSpaces: 1 })
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

        // Conditions name what the adaptive schema has, and nothing else.
        await call("updateSiteAdaptiveSchema", "PUT", `${at}/adaptive-schema`, { jsonSchema })
        const unknown = await call<{ error: { details: unknown } }>(
          "",
          "PATCH",
          `${at}/sections/${staff.id}`,
          {
            condition: "visitor.claims.team == 'x'"
          }
        )
        expect([unknown.status, unknown.value.error.details]).toEqual([
          400,
          [
            {
              path: "condition",
              message: "names visitor.claims.team, which the adaptive schema does not have"
            }
          ]
        ])
        await client.orgs.updateSiteSectionById(organization, site.id, staff.id, {
          condition: "visitor.claims.insider"
        })
        const variants = (await client.orgs.listSiteSpaces(organization, site.id)).data.items
        const hidden = variants.find(({ space }) => space.id === secret)!
        await client.orgs.updateSiteSpaceById(organization, site.id, hidden.id, {
          condition: "visitor.claims.plan == 'pro' || visitor.claims.unsigned.beta"
        })

        // A share link, switched on and off.
        await client.orgs.updateSiteById(organization, site.id, { visibility: SiteVisibility.ShareLink })
        const link = (await client.orgs.createSiteShareLink(organization, site.id, { name: "Partners" })).data
        const key = link.urls.published!.split("/").at(-2)!
        const published = (query: Record<string, string>) =>
          call<PublishedSite>(
            "getPublishedContentSite",
            "GET",
            `${at}/published?${new URLSearchParams(query)}`
          )
        expect((await published({ shareKey: key })).status).toBe(404)
        await client.orgs.publishSite(organization, site.id)
        const shared = await published({ shareKey: key })
        expect(shared.status).toBe(200)
        expect(shared.value.site.urls.published).toBe(link.urls.published)
        expect((await published({})).status).toBe(404)
        expect(
          (await client.orgs.getPublishedContentSite(organization, site.id, { shareKey: key })).data.site.id
        ).toBe(site.id)
        await client.orgs.updateSiteShareLinkById(organization, site.id, link.id, { active: false })
        await expect(
          client.orgs.getPublishedContentSite(organization, site.id, { shareKey: key })
        ).rejects.toMatchObject({ code: 404 })

        // Two visitors with different claims see two different sites.
        await client.orgs.updateSiteById(organization, site.id, { visibility: SiteVisibility.VisitorAuth })
        const auth = (await call<PublishingAuth>("getSitePublishingAuthById", "GET", `${at}/publishing/auth`))
          .value
        const shown = async (claims: Record<string, unknown>) => {
          const visitorAuthToken = await sign(claims, auth.privateKey)
          const { value } = await published({ visitorAuthToken })
          const outline = (one: SiteSection) => [one.title, ...one.siteSpaces.map(({ title }) => title)]
          return (
            value.structure.structure as ReadonlyArray<SiteSection | { title: string; sections: [] }>
          ).map((one) => ("sections" in one ? { [one.title]: one.sections.map(outline) } : outline(one)))
        }
        expect(await shown({ insider: true, plan: "pro" })).toEqual([
          ["Docs", "Guide"],
          { "For developers": [["Reference", "API", "Secret"]] },
          ["Staff", "Internal"]
        ])
        expect(await shown({ insider: "true", plan: "free" })).toEqual([
          ["Docs", "Guide"],
          { "For developers": [["Reference", "API"]] }
        ])
        const seen = (await client.spaces.getSpaceById(api)).data
        expect([seen.visibility, seen.urls.published, seen.urls.public]).toEqual([
          "visitor-auth",
          expect.stringMatching(/\/reference\/$/),
          undefined
        ])
        await client.orgs.unpublishSite(organization, site.id)
        expect((await client.spaces.getSpaceById(api)).data.visibility).toBe("private")
        await client.orgs.deleteSiteById(organization, site.id)
        expect((await client.orgs.listSites(organization)).data.count).toBe(0)
        expect((await client.orgs.listSpacesInOrganizationById(organization)).data.count).toBe(4)
      } finally {
        await server.close()
      }
    })
  }
})

describe("a site", () => {
  for (const { name, make } of [memory, ...stores]) {
    it(`takes every change, and keeps what is left out, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const admin = await server.core.createUser("admin@example.com")
        const organization = await server.core.createOrganization("Acme", admin)
        const call = caller(server, await server.tokenOf(admin))
        const sites = `/orgs/${organization}/sites`
        const made = (await call<Site>("createSite", "POST", sites, { title: "Handbook", spaces: "new" }))
          .value
        const at = `${sites}/${made.id}`
        const [siteSpace] = (
          await call<{ items: ReadonlyArray<SiteSpace> }>("listSiteSpaces", "GET", `${at}/site-spaces`)
        ).value.items
        expect(siteSpace).toMatchObject({ title: "Handbook", path: "handbook", default: true, urls: {} })

        const patch = (body: unknown) => call<Site>("updateSiteById", "PATCH", at, body)
        const all = {
          title: "Docs",
          visibility: "unlisted",
          basename: "docs",
          adaptiveContent: { enabled: true },
          agentsContext: "excluded",
          proxy: "acme.com/docs"
        }
        const changed = (await patch(all)).value
        expect(changed).toMatchObject({ ...all, proxy: { origin: "acme.com/docs" } })
        expect(changed.proxy?.target).toMatch(/\/sites\/.*\/docs\/$/)
        expect((await patch({})).value).toEqual(changed)
        await call("publishSite", "POST", `${at}/publish`)
        const space = async () => (await call<Space>("", "GET", `/spaces/${siteSpace!.space.id}`)).value
        expect((await space()).urls.public).toBe("https://acme.com/docs/")
        expect((await patch({ proxy: null })).value.proxy).toBeUndefined()
        expect((await space()).urls).toMatchObject({
          published: changed.proxy!.target,
          public: changed.proxy!.target
        })
        expect((await space()).visibility).toBe("unlisted")

        const other = (await call<Site>("createSite", "POST", sites, {})).value
        expect((await call("", "PATCH", `${sites}/${other.id}`, { basename: "docs" })).status).toBe(409)
        const list = async (query: string) =>
          (
            await call<{ items: ReadonlyArray<Site> }>("listSites", "GET", `${sites}?${query}`)
          ).value.items.map(({ id }) => id)
        expect(await list("")).toEqual([other.id, made.id])
        expect(await list("title=DOC")).toEqual([made.id])
        expect(await list("published=true")).toEqual([made.id])
        expect(await list("published=false")).toEqual([other.id])
        expect(await list(`space=${siteSpace!.space.id}`)).toEqual([made.id])
        // It is the default content of the organization, which nothing but a site of its own can be.
        const org = await call<{ defaultContent: unknown }>(
          "updateOrganizationById",
          "PATCH",
          `/orgs/${organization}`,
          {
            defaultContent: { type: "site", site: made.id }
          }
        )
        expect(org.value.defaultContent).toEqual({ type: "site", site: made.id })

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
          [`${at}/site-spaces/${siteSpace!.id}`, "PATCH", { condition: "process.exit()" }, "condition"],
          [`${at}/site-spaces/${siteSpace!.id}`, "PATCH", { condition: "x".repeat(1025) }, "condition"],
          [
            `${at}/site-spaces/${siteSpace!.id}`,
            "PATCH",
            { condition: `visitor.claims${".x".repeat(200_000)}` },
            "condition"
          ],
          [
            `${at}/site-spaces/${siteSpace!.id}`,
            "PATCH",
            { condition: `${"!(".repeat(200_000)}1${")".repeat(200_000)}` },
            "condition"
          ],
          [`${at}/site-spaces/${siteSpace!.id}`, "PATCH", { path: "" }, "path"],
          [`${at}/site-spaces`, "POST", { spaceId: siteSpace!.space.id, sectionId: "nothing" }, "sectionId"],
          [`${at}/section-groups`, "POST", { title: "G", sections: ["nothing"] }, "sections.0"],
          [`${at}/share-links`, "POST", { name: "x".repeat(51) }, "name"],
          [`${at}/adaptive-schema`, "PUT", { jsonSchema: { type: "array" } }, "jsonSchema.type"]
        ] as const) {
          const refused = await call<{ error: { details: ReadonlyArray<{ path: string }> } }>(
            "",
            method,
            path,
            body
          )
          expect([field, refused.status]).toEqual([field, 400])
          expect(refused.value.error.details.map(({ path }) => path)).toContain(field)
        }
        expect((await call("", "POST", `${at}/site-spaces`, { spaceId: siteSpace!.space.id })).status).toBe(
          409
        )

        const looks = (
          await call<Record<string, unknown>>("getSiteCustomizationById", "GET", `${at}/customization`)
        ).value
        const icon = { light: "https://acme.com/light.png", dark: "https://acme.com/dark.png" }
        const mine = { ...looks, title: "Our docs", favicon: { icon } }
        const put = await call("updateSiteCustomizationById", "PUT", `${at}/customization`, mine)
        expect(put.value).toEqual(mine)
        expect((await call<Site>("getSiteById", "GET", at)).value.icon).toEqual({ icon })
        for (const [favicon, status] of [
          [true, 400],
          [[], 400],
          [{ icon: 5 }, 400],
          [{ emoji: "" }, 400],
          [{ "not known": 1 }, 200]
        ] as const) {
          const answer = await call("", "PUT", `${at}/customization`, { ...mine, favicon })
          expect([favicon, answer.status]).toEqual([favicon, status])
        }
        expect((await call<Site>("getSiteById", "GET", at)).value.icon).toBeUndefined()

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

        // An organization that opens with a site opens with nothing once that is gone.
        const opening = async () =>
          (await call<{ defaultContent?: unknown }>("", "GET", `/orgs/${organization}`)).value.defaultContent
        const defaultContent = { type: "site", site: at.split("/").at(-1) }
        await call("", "PATCH", `/orgs/${organization}`, { defaultContent })
        expect(await opening()).toEqual(defaultContent)
        await call("", "DELETE", at)
        expect(await opening()).toBeUndefined()
      } finally {
        await server.close()
      }
    })
  }
})

describe("a visitor without the right key or token", () => {
  let server: TestServer
  let call: ReturnType<typeof caller>
  let at: string
  let auth: PublishingAuth
  let link: ShareLink
  beforeAll(async () => {
    server = await startServer(MemoryStorage.layer())
    const admin = await server.core.createUser("admin@example.com")
    const organization = await server.core.createOrganization("Acme", admin)
    call = caller(server, await server.tokenOf(admin))
    const { value } = await call<Site>("", "POST", `/orgs/${organization}/sites`, {
      title: "Docs",
      spaces: "new"
    })
    at = `/orgs/${organization}/sites/${value.id}`
    await call("", "POST", `${at}/publish`)
    auth = (await call<PublishingAuth>("", "GET", `${at}/publishing/auth`)).value
    link = (await call<ShareLink>("", "POST", `${at}/share-links`, { name: "Link" })).value
  })
  afterAll(() => server.close())

  const answers = async (query: Record<string, string>) => {
    const all: Array<readonly [number, string]> = []
    for (const path of ["published", "structure", "sections", "site-spaces"]) {
      const { status, text } = await call("", "GET", `${at}/${path}?${new URLSearchParams(query)}`)
      all.push([status, text])
    }
    return all
  }
  /** What is answered for a site that there is not, whatever is shown for it. */
  const nothing = async (query: Record<string, string>) => {
    const { text } = await call("", "GET", `${at.replace(/[^/]+$/, "0".repeat(30))}/published`)
    for (const [status, body] of await answers(query))
      expect([query, status, body]).toEqual([query, 404, text])
  }

  it("does not learn that a site for holders of a link is there", async () => {
    await call("", "PATCH", at, { visibility: "share-link" })
    const key = link.urls.published.split("/").at(-2)!
    for (const shareKey of ["", "x", key.slice(1), key.toUpperCase(), link.id, "%00"])
      await nothing({ shareKey })
    expect((await answers({ shareKey: key })).map(([status]) => status)).toEqual([200, 200, 200, 200])
    await call("", "PATCH", `${at}/share-links/${link.id}`, { active: false })
    await nothing({ shareKey: key })
    await call("", "PATCH", `${at}/share-links/${link.id}`, { active: true })
    await call("", "POST", `${at}/unpublish`)
    await nothing({ shareKey: key })
    await call("", "POST", `${at}/publish`)
    await call("", "DELETE", `${at}/share-links/${link.id}`)
    await nothing({ shareKey: key })
  })

  it("does not learn that a site for holders of a token is there", async () => {
    await call("", "PATCH", at, { visibility: "visitor-auth" })
    const now = new Date(server.core.now())
    const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000)
    const token = (expires: Date | undefined, key = auth.privateKey) => {
      const made = new SignJWT({}).setProtectedHeader({ alg: "HS256" })
      return (expires === undefined ? made : made.setExpirationTime(expires)).sign(
        new TextEncoder().encode(key)
      )
    }
    const good = await token(later(1))
    expect((await answers({ visitorAuthToken: good })).map(([status]) => status)).toEqual([
      200, 200, 200, 200
    ])
    const [head, body, signature] = good.split(".") as [string, string, string]
    const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url")
    for (const visitorAuthToken of [
      "",
      "x",
      await token(later(-1)),
      await token(undefined),
      await token(later(1), "another key"),
      `${none}.${body}.`,
      `${head}.${Buffer.from(JSON.stringify({ exp: 9_999_999_999, insider: true })).toString("base64url")}.${signature}`
    ]) {
      await nothing({ visitorAuthToken })
    }
    // A new key makes the tokens of the one before void.
    await call("", "POST", `${at}/publishing/auth/regenerate`)
    await nothing({ visitorAuthToken: good })
  })
})

it("a large published site takes at most eight ways to the database", async () => {
  const store = roundTrips(MemoryStorage.layer())
  const server = await startServer(store.layer)
  try {
    const admin = await server.core.createUser("admin@example.com")
    const organization = await server.core.createOrganization("Acme", admin)
    const call = caller(server, await server.tokenOf(admin))
    const { value: site } = await call<Site>("", "POST", `/orgs/${organization}/sites`, { title: "Docs" })
    const at = `/orgs/${organization}/sites/${site.id}`
    for (let i = 0; i < 50; i++) {
      let sectionId: string | undefined
      for (let j = 0; j < 10; j++) {
        const { value: space } = await call<Space>("", "POST", `/orgs/${organization}/spaces`, {
          title: `${i} ${j}`
        })
        if (sectionId === undefined) {
          sectionId = (await call<SiteSection>("", "POST", `${at}/sections`, { spaceId: space.id })).value.id
        } else await call("", "POST", `${at}/site-spaces`, { spaceId: space.id, sectionId })
      }
    }
    await call("", "POST", `${at}/publish`)
    store.take()
    const { value } = await call<PublishedSite>("getPublishedContentSite", "GET", `${at}/published`)
    expect(value.structure.structure.length).toBe(50)
    expect(store.take()).toBeLessThanOrEqual(8)
    // As long as nothing has changed it is asked who comes, and whether anything has.
    expect((await call<PublishedSite>("", "GET", `${at}/published`)).value).toEqual(value)
    expect(store.take()).toBe(2)
    await call("", "PATCH", at, { title: "Other" })
    expect((await call<PublishedSite>("", "GET", `${at}/published`)).value.site.title).toBe("Other")
  } finally {
    await server.close()
  }
})

for (const { name, make } of stores) {
  it(`a published site is shown as it is, whichever process has changed it, on ${name}`, async () => {
    const storage = await make()
    const [one, other] = [await startServer(storage), await startServer(storage)]
    try {
      const admin = await one.core.createUser("admin@example.com")
      const organization = await one.core.createOrganization("Acme", admin)
      const call = caller(one, await one.tokenOf(admin))
      const elsewhere = caller(other, await other.tokenOf(admin))
      const { value: space } = await call<Space>("", "POST", `/orgs/${organization}/spaces`, { title: "0" })
      const { value: site } = await call<Site>("", "POST", `/orgs/${organization}/sites`, {
        title: "Docs",
        spaces: [space.id]
      })
      const at = `/orgs/${organization}/sites/${site.id}`
      await call("", "POST", `${at}/publish`)
      const titles = ({ value }: { readonly value: PublishedSite }) =>
        JSON.stringify(value.structure.structure).match(/"title":"\d"/g)
      for (const title of ["1", "2", "3"]) {
        await elsewhere("", "PATCH", `/spaces/${space.id}`, { title })
        for (const asked of [call, elsewhere, call]) {
          expect(titles(await asked<PublishedSite>("", "GET", `${at}/published`))).toContain(
            `"title":"${title}"`
          )
        }
      }
      await elsewhere("", "POST", `${at}/unpublish`)
      expect((await call("", "GET", `${at}/published`)).status).toBe(404)
    } finally {
      await one.close()
      await other.close()
    }
  })
}
