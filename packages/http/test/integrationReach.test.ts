/** The content that an integration has access to: only administrators of the organization that installed it extend it. */
import { runs } from "@lectern/harness"
import {
  addressOf,
  buildScene,
  computedSource,
  integrationOf,
  type Operation,
  operations,
  paramsIn,
  type Scene
} from "@lectern/harness/operations"
import { inputArbitrary } from "@lectern/testkit/arbitraries"
import type { Schema } from "effect"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { operationsOfEveryScope, operationsOfScopes } from "./support/authorization/operationsOfScopes.ts"
import { type SceneServer, startScene } from "./support/startScene.ts"

type CallerName = "publisher" | "installation"

let host: SceneServer
let scene: Scene
let tokens: Readonly<Record<CallerName, string>>
let installation: string
let saved: ReturnType<SceneServer["save"]>

const send = async (token: string, method: string, path: string, body?: unknown) => {
  const response = await host.server.fetch(path, {
    method,
    token,
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  return { status: response.status, value: (text.startsWith("{") ? JSON.parse(text) : {}) as ResponseBody }
}

/** The fields of the responses that the tests read. */
interface ResponseBody {
  readonly token?: string
  readonly error?: { readonly reason: string }
  readonly items?: ReadonlyArray<{ readonly status?: string }>
}

/** An integration with every scope, of another organization, which is installed on none of the content of the scene. */
beforeAll(async () => {
  host = await startScene()
  const { core } = host.server
  const publisher = await core.createUser("publisher@example.com")
  const theirs = await core.createOrganization("Theirs", publisher)
  await core.setMember(theirs, host.owner.id, "admin")
  scene = await buildScene(host, { publisher: theirs, scopes: Object.keys(operationsOfScopes) })
  const { ids } = scene
  installation = `/v1/integrations/${ids.integrationName}/installations/${ids.installationId}`
  await host.call("PATCH", installation, { space_selection: "selected", site_selection: "selected" })
  await host.call("DELETE", `${installation}/spaces/${ids.spaceId}`)
  await host.call("DELETE", `${installation}/sites/${ids.siteId}`)
  const { token } = await host.call<{ token: string }>("POST", `${installation}/tokens`)
  tokens = { publisher: await host.server.tokenOf(publisher), installation: token }
  saved = host.save()
})
afterAll(() => host.server.close())

const addressIn = (operation: Operation) => addressOf(operation, paramsIn(operation, scene))

/** One read of each kind of resource: an operation for each combination of parameters in a path. */
const reads = [
  ...new Map(
    operations
      .filter(({ id, method }) => method === "GET" && operationsOfEveryScope.has(id))
      .map((operation) => [(operation.path.match(/:\w+/g) ?? []).join(), operation] as const)
  ).values()
]

/** Returns the reads that succeed with the token of the installation, or with a new one. */
const readsOf = async (): Promise<ReadonlySet<string>> => {
  const renewed = await send(tokens.publisher, "POST", `${installation}/tokens`)
  const found = new Set<string>()
  for (const operation of reads) {
    for (const token of [tokens.installation, renewed.value.token ?? tokens.installation]) {
      if ((await send(token, "GET", addressIn(operation))).status < 400) found.add(operation.id)
    }
  }
  return found
}

/** The ids of the content that is not selected, by the names of the fields that refer to it. */
const referenceOverride = (name: string): fc.Arbitrary<unknown> | undefined => {
  const { ids } = scene
  const id = new Map([
    ["space", ids.spaceId],
    ["site", ids.siteId],
    ["siteId", ids.siteId],
    ["organization", ids.organizationId]
  ]).get(name)
  return id === undefined ? undefined : fc.constant(id)
}

const bodiesOf = (operation: Operation): fc.Arbitrary<unknown> => {
  const schema: Schema.Top | undefined = operation.endpoint.payload.get("application/json")?.schemas[0]
  const ofTable = operation.body?.(scene)
  if (schema === undefined || ofTable === undefined) return fc.constant(ofTable)
  return fc.oneof(fc.constant(ofTable), inputArbitrary(schema, referenceOverride))
}

describe("an integration", () => {
  it("does not gain access by an operation that its publisher or its token sends, with any body", {
    timeout: 300_000
  }, async () => {
    const before = await readsOf()
    await host.call("PATCH", installation, { space_selection: "all", site_selection: "all" })
    expect((await readsOf()).size).toBeGreaterThan(before.size + 10)
    saved.rewind()
    const callers: ReadonlyArray<CallerName> = ["publisher", "installation"]
    const cases: Array<{ readonly operation: Operation; readonly caller: CallerName }> = []
    for (const operation of operations.filter(({ isWrite }) => isWrite)) {
      for (const caller of callers) {
        const body = operation.body?.(scene)
        const { status } = await send(tokens[caller], operation.method, addressIn(operation), body)
        if (status < 400) cases.push({ operation, caller })
        saved.rewind()
      }
    }
    expect(new Set(cases.map(({ operation }) => operation.id))).toContain("updateIntegrationInstallation")
    const calls = fc
      .constantFrom(...cases)
      .chain(({ operation, caller }) =>
        fc.record({ body: bodiesOf(operation) }).map(({ body }) => ({ operation, caller, body }))
      )
    await fc.assert(
      fc.asyncProperty(calls, async ({ operation, caller, body }) => {
        await send(tokens[caller], operation.method, addressIn(operation), body)
        const gained = [...(await readsOf())].filter((id) => !before.has(id))
        saved.rewind()
        expect([operation.id, caller, gained]).toEqual([operation.id, caller, []])
      }),
      runs(120)
    )
  })

  it("is given spaces and sites only by administrators of the organization that installed it", async () => {
    const { ids } = scene
    for (const change of [{ space_selection: "all" }, { site_selection: "all" }]) {
      const byPublisher = await send(tokens.publisher, "PATCH", installation, change)
      expect([byPublisher.status, byPublisher.value.error?.reason]).toEqual([403, "RoleTooLow"])
      const byToken = await send(tokens.installation, "PATCH", installation, change)
      expect([byToken.status, byToken.value.error?.reason]).toEqual([403, "ScopeTooNarrow"])
      expect((await send(host.token, "PATCH", installation, change)).status).toBe(200)
    }
    expect((await send(tokens.installation, "GET", `/v1/spaces/${ids.spaceId}`)).status).toBe(200)
    for (const caller of ["publisher", "installation"] as const) {
      const configured = { configuration: { key: caller }, externalIds: [caller] }
      expect((await send(tokens[caller], "PATCH", installation, configured)).status).toBe(200)
    }
    saved.rewind()
  })

  it("cannot change the access to a space and its rules, although it acts for an administrator", async () => {
    const space = `/v1/spaces/${scene.ids.spaceId}`
    await host.call("POST", `${installation}/spaces`, { space: scene.ids.spaceId })
    expect((await send(tokens.installation, "PATCH", space, { title: "Renamed" })).status).toBe(200)
    const changeRequest = `${space}/change-requests/${scene.ids.changeRequestId}`
    for (const [path, change] of [
      [space, { defaultLevel: "admin" }],
      [space, { editMode: "locked" }],
      [space, { mergeRules: { type: "none" } }],
      [changeRequest, { mergeRules: { type: "none" } }]
    ] as const) {
      expect((await send(host.token, "PATCH", path, change)).status).toBe(200)
      const byToken = await send(tokens.installation, "PATCH", path, change)
      expect([path, change, byToken.status, byToken.value.error?.reason]).toEqual([
        path,
        change,
        403,
        "ScopeTooNarrow"
      ])
    }
    saved.rewind()
  })

  it("does not insert computed pages without the scope for the specs that they show", async () => {
    const { ids } = scene
    const { organizationId: organization } = ids
    const name = "writer"
    const scopes = ["space:content:read", "space:content:write"]
    const tokenOf = async (all: ReadonlyArray<string>) => {
      await host.call("POST", `/v1/integrations/${name}`, integrationOf(organization, all))
      const path = `/v1/integrations/${name}/installations`
      const { id } = await host.call<{ id: string }>("POST", path, { organization })
      return (await host.call<{ token: string }>("POST", `${path}/${id}/tokens`)).token
    }
    const changes = [{ operation: "insert_page", type: "computed", title: "API", computed: computedSource }]
    const insert = (token: string) => send(token, "POST", `/v1/spaces/${ids.spaceId}/content`, { changes })
    const withoutScope = await insert(await tokenOf(scopes))
    expect([withoutScope.status, withoutScope.value.error?.reason]).toEqual([403, "ScopeTooNarrow"])
    saved.rewind()
    expect((await insert(await tokenOf([...scopes, "openapi:read"]))).status).toBe(200)
    saved.rewind()
  })

  it("does not read spaces and collections that are not selected through links", async () => {
    const { ids, parent } = scene
    const other = await host.call<{ id: string }>("POST", `/v1/orgs/${ids.organizationId}/spaces`, {})
    await host.call("POST", `${installation}/spaces`, { space: other.id })
    const markdown = `# Links\n\n[hidden](/spaces/${ids.spaceId}) [folder](/collections/${parent})`
    const changes = [{ operation: "insert_page", document: { markdown } }]
    const content = `/v1/spaces/${other.id}/content`
    expect((await send(tokens.installation, "POST", content, { changes })).status).toBe(200)
    const statusesOf = async (token: string) =>
      (await send(token, "GET", `/v1/spaces/${other.id}/links`)).value.items?.map(({ status }) => status)
    expect(await statusesOf(tokens.installation)).toEqual(["broken", "broken"])
    expect(await statusesOf(host.token)).toContain("ok")
    saved.rewind()
  })
})
