/** Defects, unreachable databases, cross-origin requests and invalid responses. */
import { RecordsAdapter, StorageUnavailable } from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Layer } from "effect"
import { afterEach, expect, it } from "vitest"
import { startServer, type TestServer } from "./support.ts"

let server: TestServer | undefined
afterEach(() => server?.close())

/** Starts a server whose store fails with this effect on each read, except reads of API tokens. */
const withFailingStore = async (failure: Effect.Effect<never, StorageUnavailable>) => {
  let fails = false
  const storage = Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (adapter) =>
      RecordsAdapter.of({
        ...adapter,
        find: (table, options) =>
          fails && table.name !== "apiTokens" ? failure : adapter.find(table, options),
        probe: Effect.suspend(() => (fails ? failure : adapter.probe))
      })
    )
  ).pipe(Layer.provide(MemoryStorage.layer()))
  server = await startServer(storage, { cors: ["https://app.example"] })
  const user = await server.core.createUser("ada@example.com")
  const token = await server.tokenOf(user)
  fails = true
  return { server, token }
}

it("responds to a defect with 500, with the request id of the log and without internals", async () => {
  const { server, token } = await withFailingStore(Effect.die(new Error("SELECT secret FROM inside")))
  const response = await server.fetch("/v1/spaces/any", { token, headers: { "x-request-id": "find-me" } })
  const text = await response.text()
  expect(response.status).toBe(500)
  expect(text).not.toMatch(/SELECT|inside|Error|at /)
  expect(text).toContain("find-me")
  expect(response.headers.get("x-request-id")).toBe("find-me")
})

it("responds with 503 and Retry-After if the database is unreachable", async () => {
  const { server, token } = await withFailingStore(
    Effect.fail(new StorageUnavailable({ reason: "Unreachable", detail: "away" }))
  )
  const response = await server.fetch("/v1/spaces/any", { token })
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"])
  expect((await server.fetch("/readyz")).status).toBe(503)
  expect((await server.fetch("/healthz")).status).toBe(200)
})

it("allows cross-origin requests only from the configured origins", async () => {
  const { server } = await withFailingStore(Effect.die("unused"))
  const preflight = (origin: string) =>
    server.fetch("/v1/orgs", {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "GET",
        "access-control-request-headers": "authorization"
      }
    })
  const allowed = await preflight("https://app.example")
  expect([allowed.status, allowed.headers.get("access-control-allow-origin")]).toEqual([
    204,
    "https://app.example"
  ])
  expect(allowed.headers.get("access-control-allow-headers")).toBe("authorization")
  const rejected = await preflight("https://evil.example")
  expect([rejected.status, rejected.headers.get("access-control-allow-origin")]).toEqual([405, null])
  const response = await server.fetch("/healthz", { headers: { origin: "https://app.example" } })
  expect([response.headers.get("access-control-allow-origin"), response.headers.get("vary")]).toEqual([
    "https://app.example",
    "Origin"
  ])
})

it("returns 500 for a response that violates its schema if `validateResponses` is set", async () => {
  const storage = Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (adapter) =>
      RecordsAdapter.of({
        ...adapter,
        find: (table, options) =>
          Effect.map(adapter.find(table, options), (rows) =>
            table.name === "users" ? rows.map((row) => ({ ...row, displayName: 5 })) : rows
          )
      })
    )
  ).pipe(Layer.provide(MemoryStorage.layer()))
  for (const [validateResponses, status] of [
    [true, 500],
    [false, 200]
  ] as const) {
    server = await startServer(storage, { validateResponses })
    const token = await server.tokenOf(await server.core.createUser("ada@example.com"))
    expect((await server.fetch("/v1/user", { token })).status).toBe(status)
    await server.close()
    server = undefined
  }
})
