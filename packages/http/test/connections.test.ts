/** Clients that disconnect during a request, and request bodies that are too large, too deep or malformed. */
import { connect } from "node:net"
import { RecordsAdapter } from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { Deferred, Effect, Layer } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "./support.ts"

let server: TestServer | undefined
afterEach(() => server?.close())

/** Sends text unchanged, and closes the connection once the system has accepted it. */
const sendAndLeave = (url: string, text: string): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1")
    socket.on("error", () => {})
    socket.on("close", () => resolve())
    socket.write(text, () => socket.destroy())
  })

/** Sends text unchanged, and returns the data that arrives before the server closes the connection. */
const receiveAll = (url: string, text: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1")
    let received = ""
    socket.on("data", (data) => {
      received += data
    })
    socket.on("error", () => {})
    socket.on("close", () => resolve(received))
    socket.write(text)
  })

type Adapter = RecordsAdapter["Service"]

/** An in-memory store with some of its methods replaced. */
const storeWith = (replace: (adapter: Adapter) => Partial<Adapter>) =>
  Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (adapter) => RecordsAdapter.of({ ...adapter, ...replace(adapter) }))
  ).pipe(Layer.provide(MemoryStorage.layer()))

/** A point at which a request of the server pauses until it is interrupted. */
const makePausePoint = () => {
  const [reached, interrupted] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()]
  return {
    pause: Deferred.succeed(reached, undefined).pipe(
      Effect.andThen(Effect.never),
      Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
    ),
    reached: () => Effect.runPromise(Deferred.await(reached)),
    interrupted: () => Effect.runPromise(Deferred.await(interrupted))
  }
}

describe("a client that disconnects before its response", () => {
  it("interrupts its request, and the next request is served", async () => {
    const point = makePausePoint()
    let waits = false
    server = await startServer(
      storeWith(({ find }) => ({
        find: (table, options) => (waits && table.name === "spaces" ? point.pause : find(table, options))
      }))
    )
    const token = await server.tokenOf(await server.core.createUser("ada@example.com"))
    waits = true
    const controller = new AbortController()
    const response = server.fetch("/v1/spaces/any", { token, signal: controller.signal })
    await point.reached()
    controller.abort()
    await expect(response).rejects.toThrow()
    await point.interrupted()
    expect((await server.fetch("/v1/user", { token })).status).toBe(200)
  })

  /** Starts a server on a store; returns functions that create and list spaces, and the head of a raw request. */
  const startSpaces = async (storage: ReturnType<typeof storeWith>) => {
    const started = await startServer(storage)
    server = started
    const user = await started.core.createUser("ada@example.com")
    const organization = await started.core.createOrganization("Acme", user)
    const token = await started.tokenOf(user)
    const path = `/v1/orgs/${organization}/spaces`
    return {
      url: started.url,
      head: `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`,
      create: async (title: string) =>
        (await started.fetch(path, { method: "POST", token, body: JSON.stringify({ title }) })).status,
      list: async () => {
        const { items, count } = (await (await started.fetch(path, { token })).json()) as {
          items: ReadonlyArray<{ title: string }>
          count: number
        }
        expect(items.length).toBe(count)
        return items.map(({ title }) => title)
      }
    }
  }

  it("in the middle of the request body creates nothing", async () => {
    const { url, head, create, list } = await startSpaces(MemoryStorage.layer())
    await sendAndLeave(url, `${head}Content-Length: 1000\r\n\r\n{`)
    expect(await create("Last")).toBe(201)
    expect(await list()).toEqual(["Last"])
  })

  for (const place of ["before", "after"] as const) {
    it(`in a transaction, ${place} its first row is written, creates nothing and holds no lock`, async () => {
      let point: ReturnType<typeof makePausePoint> | undefined = makePausePoint()
      const pause = Effect.suspend(() => point?.pause ?? Effect.void)
      const { url, head, create, list } = await startSpaces(
        storeWith(({ insert }) => ({
          insert: (table, rows) => {
            if (table.name !== "spaces") return insert(table, rows)
            return place === "before"
              ? Effect.andThen(pause, insert(table, rows))
              : Effect.tap(insert(table, rows), pause)
          }
        }))
      )
      const socket = connect(Number(new URL(url).port), "127.0.0.1")
      socket.write(`${head}Content-Length: 2\r\n\r\n{}`)
      await point.reached()
      socket.destroy()
      await point.interrupted()
      point = undefined
      expect(await create("Last")).toBe(201)
      expect(await list()).toEqual(["Last"])
    })
  }

  it("at any tick of the event loop creates a complete space or nothing", async () => {
    const { url, head, create, list } = await startSpaces(MemoryStorage.layer())
    const tickCount = 12
    for (let tick = 0; tick < tickCount; tick++) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(new URL(url).port), "127.0.0.1")
        socket.on("close", () => resolve())
        socket.write(`${head}Content-Length: 2\r\n\r\n{}`)
        const disconnectAfter = (left: number): void =>
          void (left === 0 ? socket.destroy() : setImmediate(() => disconnectAfter(left - 1)))
        disconnectAfter(tick)
      })
    }
    expect(await create("Last")).toBe(201)
    const titles = await list()
    expect(titles[0]).toBe("Last")
    expect(titles.length).toBeLessThanOrEqual(tickCount + 1)
  })
})

