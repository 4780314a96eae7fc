/** Preconditions and idempotency keys of both clients. */
import {
  Conflict,
  createClient,
  makeClient,
  PreconditionFailed,
  type ResponseDetails,
  withConditions
} from "@lectern/client"
import { OrganizationId } from "@lectern/model"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "./server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

describe("the promise client", () => {
  const startClient = () => {
    const client = createClient({ baseUrl: server.baseUrl, token: Redacted.value(server.token) })
    const params = { organizationId: server.organizationId }
    const responses: Array<ResponseDetails> = []
    const onResponse = (details: ResponseDetails) => void responses.push(details)
    return { client, params, responses, onResponse }
  }

  it("changes a resource only if it has the entity tag of `ifMatch`", async () => {
    const { client, params, responses, onResponse } = startClient()
    const { id: spaceId } = await client.spaces.createSpace({ params, payload: { title: "First" } })
    await client.spaces.getSpaceById({ params: { spaceId } }, { onResponse })
    const ifMatch = responses[0]!.etag!
    const rename = (title: string) =>
      client.spaces.updateSpaceById({ params: { spaceId }, payload: { title } }, { ifMatch, onResponse })
    expect((await rename("Second")).title).toBe("Second")
    await expect(rename("Third")).rejects.toThrow(PreconditionFailed)
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 412])
    expect(responses[1]!.etag).not.toBe(ifMatch)
  })

  it("repeats a request with the same `idempotencyKey` without effect", async () => {
    const { client, params, responses, onResponse } = startClient()
    const create = (title: string) =>
      client.spaces.createSpace({ params, payload: { title } }, { idempotencyKey: "a-key", onResponse })
    expect(await create("Once")).toEqual(await create("Once"))
    expect(responses.map(({ isReplayed }) => isReplayed)).toEqual([false, true])
    await expect(create("Another")).rejects.toThrow(Conflict)
  })

  it("creates a resource only if it does not exist with `ifNoneMatch`", async () => {
    const { client, params } = startClient()
    const create = () =>
      client.openApiSpecs.createOrUpdateOpenAPISpecBySlug(
        { params: { ...params, specSlug: "pets" }, payload: { source: { text: "openapi: 3.1.0" } } },
        { ifNoneMatch: "*" }
      )
    expect((await create()).slug).toBe("pets")
    await expect(create()).rejects.toMatchObject({ reason: "AlreadyExists" })
  })
})

it("the Effect client sends the conditions of an effect", async () => {
  const program = Effect.gen(function* () {
    const client = yield* makeClient({ baseUrl: server.baseUrl, token: server.token })
    const params = { organizationId: OrganizationId.make(server.organizationId) }
    const create = client.spaces.createSpace({ params, payload: {} })
    const repeat = create.pipe(withConditions({ idempotencyKey: "by-effect" }))
    const [one, other, another] = [yield* repeat, yield* repeat, yield* create]
    const rename = client.spaces
      .updateSpaceById({ params: { spaceId: one.id }, payload: { title: "New" } })
      .pipe(withConditions({ ifMatch: '"stale"' }))
    return { one, other, another, failure: yield* Effect.flip(rename) }
  })
  const { one, other, another, failure } = await Effect.runPromise(
    Effect.provide(program, FetchHttpClient.layer)
  )
  expect(other.id).toBe(one.id)
  expect(another.id).not.toBe(one.id)
  expect(failure).toMatchObject({ _tag: "PreconditionFailed", reason: "StaleVersion" })
})
