/** Clients that send malformed requests, or bodies that never end. */
import { connect } from "node:net"
import { MemoryStorage } from "@lectern/testkit"
import { expect, it, onTestFinished } from "vitest"
import { adminToken, serve } from "./processes.ts"
import { until } from "./support/until.ts"
import { startServer } from "./support.ts"

/** Opens a connection, sends text unchanged, and returns the received data so far. */
const open = (url: string, text: string) => {
  const socket = connect(Number(new URL(url).port), "127.0.0.1")
  let received = ""
  let isClosed = false
  socket.on("error", () => {})
  socket.on("data", (data) => {
    received += data
  })
  socket.on("close", () => {
    isClosed = true
  })
  socket.write(text)
  onTestFinished(() => void socket.destroy())
  return { received: () => received, isClosed: () => isClosed }
}

const get = "GET /v1/user HTTP/1.1"
const authorized = `host: x\r\nauthorization: Bearer ${adminToken}\r\n`

it("lectern serve rejects malformed requests as JSON with the headers of all responses, and closes the connection", async () => {
  const server = await serve("sqlite::memory:")
  const requests: ReadonlyArray<readonly [text: string, status: number]> = [
    [`${get}\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n`, 400],
    [
      `POST /v1/user HTTP/1.1\r\n${authorized}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      400
    ],
    [`POST /v1/user HTTP/1.1\r\n${authorized}content-length: 4\r\ncontent-length: 5\r\n\r\nabcd`, 400],
    [`${get}\r\n${authorized}content-length : 3\r\n\r\n`, 400],
    [`${get}\r\nhost: x\r\nx: a\r\n b\r\n\r\n`, 400],
    ["GET /v1/spaces/a\0b HTTP/1.1\r\nhost: x\r\n\r\n", 400],
    ["GET \\v1\\user HTTP/1.1\r\nhost: x\r\n\r\n", 400],
    ["FOO /v1/user HTTP/1.1\r\nhost: x\r\n\r\n", 400],
    [`${get}\r\nhost: x\r\nx: ${"a".repeat(20_000)}\r\n\r\n`, 431],
    [`${get}\r\n${Array.from({ length: 3000 }, (_, index) => `x${index}: 1\r\n`).join("")}\r\n`, 431]
  ]
  for (const [text, status] of requests) {
    const { received, isClosed } = open(server.url, text)
    await until(`the connection of ${JSON.stringify(text.slice(0, 60))} closes`, isClosed)
    const [head, body] = received().split("\r\n\r\n") as [string, string]
    expect([text.slice(0, 60), head.split(" ")[1]]).toEqual([text.slice(0, 60), String(status)])
    expect(head.toLowerCase()).toContain("x-content-type-options: nosniff")
    expect(head.toLowerCase()).toContain("cache-control: no-store")
    expect(JSON.parse(body)).toMatchObject({ error: { code: status, reason: "MalformedRequest" } })
  }
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  await server.end("SIGTERM")
})

/** Starts a server that receives at most four bodies, and returns a function that begins to send one. */
const startReceiver = async (bodyTimeoutMs: number) => {
  const server = await startServer(MemoryStorage.layer(), {
    limits: { maxConcurrentRequests: 1, bodyTimeoutMs }
  })
  onTestFinished(() => server.close())
  const user = await server.core.createUser("ada@example.com")
  const organization = await server.core.createOrganization("Acme", user)
  const token = await server.tokenOf(user)
  const path = `/v1/orgs/${organization}/spaces`
  const begin = () =>
    open(
      server.url,
      `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`
    )
  const write = async () => (await server.fetch(path, { method: "POST", token, body: "{}" })).status
  return { begin, write }
}

it("rejects the oldest of too many bodies that do not end, so that others can write", async () => {
  const { begin, write } = await startReceiver(20_000)
  const slow = [begin(), begin(), begin(), begin(), begin(), begin()]
  await until("two bodies are rejected", () => slow.filter(({ received }) => received() !== "").length >= 2)
  // A body can be rejected for another one after a tenth of its timeout.
  await until("another client can write", async () => (await write()) === 201)
  // The other bodies have not reached their timeout.
  expect(slow.filter(({ received }) => received() === "").length).toBeGreaterThan(1)
})

it("rejects a body that does not end within its timeout", async () => {
  const { begin, write } = await startReceiver(200)
  const { received } = begin()
  await until("the body is rejected", () => received().includes("DeadlineExceeded"))
  expect(await write()).toBe(201)
})