describe("a request body", () => {
  const start = async () => {
    server = await startServer(MemoryStorage.layer())
    const ada = await server.core.createUser("ada@example.com")
    const token = await server.tokenOf(ada)
    const organization = await server.core.createOrganization("Acme", ada)
    const created = await server.fetch(`/v1/orgs/${organization}/spaces`, { method: "POST", token })
    const { id } = (await created.json()) as { id: string }
    return { server, token, path: "/v1/spaces/any", space: `/v1/spaces/${id}` }
  }

  it("above the limit is rejected with a response that arrives, and the connection is closed", async () => {
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
    // The client declares a length and sends no body. The server responds and closes the connection.
    const received = await receiveAll(server.url, `${head}Content-Length: 99999999\r\n\r\n`)
    expect(received).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close[\s\S]*"code":413/i)
  })

  it("with more values than the limit is rejected before it is parsed", async () => {
    const { server, token, space } = await start()
    const bodyOf = (count: number) => `{"title":[${Array(count).fill('","').join(",")}]}`
    const sendValues = async (count: number): Promise<string> =>
      JSON.stringify(
        await (await server.fetch(space, { method: "PATCH", token, body: bodyOf(count) })).json()
      )
    const [, limit = ""] = /has more than ([\d,]+) values/.exec(await sendValues(300_000)) ?? []
    const count = Number(limit.replaceAll(",", ""))
    expect(count).toBeGreaterThan(5_000)
    // The commas within strings do not count.
    expect(await sendValues(count)).not.toContain("has more than")
    expect(await sendValues(count + 1)).toContain(`has more than ${limit} values`)
  })

  it("nested deeper than the limit is rejected before it is parsed", async () => {
    const { server, token, space } = await start()
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"]
    ] as const) {
      const body = `{"title":${open.repeat(500_000)}1${close.repeat(500_000)}}`
      const response = await server.fetch(space, { method: "PATCH", token, body })
      expect(await response.json()).toMatchObject({
        error: { code: 400, details: [{ path: "", message: "is nested more than 200 levels deep" }] }
      })
    }
    // Brackets in strings do not count.
    const body = JSON.stringify({ title: "x", other: `\\"${"[".repeat(10_000)}` })
    expect((await server.fetch(space, { method: "PATCH", token, body })).status).toBe(200)
  })

  it("with an unsupported encoding, or whose media type is not JSON, is rejected with 415", async () => {
    const { server, token, path } = await start()
    for (const headers of [{ "content-encoding": "compress" }, { "content-type": "text/json" }]) {
      expect((await server.fetch(path, { method: "PATCH", token, body: "{}", headers })).status).toBe(415)
    }
    const headers = { "content-type": "application/merge-patch+json; charset=utf-8" }
    expect((await server.fetch(path, { method: "PATCH", token, body: "{}", headers })).status).toBe(404)
  })

  it("that is malformed is reported together with the other invalid parameters", async () => {
    const { server, token } = await start()
    const response = await server.fetch("/v1/spaces/a%20b", { method: "PATCH", token, body: "{" })
    const { error } = (await response.json()) as { error: { details: ReadonlyArray<{ path: string }> } }
    expect(error.details.map(({ path }) => path).sort()).toEqual(["", "spaceId"])
  })
})

it("HEAD returns the content length of GET", async () => {
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
