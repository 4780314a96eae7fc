/** The OpenAPI document that the server serves, compared with the API and the specification. */
import { Api } from "@lectern/client"
import { MemoryStorage } from "@lectern/testkit"
import { type Endpoint, endpoints } from "@lectern/testkit/contract"
import { validate } from "@readme/openapi-parser"
import { HttpApi } from "effect/http-api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "./support.ts"

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: ReadonlyArray<{ readonly name: string; readonly schema: unknown }>
  readonly security?: unknown
  readonly responses: Record<
    string,
    { readonly headers?: Record<string, unknown>; readonly content?: unknown }
  >
}

let server: TestServer
let document: {
  readonly paths: Record<string, Record<string, Operation>>
  readonly openapi: string
  readonly components: { readonly schemas: Record<string, { readonly properties: unknown }> }
}

beforeAll(async () => {
  server = await startServer(MemoryStorage.layer())
  document = (await (await server.fetch("/openapi.json")).json()) as typeof document
})
afterAll(() => server.close())

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
  )

describe("the OpenAPI document", () => {
  it("is valid, and of version 3.1", async () => {
    // The validator resolves references in place, so it gets a copy.
    const result = await validate(structuredClone(document) as unknown as Parameters<typeof validate>[0])
    expect(result).toMatchObject({ valid: true })
    expect(document.openapi).toMatch(/^3\.1\./)
  })

  it("has every declared operation, with a summary, a description and a unique id", () => {
    const ids = operations().map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    let declared = 0
    HttpApi.reflect(Api, { onGroup: () => {}, onEndpoint: () => declared++ })
    expect(ids.length).toBe(declared)
    for (const { operation } of operations()) {
      expect([operation.operationId, operation.summary?.length ?? 0]).not.toContain(0)
      expect(operation.description).toMatch(/[.]$/)
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining(["400", "401", "403", "404", "503"])
      )
    }
  })

  it("declares `security: []` for exactly the operations that require no token", async () => {
    const requiresNoToken: Array<string> = []
    for (const { path, method, operation } of operations()) {
      const address = path.replace(/\{\w+\}/g, "x")
      const body = method === "GET" ? {} : { body: "{}" }
      const headers = { "content-type": "application/json" }
      const response = await server.fetch(address, { method, headers, ...body })
      const { status } = response
      await response.arrayBuffer()
      if (status !== 401) requiresNoToken.push(operation.operationId)
      else expect([operation.operationId, operation.security]).toEqual([operation.operationId, undefined])
    }
    const declared = operations().filter(({ operation }) => operation.security !== undefined)
    expect(declared.map(({ operation }) => operation.security)).toEqual(declared.map(() => []))
    expect(declared.map(({ operation }) => operation.operationId)).toEqual(requiresNoToken)
    expect(requiresNoToken.length).toBeGreaterThan(5)
  })

  it("permits further fields, which the server ignores", async () => {
    const closed = (value: unknown): boolean =>
      typeof value === "object" &&
      value !== null &&
      Object.entries(value).some(
        ([key, inner]) =>
          (key === "additionalProperties" && inner === false) || (key !== "example" && closed(inner))
      )
    for (const [name, schema] of Object.entries(document.components.schemas))
      expect([name, closed(schema)]).toEqual([name, false])
    for (const { operation } of operations())
      expect([operation.operationId, closed(operation)]).toEqual([operation.operationId, false])
    const user = await server.core.createUser("further@example.com")
    const organization = await server.core.createOrganization("Acme", user)
    const response = await server.fetch(`/v1/orgs/${organization}/collections`, {
      method: "POST",
      token: await server.tokenOf(user),
      body: JSON.stringify({ title: "Guides", unknown: { nested: true } })
    })
    expect([response.status, await response.json()]).toMatchObject([201, { title: "Guides" }])
  })

  it("declares the same operations to support `If-Match` and to respond with 412", () => {
    const withStatus = operations().filter(({ operation }) => "412" in operation.responses)
    const withParameter = operations().filter(({ operation }) =>
      operation.parameters?.some(({ name }) => name === "If-Match")
    )
    const idsOf = (found: typeof withStatus) => found.map(({ operation }) => operation.operationId)
    expect(idsOf(withParameter)).toEqual(idsOf(withStatus))
    expect(withParameter.length).toBeGreaterThan(60)
  })

  it("declares `Idempotency-Key` for every POST and DELETE operation, and for no other", () => {
    for (const { method, operation } of operations()) {
      const names = operation.parameters?.map(({ name }) => name) ?? []
      expect([operation.operationId, names.includes("Idempotency-Key")]).toEqual([
        operation.operationId,
        method === "POST" || method === "DELETE"
      ])
    }
  })

  it("has the methods, paths, statuses and operation ids of the specification", () => {
    const byId = new Map<string, Endpoint>(endpoints.map((endpoint) => [endpoint.operationId, endpoint]))
    const specified = operations().filter(({ operation }) => byId.has(operation.operationId))
    expect(specified.length).toBe(132)
    for (const { path, method, operation } of specified) {
      const endpoint = byId.get(operation.operationId)!
      const status = String(endpoint.status)
      expect([method, path]).toEqual([endpoint.method, endpoint.path])
      const successes = Object.keys(operation.responses).filter((code) => code.startsWith("2"))
      expect([operation.operationId, successes]).toEqual([operation.operationId, [status]])
      if (status === "201") expect(operation.responses["201"]?.headers).toHaveProperty("Location")
      if (status === "205") expect(operation.responses["205"]?.content).toBeUndefined()
    }
  })

  it("has the bounds of parameters and fields, also of transformed ones", () => {
    const parameters = operations().flatMap(({ operation }) => operation.parameters ?? [])
    const limits = parameters.filter(({ name }) => name === "limit")
    expect(limits.length).toBeGreaterThan(30)
    for (const { schema } of limits)
      expect(schema).toMatchObject({ type: "integer", minimum: 0, maximum: 1000 })
    expect(parameters.find(({ name }) => name === "metadata")?.schema).toMatchObject({ type: "boolean" })
    expect(parameters.find(({ name }) => name === "query")?.schema).toMatchObject({ maxLength: 512 })
    expect(parameters.find(({ name }) => name === "specSlug")?.schema).toMatchObject({
      maxLength: 100,
      pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$"
    })
    const { UpdateOrganization, CreateSamlProvider } = document.components.schemas
    expect(UpdateOrganization!.properties).toMatchObject({
      title: { minLength: 2, maxLength: 255 },
      hostname: { minLength: 3, maxLength: 32, pattern: expect.any(String) },
      emailDomains: { items: { minLength: 4, maxLength: 253 } }
    })
    expect(CreateSamlProvider!.properties).toMatchObject({ label: { minLength: 1, maxLength: 30 } })
  })
})

describe("the reference page", () => {
  it("loads nothing from other origins", async () => {
    const response = await server.fetch("/docs")
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
    const page = await response.text()
    expect(page).toContain("createApiReference")
    expect(page).not.toMatch(/<(script|link)[^>]+(src|href)=["']https?:/)
  })
})
