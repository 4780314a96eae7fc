import { readFileSync } from "node:fs"
import { Api } from "@lectern/http"
import { MemoryStorage } from "@lectern/testkit"
import { validate } from "@readme/openapi-parser"
import { HttpApi } from "effect/http-api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "./support.ts"

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly responses: Record<
    string,
    { readonly headers?: Record<string, unknown>; readonly content?: unknown }
  >
}

let server: TestServer
let document: { readonly paths: Record<string, Record<string, Operation>>; readonly openapi: string }

beforeAll(async () => {
  server = await startServer(MemoryStorage.layer())
  document = (await (await server.fetch("/openapi.json")).json()) as typeof document
})
afterAll(() => server.close())

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
  )

/** The operations of the specification: group, method, path, status of success, operation id. */
const specified = readFileSync(new URL("./data/endpoints.tsv", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => line.split("\t") as [string, string, string, string, string])

describe("the OpenAPI document", () => {
  it("is a valid one, of version 3.1", async () => {
    // The validator resolves references in place, so it gets a copy.
    const result = await validate(structuredClone(document) as unknown as Parameters<typeof validate>[0])
    expect(result).toMatchObject({ valid: true })
    expect(document.openapi).toMatch(/^3\.1\./)
  })

  it("has every declared operation, explained, with an id of its own", () => {
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

  it("says 412 of every operation that changes what can be got at its path, for they heed `If-Match`", () => {
    const isResource = (path: string) => {
      const shown = JSON.stringify(document.paths[path]?.get?.responses["200"]?.content ?? "")
      return shown !== '""' && !shown.includes('"items":{"type":"array"')
    }
    const heeding = operations().filter(
      ({ path, method }) => ["PUT", "PATCH", "DELETE"].includes(method) && isResource(path)
    )
    expect(heeding.length).toBeGreaterThan(30)
    for (const { operation } of heeding) {
      expect([operation.operationId, Object.keys(operation.responses)]).toEqual([
        operation.operationId,
        expect.arrayContaining(["412"])
      ])
    }
  })

  it("has the methods, paths, statuses and ids that the specification gives", () => {
    const byId = new Map(specified.map((row) => [row[4], row]))
    const shown = operations().filter(({ operation }) => byId.has(operation.operationId))
    expect(shown.length).toBe(132)
    for (const { path, method, operation } of shown) {
      const [, theirMethod, theirPath, status] = byId.get(operation.operationId)!
      expect([method, path]).toEqual([theirMethod, theirPath])
      const successes = Object.keys(operation.responses).filter((code) => code.startsWith("2"))
      expect([operation.operationId, successes]).toEqual([operation.operationId, [status]])
      if (status === "201") expect(operation.responses["201"]?.headers).toHaveProperty("Location")
      if (status === "205") expect(operation.responses["205"]?.content).toBeUndefined()
    }
  })
})

describe("the reference page", () => {
  it("loads nothing from elsewhere", async () => {
    const response = await server.fetch("/docs")
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
    const page = await response.text()
    expect(page).toContain("createApiReference")
    expect(page).not.toMatch(/<(script|link)[^>]+(src|href)=["']https?:/)
  })
})
