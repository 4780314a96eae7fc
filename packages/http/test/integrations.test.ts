/** Translations and integrations: what is shown of them, to whom, and what is never shown. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Installation, Integration } from "@lectern/core"
import { runs } from "@lectern/harness"
import { SqliteStorage } from "@lectern/storage-sqlite"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { callByContract } from "./caller.ts"
import { memory, stores, temporaryFolder } from "./stores.ts"
import { startServer, type TestServer } from "./support.ts"

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const caller =
  (server: TestServer) =>
  <A>(token: string, operation: string, method: string, path: string, body?: unknown) =>
    callByContract<A>(server, token, operation, method, path, body)

interface List<A> {
  readonly count: number
  readonly items: ReadonlyArray<A>
}

const whole = (organization: string) => ({
  organization,
  runtime: "v1",
  icon: pixel,
  title: "Diagrams",
  description: "Draws them",
  summary: "# Diagrams\n\nOf all kinds.",
  previewImages: [pixel, pixel],
  visibility: "public",
  target: "space",
  scopes: ["space:content:read", "site:script:inject"],
  categories: ["content", "other"],
  blocks: [
    {
      id: "diagram",
      title: "Diagram",
      description: "One",
      urlUnfurl: ["https://www.example.com/d/*", "https://*.draw.example.org/*"],
      markdown: { codeblock: "diagram", body: "content" }
    }
  ],
  contentSources: [{ id: "boards", title: "Boards", configuration: { componentId: "config" } }],
  externalLinks: [{ url: "https://example.com", label: "More" }],
  configurations: {
    account: {
      properties: {
        key: { title: "Key", type: "string" },
        size: { type: "string", enum: ["small", "large"] },
        loud: { type: "boolean" }
      },
      required: ["key"]
    }
  },
  script: "export default 'the script itself'",
  secrets: { TOKEN: "the secret itself" },
  contentSecurityPolicy: "default-src 'self'"
})

describe("translation settings", () => {
  for (const { name, make } of [memory, ...stores]) {
    it(`are made, read, listed, renamed and deleted, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const call = caller(server)
        const admin = await server.core.createUser("admin@example.com")
        const organization = await server.core.createOrganization("Acme", admin)
        const token = await server.tokenOf(admin)
        const at = `/orgs/${organization}/translations`
        type Settings = { id: string; title: string; updatedAt: string }
        const made = await call<Settings>(token, "", "POST", at, { title: " French " })
        expect(made).toMatchObject({
          status: 201,
          value: {
            object: "translation-settings",
            title: "French",
            languages: ["en"],
            permissions: { view: true, edit: true }
          }
        })
        await server.core.advance(1000)
        const renamed = await call<Settings>(token, "", "PUT", `${at}/${made.value.id}`, { title: "German" })
        expect(renamed.value.title).toBe("German")
        expect(renamed.value.updatedAt > made.value.updatedAt).toBe(true)
        expect((await call(token, "", "GET", `${at}/${made.value.id}`)).value).toEqual(renamed.value)
        expect((await call(token, "", "GET", at)).value).toEqual({ count: 1, items: [renamed.value] })
        for (const title of ["", " ", "x".repeat(101), 1]) {
          expect((await call(token, "", "POST", at, { title })).status).toBe(400)
        }
        expect((await call(token, "", "DELETE", `${at}/${made.value.id}`)).status).toBe(205)
        expect((await call(token, "", "GET", `${at}/${made.value.id}`)).status).toBe(404)
      } finally {
        await server.close()
      }
    })
  }
})

describe("an integration", () => {
  for (const { name, make } of [memory, ...stores]) {
    it(`is published with all that is said of it, and installed, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const call = caller(server)
        const [admin, other] = [
          await server.core.createUser("admin@example.com"),
          await server.core.createUser("other@example.com")
        ]
        const organization = await server.core.createOrganization("Acme", admin)
        const elsewhere = await server.core.createOrganization("Other", other)
        const [token, theirs] = [await server.tokenOf(admin), await server.tokenOf(other)]
        await call(token, "", "PATCH", `/orgs/${organization}`, {
          hostname: "acme",
          emailDomains: ["acme.com"]
        })
        const at = "/integrations/diagrams.v2"
        const body = whole("acme")
        const made = await call<Integration>(token, "publishIntegration", "POST", at, body)
        const { organization: _, script, secrets, icon, previewImages, runtime, ...shown } = body
        expect(made.value).toMatchObject({ ...shown, name: "diagrams.v2", version: 1, verified: false })
        expect(JSON.stringify(made.value)).not.toMatch(/itself/)
        expect(made.value.owner).toMatchObject({ id: organization, emailDomains: ["acme.com"] })

        // Its images are served as what they are.
        for (const url of [made.value.urls.icon!, ...made.value.previewImages]) {
          const image = await server.fetch(new URL(url).pathname)
          expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"])
          expect(Buffer.from(await image.arrayBuffer()).toString("base64")).toBe(pixel)
        }
        expect((await server.fetch("/integrations/diagrams.v2/nothing")).status).toBe(404)

        // The next version replaces all of it; another organization has to choose another name.
        const next = { organization, title: "Next", description: "", script: "x", scopes: [] }
        expect((await call(theirs, "", "POST", at, { ...next, organization: elsewhere })).status).toBe(403)
        expect((await call(theirs, "", "POST", at, next)).status).toBe(404)
        const second = await call<Integration>(token, "publishIntegration", "POST", at, next)
        expect(second.value).toMatchObject({
          version: 2,
          visibility: "private",
          target: "all",
          previewImages: []
        })
        expect(second.value.urls.icon).toBeUndefined()
        expect((await server.fetch(new URL(made.value.urls.icon!).pathname)).status).toBe(404)
        await call(token, "publishIntegration", "POST", at, body)

        const install = await call<Installation>(
          theirs,
          "installIntegration",
          "POST",
          `${at}/installations`,
          {
            organization: elsewhere
          }
        )
        expect(install).toMatchObject({
          status: 201,
          value: { status: "pending", spaces: 0, externalIds: [] }
        })
        const installAt = `${at}/installations/${install.value.id}`
        const again = await call(theirs, "", "POST", `${at}/installations`, { organization: elsewhere })
        expect(again.status).toBe(409)
        const wrong = await call<{ error: { details: unknown } }>(theirs, "", "PATCH", installAt, {
          configuration: { key: 1, size: "huge" }
        })
        expect(wrong.value.error.details).toEqual([
          { path: "configuration.key", message: "must be a string" },
          { path: "configuration.size", message: "must be small or large" }
        ])
        await call(theirs, "", "POST", `/orgs/${elsewhere}/spaces`, {})

        // One that turns private stays where it is installed, until it is taken away; it is nobody else's.
        const stranger = await server.tokenOf(await server.core.createUser("stranger@example.com"))
        const hidden = { ...body, visibility: "private" }
        await call(token, "publishIntegration", "POST", at, hidden)
        for (const path of [at, installAt, `${at}/installations`]) {
          expect([path, (await call(theirs, "", "GET", path)).status]).toEqual([path, 200])
          expect([path, (await call(stranger, "", "GET", path)).status]).toEqual([path, 404])
        }
        await call(token, "publishIntegration", "POST", at, body)
        const updated = await call<Installation>(
          theirs,
          "updateIntegrationInstallation",
          "PATCH",
          installAt,
          {
            configuration: { key: "k", loud: true },
            externalIds: ['a"b', "c\nd"]
          }
        )
        expect(updated.value).toMatchObject({ status: "active", spaces: 1, externalIds: ['a"b', "c\nd"] })
        const found = async (as: string, externalId: string) =>
          (
            await call<List<Installation>>(
              as,
              "listIntegrationInstallations",
              "GET",
              `${at}/installations?${new URLSearchParams({ externalId })}`
            )
          ).value.count
        expect([await found(token, 'a"b'), await found(theirs, "c\nd"), await found(token, "c")]).toEqual([
          1, 1, 0
        ])
        // Who made it sees where it is installed, but does not take it away there.
        expect((await call(token, "", "DELETE", installAt)).status).toBe(403)
        expect((await call(theirs, "", "DELETE", installAt)).status).toBe(205)
        expect((await call(theirs, "", "DELETE", at)).status).toBe(403)
        expect((await call(token, "", "DELETE", at)).status).toBe(204)
        expect((await call(token, "", "GET", at)).status).toBe(404)
      } finally {
        await server.close()
      }
    })
  }

  it("is refused where it is out of bounds, each field by its path", async () => {
    const server = await startServer(await memory.make())
    try {
      const call = caller(server)
      const admin = await server.core.createUser("admin@example.com")
      const organization = await server.core.createOrganization("Acme", admin)
      const token = await server.tokenOf(admin)
      const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>").toString(
        "base64"
      )
      for (const [field, value, path] of [
        ["title", "x", "title"],
        ["title", "x".repeat(31), "title"],
        ["description", "x".repeat(101), "description"],
        ["summary", "x".repeat(2049), "summary"],
        ["icon", "no base64!", "icon"],
        ["icon", Buffer.from("no image").toString("base64"), "icon"],
        ["icon", svg, "icon"],
        ["icon", "A".repeat(1_500_000), "icon"],
        ["previewImages", [pixel, pixel, pixel, pixel], "previewImages"],
        ["previewImages", [pixel, "AAAA"], "previewImages.1"],
        ["visibility", "secret", "visibility"],
        ["target", "user", "target"],
        ["scopes", ["everything"], "scopes.0"],
        ["categories", ["games"], "categories.0"],
        ["script", "", "script"],
        ["secrets", Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`s${i}`, ""])), "secrets"],
        ["externalLinks", [{ url: "javascript:x", label: "" }], "externalLinks.0.url"],
        ["blocks", [{ id: "b", title: "x" }], "blocks.0.title"],
        ["organization", "Größe GmbH", "organization"]
      ] as const) {
        const refused = await call<{ error: { details: ReadonlyArray<{ path: string }> } }>(
          token,
          "",
          "POST",
          "/integrations/example",
          { ...whole(organization), [field]: value }
        )
        expect([field, refused.status]).toEqual([field, 400])
        expect(refused.value.error.details.map((detail) => detail.path)).toEqual([path])
      }
      for (const name of ["a b", "x".repeat(101), "a%2Fb"]) {
        expect((await call(token, "", "GET", `/integrations/${name}`)).status).toBe(400)
      }
      expect((await call(token, "", "GET", "/integrations?blockDomain=a%20b")).status).toBe(400)
    } finally {
      await server.close()
    }
  })

  it("has its secrets in the database in no form that can be read", async () => {
    const folder = temporaryFolder()
    const filename = join(folder, "lectern.db")
    const server = await startServer(SqliteStorage.layer({ filename }))
    const admin = await server.core.createUser("admin@example.com")
    const organization = await server.core.createOrganization("Acme", admin)
    const token = await server.tokenOf(admin)
    await caller(server)(token, "publishIntegration", "POST", "/integrations/example", whole(organization))
    await server.close()
    const stored = readFileSync(filename).toString("latin1")
    expect(stored).toContain("the script itself")
    expect(stored).not.toContain("the secret itself")
    expect(stored).not.toContain(Buffer.from("the secret itself").toString("base64").slice(0, 16))
  })
})

describe("integrations are found by all filters together, by those who may know of them", () => {
  const categories = ["analytics", "content", "other"] as const
  const scopes = ["site:views:read", "space:content:read"] as const
  const one = fc.record({
    owner: fc.nat(1),
    visibility: fc.constantFrom("public", "private", "unlisted"),
    title: fc.constantFrom("Charts", "Diagrams", "Chat"),
    categories: fc.subarray([...categories]),
    scopes: fc.subarray([...scopes]),
    domain: fc.constantFrom(undefined, "example.com", "ample.com"),
    sources: fc.boolean(),
    removed: fc.boolean()
  })
  const filter = fc.record(
    {
      search: fc.constantFrom("cha", "CHART", "zzz"),
      category: fc.constantFrom(...categories),
      scope: fc.constantFrom(...scopes),
      blockDomain: fc.constantFrom("example.com", "ample.com", "com"),
      blocks: fc.boolean(),
      contentSources: fc.boolean(),
      owner: fc.nat(1)
    },
    { requiredKeys: [] }
  )
  for (const { name, make, count } of [
    { ...memory, count: 40 },
    ...stores.map((store) => ({ ...store, count: 8 }))
  ]) {
    it(`on ${name}`, async () => {
      let stories = 0
      await fc.assert(
        fc.asyncProperty(
          fc.array(one, { maxLength: 6 }),
          fc.array(filter, { maxLength: 4 }),
          async (all, filters) => {
            // Names are one for all organizations, so each story has a store of its own.
            const server = await startServer(await make())
            try {
              const call = caller(server)
              const story = stories++
              const users = [
                await server.core.createUser(`one-${story}@example.com`),
                await server.core.createUser(`two-${story}@example.com`)
              ]
              const owners = [
                await server.core.createOrganization("One", users[0]!),
                await server.core.createOrganization("Two", users[1]!)
              ]
              const stranger = await server.core.createUser(`three-${story}@example.com`)
              const tokens = await Promise.all([...users, stranger].map((user) => server.tokenOf(user)))
              for (const [index, made] of all.entries()) {
                const { status } = await call(
                  tokens[made.owner]!,
                  "publishIntegration",
                  "POST",
                  `/integrations/i${index}`,
                  {
                    organization: owners[made.owner],
                    title: made.title,
                    description: "",
                    script: "x",
                    scopes: made.scopes,
                    categories: made.categories,
                    visibility: made.visibility,
                    ...(made.domain === undefined
                      ? {}
                      : { blocks: [{ id: "b", title: "Block", urlUnfurl: [`https://${made.domain}/*`] }] }),
                    ...(made.sources
                      ? {
                          contentSources: [{ id: "s", title: "Source", configuration: { componentId: "c" } }]
                        }
                      : {})
                  }
                )
                expect(status).toBe(200)
                if (made.removed) await call(tokens[made.owner]!, "", "DELETE", `/integrations/i${index}`)
              }
              const there = all
                .map((made, index) => ({ ...made, name: `i${index}` }))
                .filter(({ removed }) => !removed)
              for (const [who, token] of tokens.entries()) {
                for (const made of there) {
                  const { status } = await call(
                    token,
                    "getIntegrationByName",
                    "GET",
                    `/integrations/${made.name}`
                  )
                  expect(status).toBe(made.visibility === "private" && made.owner !== who ? 404 : 200)
                }
                for (const { owner, ...wanted } of [{} as (typeof filters)[number], ...filters]) {
                  const query = new URLSearchParams(
                    Object.entries({
                      ...wanted,
                      ...(owner === undefined ? {} : { owner: owners[owner]! })
                    }).map(([key, value]) => [key, String(value)])
                  )
                  const { value } = await call<List<Integration>>(
                    token,
                    "listIntegrations",
                    "GET",
                    `/integrations?${query}`
                  )
                  const expected = there.filter(
                    (made) =>
                      (made.visibility === "public" || made.owner === who) &&
                      (wanted.search === undefined ||
                        `${made.name} ${made.title}`.toLowerCase().includes(wanted.search.toLowerCase())) &&
                      (wanted.category === undefined || made.categories.includes(wanted.category)) &&
                      (wanted.scope === undefined || made.scopes.includes(wanted.scope)) &&
                      (wanted.blockDomain === undefined || made.domain === wanted.blockDomain) &&
                      (wanted.blocks === undefined || wanted.blocks === (made.domain !== undefined)) &&
                      (wanted.contentSources === undefined || wanted.contentSources === made.sources) &&
                      (owner === undefined || made.owner === owner)
                  )
                  expect(value.items.map(({ name }) => name)).toEqual(
                    expected.map(({ name }) => name).reverse()
                  )
                  expect(value.count).toBe(expected.length)
                }
              }
            } finally {
              await server.close()
            }
          }
        ),
        runs(count)
      )
    })
  }
})

describe("an integration that is published for the first time by many at once", () => {
  for (const { name, make } of [memory, ...stores]) {
    it(`has one owner, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const publishers = []
        for (const who of ["first", "second", "third", "fourth"]) {
          const user = await server.core.createUser(`${who}@example.com`)
          const organization = await server.core.createOrganization(who, user)
          publishers.push({ organization, token: await server.tokenOf(user) })
        }
        for (let round = 0; round < 6; round++) {
          const statuses = await Promise.all(
            publishers.map(async ({ organization, token }) => {
              const made = { organization, title: "Same", description: "", script: "x", scopes: [] }
              const response = await server.fetch(`/v1/integrations/same-${round}`, {
                method: "POST",
                token,
                body: JSON.stringify(made)
              })
              return response.status
            })
          )
          const taken = statuses.filter((status) => status === 403).length
          expect([statuses, taken]).toEqual([statuses, publishers.length - 1])
        }
      } finally {
        await server.close()
      }
    })
  }
})
