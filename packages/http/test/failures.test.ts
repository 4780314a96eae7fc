/** Defects, unreachable databases, cross-origin requests and invalid responses. */
import { inspect } from "node:util"
import { RecordsAdapter, StorageUnavailable } from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Layer, Metric } from "effect"
import { afterEach, expect, it, onTestFinished, vi } from "vitest"
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

/** The status of `/readyz` for each reason. */
const readiness: Readonly<Record<StorageUnavailable["reason"], string>> = {
  Unreachable: "the database does not respond",
  DeadlineExceeded: "the database does not respond",
  Contention: "the database is locked",
  Overloaded: "no connection to the database is free",
  ReadOnly: "the database accepts no writes",
  Corrupted: "the database is corrupt",
  FileReplaced: "the database file was replaced, moved or deleted",
  ConversionFailed: "the conversion of content fails",
  SchemaTooNew: "a newer version of Lectern migrated the database"
}

it("reports each reason of an unavailable database to clients, in readiness, in the log and in the metrics", async () => {
  const printed = vi.spyOn(console, "log").mockImplementation(() => {})
  onTestFinished(() => printed.mockRestore())
  let reason: StorageUnavailable["reason"] = "Unreachable"
  const { server, token } = await withFailingStore(
    Effect.suspend(() => Effect.fail(new StorageUnavailable({ reason, detail: `detail of ${reason}` })))
  )
  const countFailures = async () => {
    const metrics = await server.core.runtime.runPromise(Metric.snapshot)
    return metrics.reduce(
      (sum, { id, attributes, state }) =>
        id === "lectern_operation_duration_ms" &&
        attributes?.outcome === "StorageUnavailable" &&
        "count" in state
          ? sum + Number(state.count)
          : sum,
      0
    )
  }
  for (const [name, status] of Object.entries(readiness)) {
    reason = name as StorageUnavailable["reason"]
    printed.mockClear()
    const before = await countFailures()
    const response = await server.fetch("/v1/orgs/any/spaces", { token })
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"])
    expect(await response.json()).toMatchObject({ error: { code: 503, reason } })
    expect(await countFailures()).toBe(before + 1)
    const log = inspect(printed.mock.calls, { depth: 8 })
    expect(log).toContain(`detail of ${reason}`)
    const readyz = await server.fetch("/readyz")
    expect([readyz.status, await readyz.json()]).toEqual([503, { status }])
    expect((await server.fetch("/healthz")).status).toBe(200)
    server.core.advance(1_000)
  }
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
