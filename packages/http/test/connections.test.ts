import { connect } from "node:net"
import { RecordsAdapter } from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { Deferred, Effect, Layer } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "./support.ts"

let server: TestServer | undefined
afterEach(() => server?.close())

/** Sends text as it is, and answers what comes back until the server closes or the time is over. */
const raw = (url: string, text: string, millis = 300): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1")
    let received = ""
    socket.on("data", (data) => {
      received += data
    })
    socket.on("error", () => {})
    socket.on("close", () => resolve(received))
    socket.write(text)
    setTimeout(() => socket.destroy(), millis)
  })

describe("a client that goes away before its answer", () => {
  it("ends what is done for it, and what comes next is answered", async () => {
    const [asked, gone] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()]
    let waits = false
    const storage = Layer.effect(
      RecordsAdapter,
      Effect.map(RecordsAdapter, (adapter) =>
        RecordsAdapter.of({
          ...adapter,
          find: (table, options) =>
            waits && table.name === "spaces"
              ? Deferred.succeed(asked, undefined).pipe(
                  Effect.andThen(Effect.never),
                  Effect.onInterrupt(() => Deferred.succeed(gone, undefined))
                )
              : adapter.find(table, options)
        })
      )
    ).pipe(Layer.provide(MemoryStorage.layer()))
    server = await startServer(storage)
    const token = await server.tokenOf(await server.core.createUser("ada@example.com"))
    waits = true
    const controller = new AbortController()
    const answer = server.fetch("/v1/spaces/any", { token, signal: controller.signal })
    await Effect.runPromise(Deferred.await(asked))
    controller.abort()
    await expect(answer).rejects.toThrow()
    await Effect.runPromise(Effect.timeout(Deferred.await(gone), "5 seconds"))
    expect((await server.fetch("/v1/user", { token })).status).toBe(200)
  })

  it("in the middle of its body, or of a transaction, leaves all of it or nothing, and nothing locked", async () => {
    const storage = Layer.effect(
      RecordsAdapter,
      Effect.map(RecordsAdapter, (adapter) =>
        RecordsAdapter.of({
          ...adapter,
          insert: (table, rows) =>
            table.name === "spaces"
              ? Effect.delay(adapter.insert(table, rows), "30 millis")
              : adapter.insert(table, rows)
        })
      )
    ).pipe(Layer.provide(MemoryStorage.layer()))
    server = await startServer(storage)
    const { fetch, url } = server
    const user = await server.core.createUser("ada@example.com")
    const organization = await server.core.createOrganization("Acme", user)
    const token = await server.tokenOf(user)
    const spaces = `/v1/orgs/${organization}/spaces`
    const head = `POST ${spaces} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`
    await raw(url, `${head}Content-Length: 1000\r\n\r\n{`, 50)
    for (let millis = 5; millis < 60; millis += 10) {
      await raw(url, `${head}Content-Length: 2\r\n\r\n{}`, millis)
    }
    expect((await fetch(spaces, { method: "POST", token, body: '{"title":"Last"}' })).status).toBe(201)
    const { items, count } = (await (await fetch(spaces, { token })).json()) as {
      items: ReadonlyArray<{ title: string }>
      count: number
    }
    expect(items[0]?.title).toBe("Last")
    expect(items.length).toBe(count)
  })
})

describe("a body", () => {
  const start = async () => {
    server = await startServer(MemoryStorage.layer())
    const token = await server.tokenOf(await server.core.createUser("ada@example.com"))
    return { server, token, path: "/v1/spaces/any" }
  }

  it("that is far too large is refused with an answer that arrives, and the connection is closed", async () => {
    const { server, token, path } = await start()
    let left = 40
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (left-- <= 0) controller.close()
        else controller.enqueue(new Uint8Array(1_000_000).fill(120))
      }
    })
    const init = { method: "PATCH", token, body, duplex: "half" } as RequestInit & { token: string }
    const streamed = await server.fetch(path, init)
    expect([streamed.status, streamed.headers.get("connection")]).toEqual([413, "close"])
    const head = `PATCH ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`
    const started = performance.now()
    // It says how much there will be, and sends nothing of it: it is refused at once, and let go of in a while.
    const told = await raw(server.url, `${head}Content-Length: 99999999\r\n\r\n`, 10_000)
    expect(told).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close[\s\S]*"code":413/i)
    expect(performance.now() - started).toBeLessThan(8_000)
  })

  it("that is nested without end is refused before it takes time", async () => {
    const { server, token, path } = await start()
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"]
    ] as const) {
      const body = `{"title":${open.repeat(500_000)}1${close.repeat(500_000)}}`
      const response = await server.fetch(path, { method: "PATCH", token, body })
      expect(await response.json()).toMatchObject({
        error: { code: 400, details: [{ path: "", message: "is nested too deep" }] }
      })
    }
    // Brackets in a text are text.
    const body = JSON.stringify({ title: "x", other: `\\"${"[".repeat(10_000)}` })
    expect((await server.fetch(path, { method: "PATCH", token, body })).status).toBe(404)
  })

  it("that is compressed, or of a type that is not JSON, is refused as such", async () => {
    const { server, token, path } = await start()
    for (const headers of [{ "content-encoding": "gzip" }, { "content-type": "text/json" }]) {
      expect((await server.fetch(path, { method: "PATCH", token, body: "{}", headers })).status).toBe(415)
    }
    const headers = { "content-type": "application/merge-patch+json; charset=utf-8" }
    expect((await server.fetch(path, { method: "PATCH", token, body: "{}", headers })).status).toBe(404)
  })

  it("that is malformed is told of together with what is wrong besides", async () => {
    const { server, token } = await start()
    const response = await server.fetch("/v1/spaces/a%20b", { method: "PATCH", token, body: "{" })
    const { error } = (await response.json()) as { error: { details: ReadonlyArray<{ path: string }> } }
    expect(error.details.map(({ path }) => path).sort()).toEqual(["", "spaceId"])
  })
})

it("HEAD has the length that GET has", async () => {
  server = await startServer(MemoryStorage.layer())
  const token = await server.tokenOf(await server.core.createUser("ada@example.com"))
  const [get, head] = [
    await server.fetch("/v1/user", { token }),
    await server.fetch("/v1/user", { token, method: "HEAD" })
  ]
  expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"))
  expect(Number(head.headers.get("content-length"))).toBe(new TextEncoder().encode(await get.text()).length)
  expect(await head.text()).toBe("")
})
