import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { contractScenarios, runContract } from "@lectern/testkit/contract"
import { Effect, Redacted } from "effect"
import { expect, it } from "vitest"
import { getSpaceTitle, publishReleaseNotes } from "./client.ts"
import { declareContractTests, openHost } from "./contract.ts"
import { program } from "./effect.ts"
import * as effectHost from "./effect-host.ts"
import * as express from "./express.ts"
import * as fastify from "./fastify.ts"
import * as next from "./next.ts"
import * as web from "./web-handler.ts"

it("an Effect application uses the services from a layer", async () => {
  expect(await Effect.runPromise(program)).toEqual(["Handbook"])
})

it("an Effect application mounts the API in its router, and calls the same services", async () => {
  const { fetch: send, administrator, close } = await effectHost.makeApp()
  try {
    const created = await send(
      new Request(`http://host/docs-api/v1/orgs/${administrator.organization}/spaces`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${Redacted.value(administrator.secret)}`,
          "content-type": "application/json"
        },
        body: JSON.stringify({ title: "Handbook" })
      })
    )
    expect([created.status, created.headers.get("x-powered-by")]).toEqual([201, "Acme"])
    expect(await (await send(new Request("http://host/titles"))).json()).toEqual(["Handbook"])
    expect((await send(new Request("http://host/docs-api/v1/user"))).status).toBe(401)
    expect((await send(new Request("http://host/docs-api/healthz"))).status).toBe(200)
    expect((await send(new Request("http://host/v1/user"))).status).toBe(404)
  } finally {
    await close()
  }
})

/** Calls an application that mounts the API under `/docs-api`, and has a route of its own. */
const expectMounted = async (url: string, organization: string, secret: string) => {
  const created = await fetch(`${url}/docs-api/v1/orgs/${organization}/spaces`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ title: "Handbook" })
  })
  expect(created.status).toBe(201)
  expect(created.headers.get("location")).toMatch(/^https:\/\/acme\.example\/docs-api\/v1\/spaces\//)
  expect(await (await fetch(`${url}/titles`)).json()).toEqual(["Handbook"])
  expect((await fetch(`${url}/docs-api/v1/user`)).status).toBe(401)
  expect((await fetch(`${url}/docs-api/healthz`)).status).toBe(200)
}

it("an Express application mounts the API under a path and calls the services", async () => {
  const { app, organization, secret, close } = await express.makeApp()
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  try {
    const { port } = server.address() as AddressInfo
    await expectMounted(`http://127.0.0.1:${port}`, organization, secret)
  } finally {
    server.closeAllConnections()
    server.close()
    await close()
  }
})

it("a Fastify application mounts the API under a path and calls the services", async () => {
  const { app, organization, secret, close } = await fastify.makeApp()
  try {
    const url = await app.listen({ port: 0, host: "127.0.0.1" })
    await expectMounted(url, organization, secret)
  } finally {
    await close()
  }
})

it("a route handler of Next.js serves the API for every method", async () => {
  const { workspace, GET, POST, DELETE } = next
  const ada = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
  const organization = await workspace.administration.createOrganization({
    administrator: ada,
    input: { title: "Acme" }
  })
  const { secret } = await workspace.tokens.create({ input: { user: ada, label: "Test" } })
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" }
  const requestOf = (path: string, init: RequestInit = {}) =>
    new Request(`https://acme.example/docs-api/v1${path}`, { headers, ...init })
  try {
    const created = await POST(
      requestOf(`/orgs/${organization}/spaces`, {
        method: "POST",
        body: JSON.stringify({ title: "Handbook" })
      })
    )
    expect(created.status).toBe(201)
    const { id } = (await created.json()) as { id: string }
    expect((await GET(requestOf(`/spaces/${id}`))).status).toBe(200)
    expect((await DELETE(requestOf(`/spaces/${id}`, { method: "DELETE" }))).status).toBe(205)
    expect((await GET(requestOf("/user", { headers: {} }))).status).toBe(401)
  } finally {
    await workspace.dispose()
  }
})

it("a web-standard handler serves the API under a prefix, with empty bodies for status 205", async () => {
  const { app, organization, secret, close } = await web.makeApp()
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" }
  try {
    const created = await app.request(`/docs-api/v1/orgs/${organization}/spaces`, {
      method: "POST",
      headers,
      body: JSON.stringify({ title: "Handbook" })
    })
    expect(created.status).toBe(201)
    const { id } = (await created.json()) as { id: string }
    const removed = await app.request(`/docs-api/v1/spaces/${id}`, { method: "DELETE", headers })
    expect([removed.status, removed.headers.get("content-type"), await removed.text()]).toEqual([
      205,
      null,
      ""
    ])
    expect((await app.request("/docs-api/v1/user")).status).toBe(401)
    expect(await (await app.request("/")).text()).toBe("The host's own page")
    expect((await app.request("/docs-api-else/v1/user")).status).toBe(404)
  } finally {
    await close()
  }
})

it("a program calls the API with the typed client", async () => {
  const { app, secret, close } = await web.makeApp()
  const options = {
    baseUrl: "http://localhost/docs-api",
    token: secret,
    fetch: async (...request: Parameters<typeof fetch>) => app.request(new Request(...request))
  }
  try {
    expect(await publishReleaseNotes(options, "1.0", "Hello.")).toEqual(["1.0"])
    expect(await publishReleaseNotes(options, "1.1", "Faster.")).toEqual(["1.0", "1.1"])
    expect(await getSpaceTitle(options, "nothing")).toBeUndefined()
  } finally {
    await close()
  }
})

it("a host runs the contract suite against its own server", async () => {
  expect(declareContractTests).toBeTypeOf("function")
  // One scenario is enough here: the tests of packages/http run all of them.
  const { problems, counts } = await runContract(await openHost(), contractScenarios.slice(0, 1))
  expect(problems).toEqual([])
  expect(counts.operations).toBeGreaterThan(5)
})
