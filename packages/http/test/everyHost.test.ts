/** The capabilities that every way of serving has: headers, middleware, the address of the client, and traces. */
import { Workspace } from "@lectern/core"
import { type HttpMiddleware, type HttpOptions, toWebHandler } from "@lectern/http"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Layer, ManagedRuntime, Option, Tracer } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { createEmbedded } from "./support/embedded.ts"
import { hosts, socketHosts } from "./support/hosts.ts"

const spans: Array<Tracer.Span> = []
const tracer = Tracer.make({
  span: (options) => {
    const span = new Tracer.NativeSpan(options)
    spans.push(span)
    return span
  }
})

const traced = {
  runtime: ManagedRuntime.make(
    Workspace.layer.pipe(
      Layer.provide(MemoryStorage.layer()),
      Layer.provideMerge(Layer.succeed(Tracer.Tracer, tracer))
    )
  )
}
afterAll(() => traced.runtime.dispose())
const { workspace, organization, authorization } = await createEmbedded("https://docs.example")

const security = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=31536000"
}

for (const { name, start } of hosts) {
  describe(name, () => {
    it("sends security headers with every response, and allows only clients to store resources", async () => {
      const send = await start(workspace)
      const responses: ReadonlyArray<
        readonly [method: string, path: string, status: number, caching: string]
      > = [
        ["GET", `/v1/orgs/${organization}/spaces`, 200, "private, no-cache"],
        ["GET", "/v1/user", 200, "private, no-cache"],
        ["HEAD", "/v1/user", 200, "private, no-cache"],
        ["GET", `/v1/orgs/${organization}/link-invites`, 200, "no-store"],
        ["POST", `/v1/orgs/${organization}/spaces`, 201, "no-store"],
        ["POST", "/v1/user", 405, "no-store"],
        ["GET", "/v1/spaces/nothing", 404, "no-store"],
        ["GET", "/nothing", 404, "no-store"],
        ["GET", "/healthz", 200, "private, no-cache"],
        ["GET", "/docs", 200, "no-cache"],
        ["GET", "/openapi.json", 200, "no-cache"]
      ]
      for (const [method, path, status, caching] of responses) {
        const response = await send(path, { method, headers: { authorization } })
        expect([path, response.status, response.headers.get("cache-control")]).toEqual([
          path,
          status,
          caching
        ])
        expect(Object.fromEntries(response.headers)).toMatchObject(security)
        expect(response.headers.get("x-request-id")).toMatch(/./)
        if (response.headers.get("content-type")?.startsWith("text/html") === true) {
          expect(response.headers.get("content-security-policy")).toContain("default-src 'none'")
        }
        await response.arrayBuffer()
      }
    })

    it("runs the middleware of the host around every request, the first one outermost", async () => {
      const order: Array<string> = []
      const record =
        (label: string): HttpMiddleware =>
        (next) =>
        (request) => {
          order.push(label)
          return Effect.map(next(request), (response) => ({
            ...response,
            headers: { ...response.headers, [`x-${label}`]: request.id }
          }))
        }
      const reject: HttpMiddleware = (next) => (request) =>
        request.url === "/v1/forbidden"
          ? Effect.succeed({ status: 403, headers: { "content-type": "text/html" }, body: "<p>No</p>" })
          : request.url === "/v1/broken"
            ? Effect.die(new Error("a bug of the host"))
            : next(request)
      const send = await start(workspace, { middleware: [record("first"), record("second"), reject] })
      for (const path of ["/v1/user", "/healthz", "/nothing"]) {
        order.length = 0
        const response = await send(path, { headers: { authorization, "x-request-id": "mine" } })
        await response.arrayBuffer()
        expect(order).toEqual(["first", "second"])
        expect([response.headers.get("x-first"), response.headers.get("x-second")]).toEqual(["mine", "mine"])
      }
      const forbidden = await send("/v1/forbidden")
      expect([forbidden.status, await forbidden.text()]).toEqual([403, "<p>No</p>"])
      expect(forbidden.headers.get("content-security-policy")).toContain("default-src 'none'")
      const broken = await send("/v1/broken", { headers: { "x-request-id": "mine" } })
      expect([broken.status, await broken.json()]).toMatchObject([500, { error: { reason: "Defect" } }])
    })

    it("continues the trace of the client", async () => {
      const send = await start(traced)
      const traceId = "0af7651916cd43dd8448eb211c80319c"
      const parents: ReadonlyArray<Record<string, string>> = [
        { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
        { b3: `${traceId}-b7ad6b7169203331-1` }
      ]
      for (const headers of parents) {
        spans.length = 0
        expect((await send("/v1/user?shareKey=secret", { headers })).status).toBe(401)
        const span = spans.find(({ attributes }) => attributes.has("lectern.request"))!
        expect(span.traceId).toBe(traceId)
        const ancestors = (child: Tracer.AnySpan): ReadonlyArray<string> =>
          child._tag === "Span" && Option.isSome(child.parent)
            ? [child.parent.value.spanId, ...ancestors(child.parent.value)]
            : []
        expect(ancestors(span)).toContain("b7ad6b7169203331")
        expect(span.attributes.get("http.route")).toBe("/v1/user")
        expect(span.attributes.get("http.response.status_code")).toBe(401)
        expect(span.attributes.get("url.path")).toBe("/v1/user")
        expect(span.status._tag).toBe("Ended")
      }
    })
  })
}

for (const { name, start, isMounted } of socketHosts) {
  it(`reports the address of the client that a trusted proxy has added to middleware, on ${name}`, async () => {
    const echo: HttpMiddleware = () => (request) =>
      Effect.succeed({ status: 200, headers: {}, body: request.remoteAddress ?? "unknown" })
    const addressWith = async (trustedProxies: ReadonlyArray<string>) => {
      const url = await start(workspace, { middleware: [echo], trustedProxies })
      const headers = { "x-forwarded-for": "6.6.6.6, 192.0.2.7" }
      return (await fetch(`${url}${isMounted ? "/docs-api" : ""}/`, { headers })).text()
    }
    expect(await addressWith([])).toBe("127.0.0.1")
    expect(await addressWith(["127.0.0.0/8"])).toBe("192.0.2.7")
  })
}

for (const { name, start, isMounted } of socketHosts) {
  it(`returns links to the host that a trusted proxy reports if it is public, on ${name}`, async () => {
    const mountPath = isMounted ? "/docs-api" : ""
    const options = { trustedProxies: ["127.0.0.0/8"], publicHosts: ["b.example", "*.c.example"] }
    const linkWith = async (headers: Record<string, string>, other: HttpOptions = {}) => {
      const url = await start(workspace, { ...options, ...other })
      const sent = await fetch(`${url}${mountPath}/v1/user`, { headers: { authorization, ...headers } })
      const { id, urls } = (await sent.json()) as { id: string; urls: { location: string } }
      expect(urls.location.endsWith(`/v1/users/${id}`)).toBe(true)
      const isHttps = urls.location.startsWith("https:")
      expect(sent.headers.has("strict-transport-security")).toBe(isHttps)
      return urls.location.slice(0, -`/v1/users/${id}`.length)
    }
    const proxied = { "x-forwarded-host": "b.example", "x-forwarded-proto": "https" }
    expect(await linkWith(proxied)).toBe(`https://b.example${mountPath}`)
    expect(await linkWith({ ...proxied, "x-forwarded-prefix": "/kb/" })).toBe(
      `https://b.example/kb${mountPath}`
    )
    expect(await linkWith({ forwarded: 'for=192.0.2.1;host="x.c.example";proto=http' })).toBe(
      `http://x.c.example${mountPath}`
    )
    const configured = "https://docs.example"
    expect(await linkWith({})).toBe(configured)
    expect(await linkWith({ ...proxied, "x-forwarded-host": "evil.example" })).toBe(configured)
    expect(await linkWith(proxied, { trustedProxies: [] })).toBe(configured)
    expect(await linkWith(proxied, { trustedProxies: ["10.0.0.0/8"] })).toBe(configured)
    expect(await linkWith(proxied, { publicHosts: [] })).toBe(configured)
  })
}

it("uses the public URL in SAML addresses, and the host of the request in Location and the OpenAPI document", async () => {
  const handler = toWebHandler(workspace, { trustedProxies: 1, publicHosts: ["*"] })
  const headers = { authorization, "x-forwarded-host": "b.example", "content-type": "application/json" }
  const send = async (path: string, init: RequestInit = {}) => {
    const request = new Request(`http://internal${path}`, { ...init, headers })
    return handler(request, { remoteAddress: "10.0.0.1" })
  }
  const created = await send(`/v1/orgs/${organization}/saml`, {
    method: "POST",
    body: JSON.stringify({ label: "Okta", defaultRole: "read" })
  })
  expect(created.status).toBe(201)
  const location = created.headers.get("location")!
  const provider = (await created.json()) as { id: string; service: { entityID: string; acsURL: string } }
  expect(location).toBe(`http://b.example/v1/orgs/${organization}/saml/${provider.id}`)
  expect(provider.service.entityID).toBe(`https://docs.example/sso/saml/${provider.id}`)
  expect(await (await send(`/sso/saml/${provider.id}`)).text()).not.toContain("b.example")
  const document = await send("/openapi.json")
  expect(document.headers.get("cache-control")).toBe("private, no-cache")
  expect(((await document.json()) as { servers: unknown }).servers).toEqual([{ url: "http://b.example" }])
  expect((await send("/docs")).headers.get("content-security-policy")).toContain("connect-src 'self'")
})
