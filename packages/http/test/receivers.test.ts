/** Bodies that are received at the same time: no organization and no address prevents others from sending. */
import { connect, type Socket } from "node:net"
import type { UploadUrl } from "@lectern/core"
import { runs } from "@lectern/harness"
import { operations } from "@lectern/harness/operations"
import fc from "fast-check"
import { describe, expect, it, onTestFinished } from "vitest"
import { makeReceivers, type Receiver } from "../src/server/limits/receivers.ts"
import { jsonResponse } from "../src/server/messages/Message.ts"
import { callForBody } from "./caller.ts"
import { memory } from "./stores.ts"
import { until } from "./support/until.ts"
import { startServerOn, type TestServer } from "./support.ts"

const limits = {
  bodies: 80,
  uploads: 40,
  minimumAgeMs: 12_000,
  tooMany: (maximum: number, noun: string) => jsonResponse(429, `${maximum} ${noun}`),
  overloaded: () => jsonResponse(503, "")
}

const name = (prefix: string, most: number) => fc.nat(most).map((index) => `${prefix}${index}`)

/** Requests of at most 6 organizations and 12 addresses, with any users and URLs. */
const generatedReceiver = fc.record({
  isUpload: fc.boolean(),
  source: fc.record({
    url: fc.option(name("url", 300), { nil: undefined }),
    user: name("user", 60),
    organization: name("organization", 5),
    address: name("address", 11)
  })
})

describe("the requests that are receiving bodies", () => {
  it("have room for another organization and another address, for all requests of others", () => {
    fc.assert(
      fc.property(
        fc.array(generatedReceiver, { minLength: 150, maxLength: 400, size: "max" }),
        fc.boolean(),
        (sent, isUpload) => {
          const receivers = makeReceivers(limits)
          for (const one of sent) receivers.add({ ...one, since: 0, reject: () => {} })
          let rejected = 0
          const source = { url: "own", user: "own", organization: "own", address: "own" }
          const own: Receiver = { since: 0, isUpload, source, reject: () => rejected++ }
          expect(receivers.add(own)).toBeUndefined()
          for (const one of sent) receivers.add({ ...one, since: 0, reject: () => {} })
          expect(rejected).toBe(0)
        }
      ),
      runs(200)
    )
  })

  it("never exceed the limits of all, of uploads, and of a URL, a user and an address", () => {
    fc.assert(
      fc.property(fc.array(generatedReceiver, { minLength: 150, maxLength: 400, size: "max" }), (sent) => {
        const receivers = makeReceivers(limits)
        const active = new Set<Receiver>()
        for (const one of sent) {
          const receiver: Receiver = { ...one, since: 0, reject: () => active.delete(receiver) }
          if (receivers.add(receiver) === undefined) active.add(receiver)
          const uploads = [...active].filter((each) => each.isUpload)
          const most = (key: "url" | "user" | "address") => {
            const counts = new Map<string, number>()
            for (const { source } of uploads) {
              const value = source[key]
              if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1)
            }
            return Math.max(0, ...counts.values())
          }
          expect(active.size).toBeLessThanOrEqual(limits.bodies)
          expect(uploads.length).toBeLessThanOrEqual(limits.uploads)
          expect([most("url") <= 1, most("user") <= 1, most("address") <= 5]).toEqual([true, true, true])
        }
      }),
      runs(100)
    )
  })
})

/** Sends a head and the begin of a body, which never ends. */
const sendUnfinished = (server: TestServer, head: ReadonlyArray<string>, begin = "{"): Socket => {
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1")
  socket.on("error", () => {})
  socket.write(`${[...head, "host: x", "content-length: 100000"].join("\r\n")}\r\n\r\n${begin}`)
  onTestFinished(() => void socket.destroy())
  return socket
}

const responseOf = (socket: Socket): Promise<string> =>
  new Promise((resolve) => socket.once("data", (data) => resolve(String(data).split("\r\n", 1)[0]!)))

const start = async (limits: object) => {
  const server = await startServerOn(memory, { trustedProxies: 1, limits })
  const user = await server.core.createUser("ada@example.com")
  const organization = await server.core.createOrganization("Acme", user)
  const token = await server.tokenOf(user)
  const create = async () => {
    const { url } = await callForBody<UploadUrl>(
      server,
      token,
      "POST",
      `/orgs/${organization}/storage/upload`,
      {
        file: { name: "a.md", type: "", size: 100_000 },
        kind: "import_file"
      }
    )
    const { pathname, search } = new URL(url)
    return pathname + search
  }
  return { server, user, organization, token, create }
}

