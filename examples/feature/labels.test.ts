/** The parts of a feature of a host: operations, routes, clients, actions, errors, events, webhooks, audit, jobs, checks, hooks and columns added later. */
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { DatabaseSync } from "node:sqlite"
import { text } from "node:stream/consumers"
import { createClient } from "@lectern/client"
import { createClient as createFetchClient } from "@lectern/client/fetch"
import {
  createWorkspace,
  Doctor,
  defineFeature,
  isLecternError,
  rejectCommand,
  SystemGrant,
  Table,
  verifyWebhook
} from "@lectern/core"
import { nodeFetcher, toWebHandler } from "@lectern/http"
import { sqlite } from "@lectern/storage-sqlite"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Layer, Stream } from "effect"
import { expect, it, onTestFinished } from "vitest"
import { LabelsApi } from "./LabelsApi.ts"
import { labelRoutes } from "./labelRoutes.ts"
import { labelErrors } from "./labelRules.ts"
import { labelsFeature, labelsHttp } from "./labelsFeature.ts"
import { labelTable } from "./labelTable.ts"

/** Opens a workspace with two administrators of different organizations, and a space of the first. */
const open = async () => {
  const executed: Array<string> = []
  const workspace = createWorkspace({
    storage: MemoryStorage.layer(),
    features: [labelsFeature],
    fetcher: nodeFetcher({ allow: ["127.0.0.1"] }),
    hooks: {
      before: {
        "Labels.add": ({ parameters }) => {
          if (parameters.input.name === "secret") throw rejectCommand("Labels must not be secret.")
        }
      },
      after: { "Labels.add": ({ operation }) => void executed.push(operation) }
    }
  })
  onTestFinished(() => workspace.dispose())
  const createUser = (email: string) => workspace.administration.createUser({ input: { email } })
  const [ada, eve] = [await createUser("ada@example.com"), await createUser("eve@example.com")]
  const organization = await workspace.administration.createOrganization({
    administrator: ada,
    input: { title: "Acme" }
  })
  const { id: space } = await workspace.as(ada).spaces.create({ organization, input: { title: "Handbook" } })
  const handler = toWebHandler(workspace, { features: [labelsHttp], validateResponses: true })
  const fetch: typeof globalThis.fetch = (...request) => handler(new Request(...request))
  const tokenOf = async (user: string, permissions?: ReadonlyArray<string>) => {
    const input = { user, label: "Test", ...(permissions === undefined ? {} : { permissions }) }
    return (await workspace.tokens.create({ input })).secret
  }
  const connect = (token: string) =>
    createClient({ baseUrl: "http://localhost", token, features: [LabelsApi], fetch })
  const clientOf = async (user: string) => connect(await tokenOf(user))
  return { workspace, ada, eve, organization, space, handler, fetch, tokenOf, connect, clientOf, executed }
}

it("has operations that authorize their callers, in the process and by the typed client", async () => {
  const { workspace, ada, eve, space, clientOf } = await open()
  const [byAda, byEve] = [await clientOf(ada), await clientOf(eve)]
  const added = await byAda.labels.addLabel({
    params: { spaceId: space },
    payload: { name: "draft", color: "red" }
  })
  expect(await workspace.as(ada).labels.list({ space })).toEqual([added])
  expect(await byAda.labels.listLabels({ params: { spaceId: space } })).toEqual([added])
  expect((await byAda.spaces.getSpaceById({ params: { spaceId: space } })).title).toBe("Handbook")
  await expect(byEve.labels.listLabels({ params: { spaceId: space } })).rejects.toMatchObject({
    _tag: "NotFound"
  })
  await byAda.labels.removeLabel({ params: { spaceId: space, label: added.id } })
  expect(await workspace.as(ada).labels.list({ space })).toEqual([])
})

it("has operations in the client without Effect", async () => {
  const { ada, space, fetch, tokenOf } = await open()
  const token = await tokenOf(ada)
  const client = createFetchClient({ baseUrl: "http://localhost", token, features: [labelRoutes], fetch })
  const params = { spaceId: space }
  const { id, color } = await client.labels.addLabel({ params, payload: { name: "draft" } })
  expect(color).toBe("gray")
  expect((await client.labels.listLabels({ params })).map(({ name }) => name)).toEqual(["draft"])
  await expect(client.labels.addLabel({ params, payload: { name: "draft" } })).rejects.toMatchObject({
    _tag: "FeatureError",
    code: "labels.NameTaken",
    status: 409
  })
  await client.labels.removeLabel({ params: { ...params, label: id } })
  expect(await client.labels.listLabels({ params })).toEqual([])
})

