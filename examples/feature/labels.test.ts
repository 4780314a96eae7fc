/** The parts of a feature of a host: operations, routes, a typed client, events, audit, jobs, checks, hooks and columns added later. */
import { DatabaseSync } from "node:sqlite"
import { createClient } from "@lectern/client"
import {
  createWorkspace,
  Doctor,
  defineFeature,
  isLecternError,
  rejectCommand,
  SystemGrant,
  Table
} from "@lectern/core"
import { toWebHandler } from "@lectern/http"
import { sqlite } from "@lectern/storage-sqlite"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Layer, Stream } from "effect"
import { expect, it, onTestFinished } from "vitest"
import { LabelsApi } from "./LabelsApi.ts"
import { labelsFeature, labelsHttp } from "./labelsFeature.ts"
import { labelTable } from "./labelTable.ts"

const open = async (storage: Parameters<typeof createWorkspace>[0]["storage"] = MemoryStorage.layer()) => {
  const workspace = createWorkspace({
    storage,
    features: [labelsFeature],
    hooks: {
      before: {
        "Labels.add": ({ parameters }) => {
          if (parameters.input.name === "secret") throw rejectCommand("Labels must not be secret.")
        }
      }
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
  const clientOf = async (user: string) => {
    const { secret } = await workspace.tokens.create({ input: { user, label: "Test" } })
    return createClient({
      baseUrl: "http://localhost",
      token: secret,
      features: [LabelsApi],
      fetch: (...request) => handler(new Request(...request))
    })
  }
  return { workspace, ada, eve, organization, space, handler, clientOf }
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
  await expect(
    byAda.labels.addLabel({ params: { spaceId: space }, payload: { name: "secret" } })
  ).rejects.toMatchObject({ _tag: "Forbidden" })
  await byAda.labels.removeLabel({ params: { spaceId: space, label: added.id } })
  expect(await workspace.as(ada).labels.list({ space })).toEqual([])
})

it("is described in the OpenAPI document, with the errors and the authentication of all operations", async () => {
  const { handler } = await open()
  const response = await handler(new Request("http://localhost/openapi.json"))
  const { paths, tags } = (await response.json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>
    readonly tags: ReadonlyArray<{ readonly name: string }>
  }
  const operation = paths["/v1/spaces/{spaceId}/labels"]?.post
  expect(operation).toMatchObject({ operationId: "addLabel", summary: "Add a label" })
  expect(Object.keys(operation!.responses)).toEqual(
    expect.arrayContaining(["201", "400", "401", "404", "429"])
  )
  expect(tags.map(({ name }) => name)).toContain("Labels")
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

it("shares transactions, has a recurring job, and is checked by the doctor", async () => {
  const { workspace, ada, organization, space } = await open()
  const stopped = workspace.transaction({ organizations: [organization] }, async (tx) => {
    await tx.as(ada).labels.add({ space, input: { name: "undone" } })
    throw new Error("The host has changed its mind.")
  })
  await expect(stopped).rejects.toThrow("changed its mind")
  const { labels } = workspace.as(ada)
  await labels.add({ space, input: { name: "expired", expiresAt: "2001-01-01T00:00:00Z" } })
  await labels.add({ space, input: { name: "kept" } })
  void workspace.work.run()
  await expect
    .poll(async () => (await labels.list({ space })).map(({ name }) => name), { timeout: 20_000 })
    .toEqual(["kept"])
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
  expect(await labels.list({ space })).toEqual([
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
  expect(isLecternError(new TypeError())).toBe(false)
})