describe("a body of which no byte arrives", () => {
  it("ends after the idle timeout, on every route that has a body", async () => {
    const { server, token, create } = await start({ bodyIdleTimeoutMs: 50 })
    const upload = await create()
    const routes = [
      ...operations
        .filter(({ method }) => method !== "GET" && method !== "DELETE")
        .map(({ method, path }) => [method, path.replaceAll(/:\w+/g, "unknown")] as const),
      ["PUT", upload] as const
    ]
    const statuses = new Map<string, number>()
    for (const [method, path] of routes) {
      const socket = sendUnfinished(server, [
        `${method} ${path} HTTP/1.1`,
        `authorization: Bearer ${token}`,
        "content-type: application/json"
      ])
      const status = (await responseOf(socket)).slice(9, 12)
      socket.destroy()
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      // Operations without a body, and unknown paths, respond immediately.
      expect([
        method,
        path,
        ["408", "404", "403", "400", "405", "409", "204", "200", "201"].includes(status)
      ]).toEqual([method, path, true])
    }
    expect(statuses.get("408")).toBeGreaterThan(50)
  })

  it("does not end while bytes arrive", async () => {
    const { server, create } = await start({ bodyIdleTimeoutMs: 300 })
    const socket = sendUnfinished(server, [`PUT ${await create()} HTTP/1.1`], "a".repeat(1_000))
    const ended = responseOf(socket)
    for (let sent = 0; sent < 9; sent++) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      socket.write("a".repeat(11_000))
    }
    expect(await ended).toBe("HTTP/1.1 204 No Content")
  })
})

describe("idle uploads", () => {
  it("are limited to one of each URL, and to a few of a user and of an address", async () => {
    const { server, create } = await start({ maxConcurrentRequests: 50 })
    const targets: Array<string> = []
    for (let count = 0; count < 6; count++) targets.push(await create())
    const send = (target: string) => responseOf(sendUnfinished(server, [`PUT ${target} HTTP/1.1`], "a"))
    const first = send(targets[0]!)
    const tooMany = "HTTP/1.1 429 Too Many Requests"
    await until("the upload is in progress", async () => {
      const response = await Promise.race([send(targets[0]!), first])
      return response === tooMany
    })
    const statuses: Array<string> = []
    for (const target of targets.slice(1)) void send(target).then((line) => statuses.push(line))
    // One user can have 4 of 100 uploads.
    await until("those over the limit are rejected", () => statuses.length === 2)
    expect(statuses).toEqual([tooMany, tooMany])
  })

  it("of all members of an organization leave room for uploads of another one", async () => {
    const { server, user, organization, token } = await start({ maxConcurrentRequests: 5 })
    const members = Array.from({ length: 10 }, (_, index) => `guest${index}@example.com`)
    await callForBody(server, token, "POST", `/orgs/${organization}/invites`, {
      emails: members,
      role: "read"
    })
    const { items } = await callForBody<{ items: ReadonlyArray<{ id: string }> }>(
      server,
      token,
      "GET",
      `/orgs/${organization}/members?limit=100`
    )
    const guests = items.map(({ id }) => id).filter((id) => id !== user)
    expect(guests).toHaveLength(10)
    const uploadOf = async (user: string, target: string) => {
      const { url } = await callForBody<UploadUrl>(
        server,
        await server.tokenOf(user),
        "POST",
        `/orgs/${target}/storage/upload`,
        { file: { name: "a.md", type: "", size: 3 }, kind: "import_file" }
      )
      const { pathname, search } = new URL(url)
      return pathname + search
    }
    const rejected: Array<string> = []
    const sockets: Array<Socket> = []
    for (const [index, guest] of guests.entries()) {
      const path = await uploadOf(guest, organization)
      const socket = connect(Number(new URL(server.url).port), "127.0.0.1")
      onTestFinished(() => void socket.destroy())
      socket.write(
        `PUT ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\nx-forwarded-for: 10.0.0.${index}\r\n\r\na`
      )
      void responseOf(socket).then((line) => rejected.push(line))
      sockets.push(socket)
    }
    const bob = await server.core.createUser("bob@example.com")
    const elsewhere = await server.core.createOrganization("Elsewhere", bob)
    const path = await uploadOf(bob, elsewhere)
    const response = await fetch(server.url + path, { method: "PUT", body: "abc" })
    expect(response.status).toBe(204)
    await until("an upload of the other organization has ended", () => rejected.length === 1)
    expect(rejected).toEqual(["HTTP/1.1 503 Service Unavailable"])
  })
})