it("permits its actions by the role of the caller, which resources list as permissions", async () => {
  const { workspace, ada, eve, organization, space, clientOf } = await open()
  const input = { emails: ["eve@example.com"], role: "edit" } as const
  await workspace.as(ada).invites.inviteByEmail({ organization, input })
  const byEve = await clientOf(eve)
  const label = await byEve.labels.addLabel({ params: { spaceId: space }, payload: { name: "draft" } })
  expect(label.permissions).toEqual({ list: true, add: true, remove: false })
  const params = { spaceId: space, label: label.id }
  await expect(byEve.labels.removeLabel({ params })).rejects.toMatchObject({ reason: "RoleTooLow" })
  const { items } = await workspace
    .as(ada)
    .auditLog.list({ organization, input: { operation: "Labels.remove" } })
  expect(items.map(({ outcome, reason }) => [outcome, reason])).toEqual([["denied", "RoleTooLow"]])
  const [seenByAda] = await workspace.as(ada).labels.list({ space })
  expect(seenByAda?.permissions).toEqual({ list: true, add: true, remove: true })
})

it("limits API tokens to the permissions of its actions", async () => {
  const { ada, space, tokenOf, connect } = await open()
  const client = connect(await tokenOf(ada, ["space.labels.add"]))
  const params = { spaceId: space }
  expect((await client.labels.addLabel({ params, payload: { name: "draft" } })).name).toBe("draft")
  await expect(client.labels.listLabels({ params })).rejects.toMatchObject({ reason: "ScopeTooNarrow" })
  await expect(client.spaces.getSpaceById({ params })).rejects.toMatchObject({ reason: "ScopeTooNarrow" })
  const reader = connect(await tokenOf(ada, ["space.edit", "space.labels.list"]))
  await expect(reader.labels.addLabel({ params, payload: { name: "other" } })).rejects.toMatchObject({
    reason: "ScopeTooNarrow"
  })
  expect(await reader.labels.listLabels({ params })).toHaveLength(1)
})

it("rejects times that do not exist", async () => {
  const { workspace, ada, space } = await open()
  const { labels } = workspace.as(ada)
  for (const expiresAt of ["2001-99-99T99:00:00Z", "2001-02-31T00:00:00Z", "2001-99-99T99Z"]) {
    await expect(labels.add({ space, input: { name: "never", expiresAt } })).rejects.toMatchObject({
      reason: "InvalidFields"
    })
  }
})

