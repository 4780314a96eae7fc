/** Translation settings and integrations over HTTP. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Installation, Integration } from "@lectern/core"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { describe, expect, it } from "vitest"
import { callByContract } from "./caller.ts"
import { memory, ruleStores, type stores, temporaryFolder } from "./stores.ts"
import { startServer, startServerOn, type TestServer } from "./support.ts"

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

const completeManifest = (organization: string) => ({
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
  for (const { name, make } of ruleStores) {
    it(`are created, read, listed, renamed and deleted, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const call = caller(server)
        const admin = await server.core.createUser("admin@example.com")
        const organization = await server.core.createOrganization("Acme", admin)
        const token = await server.tokenOf(admin)
        const at = `/orgs/${organization}/translations`
        type Settings = { id: string; title: string; updatedAt: string }
        const created = await call<Settings>(token, "", "POST", at, { title: " French " })
        expect(created).toMatchObject({
          status: 201,
          value: {
            object: "translation-settings",
            title: "French",
            languages: ["en"],
            permissions: { view: true, edit: true }
          }
        })
        await server.core.advance(1000)
        const renamed = await call<Settings>(token, "", "PUT", `${at}/${created.value.id}`, {
          title: "German"
        })
        expect(renamed.value.title).toBe("German")
        expect(renamed.value.updatedAt > created.value.updatedAt).toBe(true)
        expect((await call(token, "", "GET", `${at}/${created.value.id}`)).value).toEqual(renamed.value)
        expect((await call(token, "", "GET", at)).value).toEqual({ count: 1, items: [renamed.value] })
        for (const title of ["", " ", "x".repeat(101), 1]) {
          expect((await call(token, "", "POST", at, { title })).status).toBe(400)
        }
        expect((await call(token, "", "DELETE", `${at}/${created.value.id}`)).status).toBe(205)
        expect((await call(token, "", "GET", `${at}/${created.value.id}`)).status).toBe(404)
      } finally {
        await server.close()
      }
    })
  }
})

/** The path of the integration of these tests. */
const at = "/integrations/diagrams.v2"

/** The required fields of a manifest, without the organization. */
const minimal = { title: "Next", description: "", script: "x" }

/** Creates two organizations: the first publishes an integration, the second (`theirs`, `elsewhere`) installs it. */
const startIntegration = async (store: (typeof stores)[number]) => {
  const server = await startServerOn(store)
  const call = caller(server)
  const [admin, other] = [
    await server.core.createUser("admin@example.com"),
    await server.core.createUser("other@example.com")
  ]
  const organization = await server.core.createOrganization("Acme", admin)
  const elsewhere = await server.core.createOrganization("Other", other)
  const [token, theirs] = [await server.tokenOf(admin), await server.tokenOf(other)]
  await call(token, "", "PATCH", `/orgs/${organization}`, { hostname: "acme", emailDomains: ["acme.com"] })
  return {
    server,
    call,
    organization,
    elsewhere,
    token,
    theirs,
    /** Names its organization by its hostname. */
    manifest: completeManifest("acme"),
    publish: (body: unknown) => call<Integration>(token, "publishIntegration", "POST", at, body),
    install: () =>
      call<Installation>(theirs, "installIntegration", "POST", `${at}/installations`, {
        organization: elsewhere
      })
  }
}

