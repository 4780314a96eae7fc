/** The server inside the application of a host: as a Node listener, as a web handler and with its own runtime. */
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import {
  Authenticator,
  createWorkspace,
  type EmbeddedWorkspace,
  type RecordsAdapter,
  StorageUnavailable,
  Unauthenticated,
  UserId,
  Workspace
} from "@lectern/core"
import { toNodeListener, toWebHandler } from "@lectern/http"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest"

let workspace: EmbeddedWorkspace
let organization: string
let headers: Record<string, string>

beforeEach(async () => {
  workspace = createWorkspace({ storage: MemoryStorage.layer() })
  const ada = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
  organization = await workspace.administration.createOrganization({
    administrator: ada,
    input: { title: "Acme" }
  })
  const { secret } = await workspace.tokens.create({ input: { user: ada, label: "Test" } })
  headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" }
})
afterEach(() => workspace.dispose())

const listenWith = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it("serves only paths below the prefix, with or without slashes around it", async () => {
  for (const prefix of ["/docs/api", "docs/api", "/docs/api/"]) {
    const handler = toWebHandler(workspace, { prefix })
    const url = await listenWith(toNodeListener(workspace, { prefix }))
    const handlers = [
      (path: string) => handler(new Request(`http://host${path}`, { headers })),
      (path: string) => fetch(url + path, { headers })
    ]
    for (const get of handlers) {
      expect((await get("/docs/api/v1/user")).status).toBe(200)
      expect((await get("/docs/api/healthz?x")).status).toBe(200)
      for (const path of ["/v1/user", "/docs/apis/v1/user", "/docs/api/nothing", "/docs"]) {
        const missing = await get(path)
        expect(missing.status).toBe(404)
        expect(missing.headers.get("x-request-id")).toMatch(/./)
        expect(await missing.json()).toMatchObject({ error: { code: 404 } })
      }
    }
  }
})

it("accepts a body that the host has already parsed", async () => {
  const listener = toNodeListener(workspace)
  // Like body parsers, it reads the whole request, and sets `body`.
  const url = await listenWith((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString()
      const kind = request.headers["x-parser"]
      const body = kind === "json" ? JSON.parse(text) : kind === "raw" ? Buffer.from(text) : text
      setImmediate(() => listener(Object.assign(request, kind === "none" ? {} : { body }), response))
    })
  })
  const create = async (parser: string) => {
    const body = JSON.stringify({ title: `By ${parser}` })
    const init = { method: "POST", headers: { ...headers, "x-parser": parser }, body }
    const response = await fetch(`${url}/v1/orgs/${organization}/spaces`, init)
    expect(response.status).toBe(201)
    return ((await response.json()) as { title: string }).title
  }
  expect(await create("json")).toBe("By json")
  expect(await create("raw")).toBe("By raw")
  expect(await create("text")).toBe("By text")
  // A parser that sets no body leaves an empty one; the server does not wait for data.
  expect(await create("none")).toBe("Untitled")
})

it("rejects a web-standard request whose body is interrupted or too large with a client error", async () => {
  const handler = toWebHandler(workspace, { bodyLimit: 100 })
  const post = (body: ReadableStream<Uint8Array> | string, owner = organization) =>
    handler(
      new Request(`http://host/v1/orgs/${owner}/spaces`, {
        method: "POST",
        headers,
        body,
        duplex: "half"
      } as RequestInit)
    )
  const broken = () =>
    new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error("gone")) })
  expect((await post(broken())).status).toBe(400)
  expect((await post(broken(), "elsewhere")).status).toBe(404)
  let pulled = 0
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      pulled++
      controller.enqueue(new Uint8Array(60))
    }
  })
  const tooLarge = await post(endless)
  expect(tooLarge.status).toBe(413)
  // The host owns the connections, and HTTP/2 forbids this header.
  expect(tooLarge.headers.get("connection")).toBeNull()
  expect(pulled).toBeLessThan(10)
})

it("responds with 503 if the workspace cannot be opened, as a web handler and as a Node listener", async () => {
  const broken: Layer.Layer<RecordsAdapter, StorageUnavailable> = Layer.effectContext(
    Effect.fail(new StorageUnavailable({ reason: "Unreachable", detail: "away" }))
  )
  const closed = createWorkspace({ storage: broken })
  const handler = toWebHandler(closed)
  const url = await listenWith(toNodeListener(closed))
  for (const get of [() => handler(new Request("http://host/v1/user")), () => fetch(`${url}/v1/user`)]) {
    const response = await get()
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"])
    expect(response.headers.get("x-request-id")).toMatch(/./)
  }
  await closed.dispose()
})

it("accepts the runtime and the Authenticator of an Effect application", async () => {
  const user = await workspace.runtime.runPromise(
    Effect.map(Authenticator, () => UserId.make("somebody-of-the-host"))
  )
  const ours = Layer.succeed(
    Authenticator,
    Authenticator.of({
      authenticate: ({ token }) =>
        token !== undefined && Redacted.value(token) === "the-host-knows"
          ? Effect.succeed({ id: user })
          : Effect.fail(
              new Unauthenticated({ reason: "TokenInvalid", message: "The host does not know you." })
            )
    })
  )
  const runtime = ManagedRuntime.make(
    Layer.merge(Workspace.layer.pipe(Layer.provide(MemoryStorage.layer())), ours)
  )
  const handler = toWebHandler({ runtime })
  const list = (token: string) =>
    handler(new Request("http://host/v1/orgs", { headers: { authorization: `Bearer ${token}` } }))
  expect((await list("the-host-knows")).status).toBe(200)
  const unknown = await list("else")
  expect([unknown.status, await unknown.json()]).toEqual([
    401,
    { error: { code: 401, reason: "TokenInvalid", message: "The host does not know you." } }
  ])
  await runtime.dispose()
})

it("names the public URL of createWorkspace in Location, in the OpenAPI document and in the policy of /docs", async () => {
  const publicUrl = "https://acme.example/docs-api"
  const acme = createWorkspace({ storage: MemoryStorage.layer(), publicUrl: `${publicUrl}/` })
  onTestFinished(() => acme.dispose())
  const user = await acme.administration.createUser({ input: { email: "ada@example.com" } })
  const id = await acme.administration.createOrganization({ administrator: user, input: { title: "Acme" } })
  const { secret } = await acme.tokens.create({ input: { user, label: "Test" } })
  const handler = toWebHandler(acme)
  const created = await handler(
    new Request(`http://host/v1/orgs/${id}/teams`, {
      method: "PUT",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ title: "Team" })
    })
  )
  expect(created.status).toBe(201)
  expect(created.headers.get("location")).toMatch(new RegExp(`^${publicUrl}/v1/orgs/${id}/teams/`))
  const document = (await (await handler(new Request("http://host/openapi.json"))).json()) as {
    servers: unknown
  }
  expect(document.servers).toEqual([{ url: publicUrl }])
  const page = await handler(new Request("http://host/docs"))
  expect(page.headers.get("content-security-policy")).toContain("connect-src 'self' https://acme.example;")
  expect(await page.text()).toContain(`"servers":[{"url":"${publicUrl}"}]`)
  const etag = page.headers.get("etag")!
  const again = await handler(new Request("http://host/docs", { headers: { "if-none-match": etag } }))
  expect([again.status, await again.text()]).toEqual([304, ""])
})