it("fails with its own errors, with their HTTP statuses, in the process and in the typed client", async () => {
  const { workspace, ada, space, clientOf, handler, tokenOf } = await open()
  const { labels } = workspace.as(ada)
  await labels.add({ space, input: { name: "draft" } })
  const caught: unknown = await labels.add({ space, input: { name: "draft" } }).catch((error) => error)
  expect(isLecternError(caught) && labelErrors.NameTaken.is(caught)).toBe(true)
  expect(labelErrors.TooMany.is(caught)).toBe(false)
  const client = await clientOf(ada)
  const request = { params: { spaceId: space }, payload: { name: "draft" } }
  const received: unknown = await client.labels.addLabel(request).catch((error) => error)
  expect(labelErrors.NameTaken.is(received) && received.message).toBe(
    'The space has a label named "draft" already.'
  )
  const response = await handler(
    new Request(`http://localhost/v1/spaces/${space}/labels`, {
      method: "POST",
      headers: { authorization: `Bearer ${await tokenOf(ada)}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "draft" })
    })
  )
  expect(response.status).toBe(409)
  expect(await response.json()).toMatchObject({ error: { code: 409, reason: "labels.NameTaken" } })
})

it("is described in the OpenAPI document, with its errors and the errors of all operations", async () => {
  const { handler } = await open()
  const response = await handler(new Request("http://localhost/openapi.json"))
  const document = (await response.json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>
    readonly tags: ReadonlyArray<{ readonly name: string }>
    readonly components: { readonly schemas: Readonly<Record<string, object>> }
  }
  const operation = document.paths["/v1/spaces/{spaceId}/labels"]?.post
  expect(operation).toMatchObject({ operationId: "addLabel", summary: "Add a label" })
  expect(Object.keys(operation!.responses)).toEqual(
    expect.arrayContaining(["201", "400", "401", "404", "409", "422", "429"])
  )
  expect(JSON.stringify(operation!.responses)).toContain("#/components/schemas/LabelsNameTakenError")
  expect(JSON.stringify(document.components.schemas.LabelsNameTakenError)).toContain("labels.NameTaken")
  expect(document.tags.map(({ name }) => name)).toContain("Labels")
  const invalid = await handler(new Request("http://localhost/v1/spaces/none/labels", { method: "POST" }))
  expect(invalid.status).toBe(401)
})

it("has events, audit records and idempotency keys like every operation", async () => {
  const { workspace, ada, organization, space, clientOf } = await open()
  const events: Array<string> = []
  const unsubscribe = workspace.on("label.created", ({ data }) => void events.push(data.name))
  onTestFinished(unsubscribe)
  const client = await clientOf(ada)
  const add = () =>
    client.labels.addLabel(
      { params: { spaceId: space }, payload: { name: "draft" } },
      { idempotencyKey: "1" }
    )
  expect(await add()).toEqual(await add())
  await expect.poll(() => events, { timeout: 20_000 }).toEqual(["draft"])
  const { items } = await workspace
    .as(ada)
    .auditLog.list({ organization, input: { operation: "Labels.add" } })
  expect(items.map(({ outcome }) => outcome)).toEqual(["success"])
})

it("delivers its events to webhooks", async () => {
  const { workspace, ada, organization, space } = await open()
  const received: Array<readonly [request: IncomingMessage, body: string]> = []
  const server = createServer(async (request, response) => {
    received.push([request, await text(request)])
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const { secret } = await workspace.as(ada).webhooks.create({
    organization,
    input: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, events: ["label.created"] }
  })
  void workspace.work.run()
  await workspace.as(ada).labels.add({ space, input: { name: "draft" } })
  await expect.poll(() => received.length, { timeout: 20_000 }).toBe(1)
  const [request, body] = received[0]!
  expect(JSON.parse(body)).toMatchObject({ type: "label.created", data: { name: "draft" } })
  expect(verifyWebhook({ secret, header: String(request.headers["x-gitbook-signature"]), body })).toBe(true)
})

it("runs hooks before and after its commands", async () => {
  const { workspace, ada, space, executed } = await open()
  const { labels } = workspace.as(ada)
  await expect(labels.add({ space, input: { name: "secret" } })).rejects.toMatchObject({
    reason: "RejectedByHook"
  })
  await labels.add({ space, input: { name: "open" } })
  void workspace.work.run()
  await expect.poll(() => executed, { timeout: 20_000 }).toEqual(["Labels.add"])
  expect(await labels.list({ space })).toHaveLength(1)
})

it("rolls back with the transaction of a host", async () => {
  const { workspace, ada, organization, space } = await open()
  const stopped = workspace.transaction({ organizations: [organization] }, async (tx) => {
    await tx.as(ada).labels.add({ space, input: { name: "undone" } })
    throw new Error("The host has changed its mind.")
  })
  await expect(stopped).rejects.toThrow("changed its mind")
  expect(await workspace.as(ada).labels.list({ space })).toEqual([])
})

it("has a recurring job", async () => {
  const { workspace, ada, space } = await open()
  const { labels } = workspace.as(ada)
  await labels.add({ space, input: { name: "expired", expiresAt: "2001-01-01T00:00:00Z" } })
  await labels.add({ space, input: { name: "kept" } })
  void workspace.work.run()
  await expect
    .poll(async () => (await labels.list({ space })).map(({ name }) => name), { timeout: 20_000 })
    .toEqual(["kept"])
})

it("is checked by the doctor", async () => {
  const { workspace, ada, space } = await open()
  await workspace.as(ada).labels.add({ space, input: { name: "draft" } })
  const findings = await workspace.runtime.runPromise(
    Effect.gen(function* () {
      const { records } = yield* SystemGrant.make("Corrupts a label.")
      yield* records.update(labelTable, { op: "all" }, { name: "" })
      return yield* Stream.runCollect((yield* Doctor).findings)
    })
  )
  expect(findings.map(({ check }) => check)).toEqual(["label-name"])
})

it("adds the columns of its second release to the database of its first one", async () => {
  const database = new DatabaseSync(":memory:")
  onTestFinished(() => database.close())
  const { color: _, expiresAt: __, ...columns } = labelTable.columns
  const first = Table.makeProtected("labels", {
    columns,
    key: ["id"],
    tenant: "organization",
    unique: [["space", "name"]],
    references: labelTable.references,
    indexes: [["space", "name"]]
  })
  const firstRelease = defineFeature("labels", { tables: [first], userServices: {}, layer: Layer.empty })
  const former = createWorkspace({
    storage: sqlite({ database }),
    features: [firstRelease]
  })
  const ada = await former.administration.createUser({ input: { email: "ada@example.com" } })
  const organization = await former.administration.createOrganization({
    administrator: ada,
    input: { title: "Acme" }
  })
  const { id: space } = await former.as(ada).spaces.create({ organization, input: {} })
  await former.dispose()
  database.prepare("INSERT INTO labels VALUES ('1', ?, ?, 'old')").run(organization, space)

  const workspace = createWorkspace({ storage: sqlite({ database }), features: [labelsFeature] })
  onTestFinished(() => workspace.dispose())
  const { labels } = workspace.as(ada)
  expect(await labels.list({ space })).toMatchObject([
    { id: "1", space, name: "old", color: "gray", expiresAt: null }
  ])
  await labels.add({ space, input: { name: "new", color: "red" } })
  expect((await labels.list({ space })).map(({ color }) => color)).toEqual(["red", "gray"])
})

it("rejects a feature whose operations or names another one has", async () => {
  const { workspace } = await open()
  const twice = toWebHandler(workspace, { features: [labelsHttp, labelsHttp] })
  expect((await twice(new Request("http://localhost/v1/user"))).status).toBe(503)
  expect(() =>
    createClient({ baseUrl: "http://localhost", token: "t", features: [LabelsApi, LabelsApi] })
  ).toThrow(new TypeError('The group "labels" has the name "labels", which the group "labels" has already.'))
  expect(() => createFetchClient({ features: [labelRoutes, labelRoutes] })).toThrow(
    new TypeError('Another group has the name "labels".')
  )
})
