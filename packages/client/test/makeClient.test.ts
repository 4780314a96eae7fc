import { InvalidInput, makeClient, NotFound } from "@lectern/client"
import { OrganizationId, SpaceId } from "@lectern/model"
import { Effect, Fiber } from "effect"
import { FetchHttpClient } from "effect/http"
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest"
import { startServer, startSilentServer, type TestServer } from "./server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

describe("the client for Effect", () => {
  it("returns resources and fails with declared errors", async () => {
    const program = Effect.gen(function* () {
      const client = yield* makeClient({ baseUrl: server.baseUrl, token: server.token })
      const { id } = yield* client.spaces.createSpace({
        params: { organizationId: OrganizationId.make(server.organizationId) },
        payload: { title: "Handbook" }
      })
      const space = yield* client.spaces.getSpaceById({ params: { spaceId: id }, query: {} })
      const missing = yield* client.spaces
        .getSpaceById({ params: { spaceId: SpaceId.make("nothing") }, query: {} })
        .pipe(Effect.catchTag("NotFound", (error) => Effect.succeed(error)))
      expectTypeOf(missing).toExtend<NotFound | typeof space>()
      return { space, missing }
    })
    const { space, missing } = await Effect.runPromise(Effect.provide(program, FetchHttpClient.layer))
    expect(space.title).toBe("Handbook")
    expect(missing).toBeInstanceOf(NotFound)
  })

  it("closes the connection of an interrupted request", async () => {
    const silent = await startSilentServer()
    try {
      const program = Effect.flatMap(makeClient({ baseUrl: silent.baseUrl, token: "t" }), (client) =>
        client.users.getAuthenticatedUser()
      )
      const fiber = Effect.runFork(Effect.provide(program, FetchHttpClient.layer))
      await silent.requested
      await Effect.runPromise(Fiber.interrupt(fiber))
      await silent.closed
    } finally {
      await silent.close()
    }
  })

  it("fails with InvalidInput if an option is malformed", async () => {
    const error = await Effect.runPromise(
      makeClient({ baseUrl: "docs.example.com", token: "t" }).pipe(
        Effect.flip,
        Effect.provide(FetchHttpClient.layer)
      )
    )
    expect(error).toBeInstanceOf(InvalidInput)
  })
})