describe("an integration", () => {
  for (const store of ruleStores) {
    it(`is returned with its manifest, without its script and secrets, on ${store.name}`, async () => {
      const { organization, publish, manifest } = await startIntegration(store)
      const { organization: _, script, secrets, icon, previewImages, runtime, ...visibleFields } = manifest
      const { value } = await publish(manifest)
      expect(value).toMatchObject({ ...visibleFields, name: "diagrams.v2", version: 1, verified: false })
      expect(JSON.stringify(value)).not.toMatch(/itself/)
      expect(value.owner).toMatchObject({ id: organization, emailDomains: ["acme.com"] })
    })

    it(`serves its images with their content type, on ${store.name}`, async () => {
      const { server, publish, manifest } = await startIntegration(store)
      const { value } = await publish(manifest)
      for (const url of [value.urls.icon!, ...value.previewImages]) {
        const image = await server.fetch(new URL(url).pathname)
        expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"])
        expect(Buffer.from(await image.arrayBuffer()).toString("base64")).toBe(pixel)
      }
      expect((await server.fetch("/integrations/diagrams.v2/nothing")).status).toBe(404)
    })

    it(`is replaced completely by its next version, on ${store.name}`, async () => {
      const { server, organization, publish, manifest } = await startIntegration(store)
      const first = await publish(manifest)
      const second = await publish({ organization, ...minimal })
      expect(second.value).toMatchObject({
        version: 2,
        visibility: "private",
        target: "all",
        previewImages: [],
        scopes: []
      })
      expect(second.value.urls.icon).toBeUndefined()
      expect((await server.fetch(new URL(first.value.urls.icon!).pathname)).status).toBe(404)
    })

    it(`has a name that no other organization can publish, on ${store.name}`, async () => {
      const { call, theirs, organization, elsewhere, publish, manifest } = await startIntegration(store)
      await publish(manifest)
      const taken = await call(theirs, "", "POST", at, { organization: elsewhere, ...minimal })
      expect(taken.status).toBe(403)
      // The name of a private integration is a secret of its organization.
      expect(taken.text).not.toContain("organization has")
      expect((await call(theirs, "", "POST", at, { organization, ...minimal })).status).toBe(404)
    })

    it(`is installed once in an organization, on ${store.name}`, async () => {
      const { call, theirs, elsewhere, publish, manifest, install } = await startIntegration(store)
      await publish(manifest)
      expect(await install()).toMatchObject({
        status: 201,
        value: { status: "pending", spaces: 0, externalIds: [] }
      })
      const again = await call(theirs, "", "POST", `${at}/installations`, { organization: elsewhere })
      expect(again.status).toBe(409)
    })

    it(`rejects a configuration that its manifest does not declare, on ${store.name}`, async () => {
      const { call, theirs, publish, manifest, install } = await startIntegration(store)
      await publish(manifest)
      const installation = `${at}/installations/${(await install()).value.id}`
      const invalid = await call<{ error: { details: unknown } }>(theirs, "", "PATCH", installation, {
        configuration: { key: 1, size: "huge" }
      })
      expect(invalid.value.error.details).toEqual([
        { path: "configuration.key", message: "must be a string" },
        { path: "configuration.size", message: "must be one of small, large" }
      ])
    })

    it(`keeps at most 100 values in a configuration over several updates, on ${store.name}`, async () => {
      const { call, theirs, publish, manifest, install } = await startIntegration(store)
      await publish(manifest)
      const installation = `${at}/installations/${(await install()).value.id}`
      const values = (count: number, prefix: string) =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, true]))
      const update = (configuration: object) =>
        call<Installation>(theirs, "", "PATCH", installation, { configuration })
      expect((await update(values(60, "a"))).status).toBe(200)
      expect(await update(values(41, "b"))).toMatchObject({
        status: 409,
        value: { error: { reason: "LimitReached" } }
      })
      expect((await update({ ...values(41, "b"), a0: null })).status).toBe(200)
      const { value } = await call<Installation>(theirs, "", "GET", installation)
      expect(Object.keys(value.configuration)).toHaveLength(100)
    })

    it(`remains visible only to organizations that have installed it once it is private, on ${store.name}`, async () => {
      const { server, call, theirs, elsewhere, publish, manifest, install } = await startIntegration(store)
      await publish(manifest)
      const installation = `${at}/installations/${(await install()).value.id}`
      const strangerId = await server.core.createUser("stranger@example.com")
      const stranger = await server.tokenOf(strangerId)
      await publish({ ...manifest, visibility: "private" })
      for (const path of [at, installation, `${at}/installations`]) {
        expect([path, (await call(theirs, "", "GET", path)).status]).toEqual([path, 200])
        expect([path, (await call(stranger, "", "GET", path)).status]).toEqual([path, 404])
      }
      await server.core.setMember(elsewhere, strangerId, null)
      for (const path of [at, `${at}/installations`]) {
        expect([path, (await call(stranger, "", "GET", path)).status]).toEqual([path, 404])
      }
    })

    it(`has installations that are active once configured, and found by external id, on ${store.name}`, async () => {
      const { call, token, theirs, elsewhere, publish, manifest, install } = await startIntegration(store)
      await publish(manifest)
      const installation = `${at}/installations/${(await install()).value.id}`
      await call(theirs, "", "POST", `/orgs/${elsewhere}/spaces`, {})
      const updated = await call<Installation>(
        theirs,
        "updateIntegrationInstallation",
        "PATCH",
        installation,
        {
          configuration: { key: "k", loud: true },
          externalIds: ['a"b', "c\nd"]
        }
      )
      expect(updated.value).toMatchObject({ status: "active", spaces: 1, externalIds: ['a"b', "c\nd"] })
      const countOf = async (as: string, externalId: string) =>
        (
          await call<List<Installation>>(
            as,
            "listIntegrationInstallations",
            "GET",
            `${at}/installations?${new URLSearchParams({ externalId })}`
          )
        ).value.count
      expect([await countOf(token, 'a"b'), await countOf(theirs, "c\nd"), await countOf(token, "c")]).toEqual(
        [1, 1, 0]
      )
    })

    it(`can be uninstalled only by its installer and deleted only by its owner, on ${store.name}`, async () => {
      const { call, token, theirs, publish, manifest, install } = await startIntegration(store)
      await publish(manifest)
      const installation = `${at}/installations/${(await install()).value.id}`
      expect((await call(token, "", "DELETE", installation)).status).toBe(403)
      expect((await call(theirs, "", "DELETE", installation)).status).toBe(205)
      expect((await call(theirs, "", "DELETE", at)).status).toBe(403)
      expect((await call(token, "", "DELETE", at)).status).toBe(204)
      expect((await call(token, "", "GET", at)).status).toBe(404)
    })
  }

  it("rejects each invalid field by its path", async () => {
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
        const response = await call<{ error: { details: ReadonlyArray<{ path: string }> } }>(
          token,
          "",
          "POST",
          "/integrations/example",
          { ...completeManifest(organization), [field]: value }
        )
        expect([field, response.status]).toEqual([field, 400])
        expect(response.value.error.details.map((detail) => detail.path)).toEqual([path])
      }
      for (const name of ["a b", "x".repeat(101), "a%2Fb"]) {
        expect((await call(token, "", "GET", `/integrations/${name}`)).status).toBe(400)
      }
      expect((await call(token, "", "GET", "/integrations?blockDomain=a%20b")).status).toBe(400)
    } finally {
      await server.close()
    }
  })

  it("stores its secrets encrypted", async () => {
    const folder = temporaryFolder()
    const filename = join(folder, "lectern.db")
    const server = await startServer(SqliteStorage.layer({ filename }))
    const admin = await server.core.createUser("admin@example.com")
    const organization = await server.core.createOrganization("Acme", admin)
    const token = await server.tokenOf(admin)
    await caller(server)(
      token,
      "publishIntegration",
      "POST",
      "/integrations/example",
      completeManifest(organization)
    )
    await server.close()
    const stored = readFileSync(filename).toString("latin1")
    expect(stored).toContain("the script itself")
    expect(stored).not.toContain("the secret itself")
    expect(stored).not.toContain(Buffer.from("the secret itself").toString("base64").slice(0, 16))
  })
})

describe("an integration that several organizations publish concurrently", () => {
  for (const { name, make } of ruleStores) {
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
              const created = { organization, title: "Same", description: "", script: "x" }
              const response = await server.fetch(`/v1/integrations/same-${round}`, {
                method: "POST",
                token,
                body: JSON.stringify(created)
              })
              return response.status
            })
          )
          const rejected = statuses.filter((status) => status === 403).length
          expect([statuses, rejected]).toEqual([statuses, publishers.length - 1])
        }
      } finally {
        await server.close()
      }
    })
  }
})
