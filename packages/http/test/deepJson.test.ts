/** JSON that is nested deeply, in the body of every route and in the tokens of visitors, causes no defect. */
import { createHmac } from "node:crypto"
import { Api } from "@lectern/client"
import { type Site, type Space, visitorToken } from "@lectern/core"
import { operations } from "@lectern/harness/operations"
import { programAuthorization } from "@lectern/http/server"
import { makeReader } from "@lectern/reader"
import type { HttpApiGroup } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { memory } from "./stores.ts"
import { callerOf } from "./support/sites.ts"
import { startServerOn } from "./support.ts"

const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`
const lists = (depth: number) => "[".repeat(depth) + "]".repeat(depth)

/** Bodies over the maximum depth: also small ones, and ones whose first field is deep. */
const deepBodies = [
  lists(50_000),
  objects(50_000),
  lists(1_900),
  objects(600),
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${objects(7_000)}}`
]

const start = async () => {
  const server = await startServerOn(memory, { reader: makeReader, programs: programAuthorization })
  const admin = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", admin)
  const token = await server.tokenOf(admin)
  const call = callerOf(server, token)
  const space = (await call<Space>("", "POST", `/orgs/${organization}/spaces`, { title: "Guide" })).value
  const created = await call<Site>("", "POST", `/orgs/${organization}/sites`, { spaces: [space.id] })
  const at = `/orgs/${organization}/sites/${created.value.id}`
  const { value: site } = await call<Site>("", "POST", `${at}/publish`)
  const root = new URL(site.urls.published!).pathname
  const ids: Record<string, string> = {
    organizationId: organization,
    siteId: site.id,
    spaceId: space.id
  }
  return { server, token, call, at, site, organization, root, ids }
}

/** The routes of the server outside of the operations that receive JSON. */
const otherRoutes = (root: string): ReadonlyArray<readonly [method: string, path: string]> => [
  ["POST", "/v1/mcp"],
  ["POST", `${root}~gitbook/mcp`],
  ["POST", "/oauth/register"],
  ["POST", "/scim/v2/Users"],
  ["PATCH", "/scim/v2/Users/unknown"],
  ["POST", "/scim/v2/Groups"],
  ["POST", "/~/login/passkey"],
  ["POST", "/~/account/passkeys"],
  ["POST", "/git/webhooks/unknown"],
  ["POST", `${root}~/ask`],
  ["POST", `${root}~/feedback`],
  ["POST", "/v1/orgs/unknown/ask"],
  ["POST", "/v1/orgs/unknown/sites/unknown/ask"],
  ["POST", "/v1/orgs/unknown/translations/unknown/run"]
]

/** The fields of the body of each operation, by its method and path. */
const fieldsOf = new Map<string, ReadonlyArray<string>>(
  Object.values(Api.groups as unknown as Record<string, HttpApiGroup.Top>).flatMap(({ endpoints }) =>
    Object.values(endpoints).map((endpoint) => {
      const ast = endpoint.payload.get("application/json")?.schemas[0]?.ast
      const fields =
        ast?._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : ["changes"]
      return [`${endpoint.method} ${endpoint.path}`, ast === undefined ? [] : fields] as const
    })
  )
)

describe("JSON that is nested deeply", () => {
  it("is rejected in the body of every route", async () => {
    const { server, token, root, ids } = await start()
    const failures: Array<unknown> = []
    const send = async (method: string, path: string, body: string) => {
      const response = await fetch(server.url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": path.startsWith("/scim") ? "application/scim+json" : "application/json",
          accept: "application/json, text/event-stream",
          "sec-fetch-site": "same-origin"
        },
        redirect: "manual",
        body
      })
      await response.body?.cancel()
      return response.status
    }
    const withBody = operations.filter(({ method }) => method !== "GET" && method !== "DELETE")
    const pathOf = (path: string) => path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? "unknown")
    for (const { method, path } of withBody) {
      for (const body of deepBodies) {
        const status = await send(method, pathOf(path), body)
        if (status < 200 || status >= 500)
          failures.push([method, path, body.slice(0, 20), body.length, status])
      }
      // A field of any type that is as deep as permitted.
      for (const field of fieldsOf.get(`${method} ${path.replace("/v1", "")}`) ?? []) {
        const deep = `{${JSON.stringify(field)}:${field.length % 2 === 0 ? lists(199) : objects(199)}}`
        const status = await send(method, pathOf(path), deep)
        if (status >= 500) failures.push([method, path, field, status])
      }
    }
    for (const [method, path] of otherRoutes(root)) {
      for (const body of deepBodies) {
        const status = await send(method, path, body)
        if (status < 400 || status >= 500)
          failures.push([method, path, body.slice(0, 20), body.length, status])
      }
    }
    expect(failures).toEqual([])
  }, 120_000)

  it("is rejected in the tokens of visitors, at every route that has them", async () => {
    const { server, call, at, root, site, organization, ids } = await start()
    await call("", "PATCH", at, { visibility: "visitor-auth" })
    const { value } = await call<{ privateKey: string }>("", "GET", `${at}/publishing/auth`)
    const encode = (json: string) => Buffer.from(json).toString("base64url")
    const sign = (claims: string) => {
      const signed = `${encode('{"alg":"HS256","typ":"JWT"}')}.${encode(`{"exp":9999999999,"c":${claims}}`)}`
      return `${signed}.${createHmac("sha256", value.privateKey).update(signed).digest("base64url")}`
    }
    const asVisitor = { organization, site: site.id } as never as Parameters<typeof visitorToken>[0]
    const ofClaims = (claims: string) => {
      const plain = visitorToken(asVisitor).slice("visitor.".length)
      const json = Buffer.from(plain, "base64url").toString()
      return `visitor.${encode(`${json.slice(0, -1)},"unsignedClaims":{"a":${claims}}}`)}`
    }
    const statuses = async (claims: string) => {
      const jwt = sign(claims)
      const tokens = [visitorToken({ ...asVisitor, visitorAuthToken: jwt }), ofClaims(claims)]
      const found: Array<readonly [path: string, status: number]> = []
      const send = async (path: string, init: RequestInit) => {
        const response = await fetch(server.url + path, { ...init, redirect: "manual" })
        await response.body?.cancel()
        found.push([`${init.method} ${path.split("?")[0]}`, response.status])
      }
      for (const token of tokens) {
        for (const { method, path } of operations.filter(({ method }) => method === "GET")) {
          const url = path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? "unknown")
          await send(url, { method, headers: { authorization: `Bearer ${token}` } })
        }
      }
      await send(`${root}?jwt_token=${jwt}`, { method: "GET" })
      await send(`${root}llms.txt`, { method: "GET", headers: { cookie: `lectern_visitor=${jwt}` } })
      const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }
      await send(`${root}~gitbook/mcp`, {
        method: "POST",
        headers: { ...headers, authorization: `Bearer ${jwt}` },
        body: message
      })
      await send(`${root}~gitbook/mcp?jwt_token=${jwt}`, { method: "POST", headers, body: message })
      return found
    }
    const flat = await statuses("1")
    expect(flat.some(([path, status]) => path.includes("mcp") && status === 200)).toBe(true)
    for (const claims of [objects(700), lists(2_900), objects(199), lists(210)]) {
      expect((await statuses(claims)).filter(([, status]) => status >= 500)).toEqual([])
    }
    const deep = await statuses(lists(210))
    expect(deep.filter(([path, status]) => path.includes("mcp") && status === 200)).toEqual([])
  }, 120_000)
})
