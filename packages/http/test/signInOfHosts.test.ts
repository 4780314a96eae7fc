/** Hosts with their own sign-in, and operations that require a recent sign-in. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createWorkspace, type WorkspaceOptions } from "@lectern/core"
import { type HttpOptions, toNodeListener } from "@lectern/http"
import { Clock, Effect } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { memory } from "./stores.ts"
import { openBrowser, type RequestSource, signedInBrowser, signInPathOf } from "./support/browser.ts"
import { startServerOn } from "./support.ts"

const email = "ada@example.com"

/** Starts a server of a host whose cookie `app` names the user. */
const startHost = async (options: Partial<WorkspaceOptions> = {}, http: HttpOptions = {}) => {
  const workspace = createWorkspace({
    storage: await memory.make(),
    authenticate: async ({ header }) => {
      const user = /(?:^|; )app=(\w+)/.exec(header("cookie") ?? "")?.[1]
      return user === undefined ? undefined : { user }
    },
    ...options
  })
  const server = createServer(toNodeListener(workspace, http))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(async () => {
    server.close()
    await workspace.dispose()
  })
  const ada = await workspace.administration.createUser({ input: { email } })
  const clock = await Effect.runPromise(Effect.service(Clock.Clock))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const browser = openBrowser({ url })
  browser.cookies.set("app", ada)
  return { url, core: { runtime: workspace.runtime, clock }, browser, ada }
}

describe("a host that authenticates requests", () => {
  it("replaces the pages and the sessions of Lectern", async () => {
    const host = await startHost()
    expect((await host.browser.request("/v1/user")).status).toBe(200)
    const stranger = openBrowser(host)
    const path = await signInPathOf(host, email)
    for (const page of ["/~/login", "/~/logout", path]) {
      expect([page, (await stranger.request(page)).status]).toEqual([page, 404])
      expect((await stranger.request(page, { method: "POST" })).status).toBe(404)
    }
    expect((await stranger.request("/v1/user")).status).toBe(401)
  })

  it("is where browsers are redirected to, if it has a page", async () => {
    const host = await startHost({
      signInUrl: "https://app.example.com/login?x=1",
      publicUrl: "https://docs.example.com"
    })
    const { status, location } = await host.browser.request("/~/login?return=o/acme")
    expect([status, location]).toEqual([
      303,
      "https://app.example.com/login?x=1&return=https%3A%2F%2Fdocs.example.com%2Fo%2Facme"
    ])
  })

  it("cannot be used by pages of other origins, unless it permits that by name", async () => {
    const statusesOf = async (http: HttpOptions) => {
      const { browser } = await startHost({}, http)
      const sources: ReadonlyArray<RequestSource> = ["same-origin", "same-site", "cross-site"]
      return Promise.all(
        sources.map(
          async (from) => (await browser.request("/v1/user/sessions", { method: "DELETE", from })).status
        )
      )
    }
    expect(await statusesOf({})).toEqual([204, 403, 403])
    expect(await statusesOf({ acceptCrossOriginCredentials: true })).toEqual([204, 204, 204])
  })
})

describe("a sign-in that is not recent", () => {
  it("does not create or rotate tokens after 10 minutes, and does not change identity providers after an hour", async () => {
    const server = await startServerOn(memory)
    const ada = await server.core.createUser(email)
    const acme = await server.core.createOrganization("Acme", ada)
    const browser = await signedInBrowser(server, email)
    const send = async (method: string, path: string, body: unknown) => {
      const { status, text } = await browser.request(`/v1${path}`, {
        method,
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" }
      })
      return { status, body: text === "" ? undefined : JSON.parse(text) }
    }
    const created = await send("POST", "/user/tokens", {
      label: "Build",
      expiresAt: "2999-01-01T00:00:00.000Z"
    })
    expect(created.status).toBe(201)
    const provider = await send("POST", `/orgs/${acme}/saml`, { label: "Acme" })
    expect(provider.status).toBe(201)
    const sensitive = [
      ["POST", "/user/tokens", { label: "Other" }],
      ["POST", `/user/tokens/${created.body.id}/rotate`, {}]
    ] as const
    const administration = [
      ["POST", `/orgs/${acme}/saml`, { label: "Other" }],
      ["PATCH", `/orgs/${acme}/saml/${provider.body.id}`, { label: "Renamed" }],
      ["DELETE", `/orgs/${acme}/saml/${provider.body.id}`, undefined]
    ] as const
    const expectRejected = async (operations: typeof sensitive | typeof administration) => {
      for (const [method, path, body] of operations) {
        const { status, body: result } = await send(method, path, body)
        expect([method, path, status, result?.error?.reason]).toEqual([
          method,
          path,
          403,
          "FreshSignInRequired"
        ])
      }
    }
    await server.core.advance(10 * 60_000)
    await expectRejected(sensitive)
    await server.core.advance(50 * 60_000)
    await expectRejected(administration)
    expect((await send("PATCH", `/orgs/${acme}`, { title: "Renamed" })).status).toBe(200)
    await browser.request(await signInPathOf(server, email), { method: "POST" })
    for (const [method, path, body] of [...sensitive, ...administration]) {
      expect([method, path, (await send(method, path, body)).status < 300]).toEqual([method, path, true])
    }
  })
})
