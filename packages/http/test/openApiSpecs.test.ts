/** OpenAPI specs: processing of real documents, and the errors of invalid ones. */
import { readdirSync, readFileSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { dirname, join, relative } from "node:path"
import {
  BackgroundWork,
  Fetcher,
  Jobs,
  type OpenApiSpec,
  type OpenApiSpecContent,
  type OpenApiSpecVersion,
  type RecordsAdapter
} from "@lectern/core"
import { isFastRun } from "@lectern/harness"
import { nodeFetcher } from "@lectern/http"
import { Clock, Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { callByContract } from "./caller.ts"
import { call, serve } from "./processes.ts"
import { memory, ruleStores, type stores, temporaryFolder } from "./stores.ts"
import { until } from "./support/until.ts"
import { startServer } from "./support.ts"

const { resolve } = createRequire(import.meta.url)
const examples = dirname(resolve("@readme/oas-examples/package.json"))
const contract = join(dirname(resolve("@gitbook/api")), "../spec")

/** Real documents of the versions 2.0, 3.0 and 3.1, as JSON and as YAML. */
const documents = [
  ...readdirSync(examples, { recursive: true, encoding: "utf8" })
    .filter((name) => /^(2\.0|3\.[01])[/\\].*\.(json|yaml)$/.test(name))
    .map((name) => join(examples, name)),
  join(contract, "openapi.json"),
  join(contract, "openapi.yaml")
]

/** Starts a workspace whose jobs run when the test calls `work`, with an administrator of an organization. */
const open = async (storage: Layer.Layer<RecordsAdapter, unknown>) => {
  const server = await startServer(
    Layer.provideMerge(storage, Layer.succeed(Fetcher, nodeFetcher({ allow: ["127.0.0.1"] })))
  )
  const admin = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", admin)
  const token = await server.tokenOf(admin)
  const call = <A>(operation: string, method: string, path: string, body?: unknown) =>
    callByContract<A>(server, token, operation, method, `/orgs/${organization}/openapi${path}`, body)
  const work = () =>
    server.core.runtime.runPromise(
      Effect.provideService(
        Effect.flatMap(BackgroundWork, ({ drain }) => drain),
        Clock.Clock,
        server.core.clock
      )
    )
  /** Processes a source; returns the specification. */
  const read = async (slug: string, source: { url: string } | { text: string }) => {
    await call("createOrUpdateOpenAPISpecBySlug", "PUT", `/${slug}`, { source })
    await work()
    return (await call<OpenApiSpec>("getOpenAPISpecBySlug", "GET", `/${slug}`)).value
  }
  return { server, call, work, read }
}

let site: string
let routes: Record<string, RequestListener>
const website = createServer((request, response) => {
  const route = routes[request.url!]
  if (route === undefined) response.writeHead(404).end()
  else route(request, response)
})
beforeAll(async () => {
  await new Promise<void>((resolve) => website.listen(0, "127.0.0.1", resolve))
  site = `http://127.0.0.1:${(website.address() as AddressInfo).port}`
})
afterAll(() => {
  website.closeAllConnections()
  website.close()
})

const spec = (paths: unknown, more: object = {}) =>
  JSON.stringify({ openapi: "3.1.0", info: { title: "API", version: "1" }, paths, ...more })

/** Starts a workspace, and serves one specification at a URL. */
const openServed = async (store: (typeof stores)[number]) => {
  const opened = await open(await store.make())
  onTestFinished(() => opened.server.close())
  const served = { status: 200, body: spec({ "/a": {} }) }
  routes = {
    "/api.json": (_, response) => {
      response.writeHead(served.status, { "content-type": "application/json" }).end(served.body)
    }
  }
  const url = `${site}/api.json`
  const { call } = opened
  return {
    ...opened,
    served,
    url,
    create: () => call<OpenApiSpec>("createOpenAPISpec", "POST", "", { slug: "api", source: { url } }),
    latest: async () =>
      (await call<OpenApiSpecVersion>("getLatestOpenAPISpecVersion", "GET", "/api/versions/latest")).value
  }
}

it.skipIf(isFastRun)("at least 100 real specifications are processed completely", async () => {
  const { server, read, call } = await open(await memory.make())
  try {
    const results: Array<readonly [string, unknown]> = []
    for (const [index, file] of documents.entries()) {
      const text = readFileSync(file, "utf8")
      const { processingState, lastProcessErrorCode } = await read(`spec-${index}`, { text })
      results.push([relative(examples, file), lastProcessErrorCode ?? processingState])
    }
    expect(documents.length).toBeGreaterThanOrEqual(100)
    // Documents that refer to relative files cannot be processed, as they are given as text.
    const withRelativeFiles = documents.filter((file) =>
      /\$ref['"]?: ['"]?[^#'"\s]/.test(readFileSync(file, "utf8"))
    )
    expect(results.filter(([, processed]) => processed !== "complete").map(([file]) => file)).toEqual(
      withRelativeFiles.map((file) => relative(examples, file))
    )
    const { value } = await call<{ count: number }>("listOpenAPISpecs", "GET", "?limit=0")
    expect(value.count).toBe(documents.length)
  } finally {
    await server.close()
  }
})

it("the specification of the contract is processed, and served unchanged", async () => {
  const { server, call, work } = await open(await memory.make())
  try {
    const text = readFileSync(join(contract, "openapi.json"), "utf8")
    await call("createOpenAPISpec", "POST", "", { slug: "contract", source: { text } })
    await work()
    const created = (await call<OpenApiSpec>("getOpenAPISpecBySlug", "GET", "/contract")).value
    expect(created.processingState).toBe("complete")
    const { value } = await call<OpenApiSpecContent>(
      "getLatestOpenAPISpecVersionContent",
      "GET",
      "/contract/versions/latest/content"
    )
    expect(value.filesystem["openapi.json"]).toEqual(JSON.parse(text))
  } finally {
    await server.close()
  }
})

describe("a spec", () => {
  for (const store of ruleStores) {
    it(`is pending until it is processed, and its slug is unique, on ${store.name}`, async () => {
      const { call, work, create, url } = await openServed(store)
      expect(await create()).toMatchObject({
        status: 201,
        value: {
          slug: "api",
          sourceURL: url,
          processingState: "pending",
          permissions: { view: true, edit: true }
        }
      })
      expect((await call("", "GET", "/api/versions/latest")).status).toBe(404)
      expect((await create()).status).toBe(409)
      await work()
      const first = (await call<OpenApiSpec>("getOpenAPISpecBySlug", "GET", "/api")).value
      expect(first.processingState).toBe("complete")
      expect(first.lastProcessErrorCode).toBeUndefined()
    })

    it(`serves its latest version as text and as files, and nothing once it is deleted, on ${store.name}`, async () => {
      const { server, call, work, create, latest, served } = await openServed(store)
      await create()
      await work()
      const version = await latest()
      expect(version.id).toBe(
        (await call<OpenApiSpec>("getOpenAPISpecBySlug", "GET", "/api")).value.lastVersion
      )
      const download = await server.fetch(new URL(version.url).pathname)
      expect([download.headers.get("content-type"), await download.text()]).toEqual([
        "application/json",
        served.body
      ])
      const content = await call<OpenApiSpecContent>(
        "getOpenAPISpecVersionContentById",
        "GET",
        `/api/versions/${version.id}/content`
      )
      expect(content.value.filesystem).toEqual({ "api.json": JSON.parse(served.body) })
      expect((await call("", "DELETE", "/api")).status).toBe(205)
      expect((await call("", "GET", "/api")).status).toBe(404)
      expect((await server.fetch(new URL(version.url).pathname)).status).toBe(404)
    })

    it(`has a new version only if its content has changed apart from whitespace, on ${store.name}`, async () => {
      const { call, read, url, served } = await openServed(store)
      const first = await read("api", { url })
      served.body = JSON.stringify(JSON.parse(served.body), undefined, 2)
      expect((await read("api", { url })).lastVersion).toBe(first.lastVersion)
      served.body = spec({ "/b": {} })
      const second = await read("api", { url })
      expect(second.lastVersion).not.toBe(first.lastVersion)
      const third = await read("api", { text: spec({ "/c": {} }) })
      expect(third.sourceURL).toBeUndefined()
      expect(third.lastProcessErrorCode).toBeUndefined()
      const versions = await call<{ items: ReadonlyArray<OpenApiSpecVersion>; count: number }>(
        "listOpenAPISpecVersions",
        "GET",
        "/api/versions"
      )
      expect(versions.value.items.map(({ id }) => id)).toEqual([
        third.lastVersion,
        second.lastVersion,
        first.lastVersion
      ])
    })

    it(`retains its last valid version if a later one cannot be fetched or parsed, on ${store.name}`, async () => {
      const { read, url, served } = await openServed(store)
      const { lastVersion } = await read("api", { url })
      served.body = "not a spec"
      for (const [status, lastProcessErrorCode] of [
        [503, "FETCH_ERROR"],
        [200, "PARSE_ERROR"]
      ] as const) {
        served.status = status
        expect(await read("api", { url })).toMatchObject({
          processingState: "complete",
          lastProcessErrorCode,
          lastVersion
        })
      }
      const { lastProcessErrorCode } = await read("api", { text: spec({ "/c": {} }) })
      expect(lastProcessErrorCode).toBeUndefined()
    })
  }

  for (const store of ruleStores) {
    it(`has the problems of its source with their positions, until it is valid, on ${store.name}`, async () => {
      const { read, url, served } = await openServed(store)
      served.body = '{\n  "hello": 1\n}'
      expect(await read("api", { url })).toMatchObject({
        lastProcessErrorCode: "PARSE_ERROR",
        lastProcessedErrors: [
          { code: "NOT_OPENAPI", severity: "error", file: "api.json", line: 1, column: 1 }
        ]
      })
      served.body = JSON.stringify(JSON.parse(spec({ "/a": { $ref: "#/nothing" } })), undefined, 2)
      expect(await read("api", { url })).toMatchObject({
        lastProcessErrorCode: "PARSE_ERROR",
        lastProcessedErrors: [
          {
            code: "REFERENCE_NOT_FOUND",
            message: 'The reference "#/nothing" does not resolve.',
            file: "api.json",
            line: 9,
            column: 7,
            pointer: "/paths/~1a/$ref"
          }
        ]
      })
      served.body = JSON.stringify({ openapi: "3.1.0", info: { title: "API" }, paths: {} })
      const warned = await read("api", { url })
      expect(warned.lastProcessErrorCode).toBeUndefined()
      expect(warned.lastProcessedErrors).toMatchObject([{ code: "MISSING_FIELD", severity: "warning" }])
      expect((await read("api", { text: spec({}) })).lastProcessedErrors).toBeUndefined()
    })

    it(`is polled for changes at the interval, on ${store.name}`, async () => {
      const { server, read, url, served, call, work } = await openServed(store)
      const { core } = server
      const poll = async (hours: number) => {
        await core.advance(hours * 60 * 60 * 1_000)
        // The recurring job is due once its row exists.
        const recurring = {
          kind: "poll-openapi-specs",
          everyMillis: 1,
          run: () => Effect.succeed(Effect.void)
        }
        await core.runtime.runPromise(
          Effect.provideService(
            Effect.flatMap(Jobs, (jobs) => jobs.schedule([recurring])),
            Clock.Clock,
            core.clock
          )
        )
        await work()
        return (await call<OpenApiSpec>("getOpenAPISpecBySlug", "GET", "/api")).value
      }
      const first = await read("api", { url })
      served.body = spec({ "/b": {} })
      expect(await poll(5)).toEqual(first)
      const second = await poll(1.1)
      expect(second.lastVersion).not.toBe(first.lastVersion)
      // Without a change, the resource does not change either.
      expect(await poll(7)).toEqual(second)
      served.status = 503
      const failed = await poll(7)
      expect(failed).toMatchObject({ lastVersion: second.lastVersion, lastProcessErrorCode: "FETCH_ERROR" })
      expect(failed.lastProcessedErrors).toMatchObject([
        { code: "FETCH_ERROR", message: "The server responded with status 503." }
      ])
      expect(await poll(7)).toEqual(failed)
      served.status = 200
      const cured = await poll(7)
      expect([cured.lastVersion, cured.lastProcessErrorCode]).toEqual([second.lastVersion, undefined])
    })
  }

  it("has the code of a source that is too large, and names the document with a reference to one", async () => {
    const { server, read } = await open(await memory.make())
    try {
      const large = Buffer.alloc(20 * 1024 * 1024 + 1, 32)
      routes = {
        "/large.json": (_, response) => void response.end(large),
        "/api.json": (_, response) => void response.end(spec({ "/a": { $ref: "large.json" } }, {})),
        "/broken.json": (_, response) => void response.end("{"),
        "/main.json": (_, response) => void response.end(spec({ "/a": { $ref: "broken.json" } }, {}))
      }
      const message = "The response is larger than 20971520 bytes."
      expect(await read("large", { url: `${site}/large.json` })).toMatchObject({
        lastProcessErrorCode: "FETCH_ERROR",
        lastProcessedErrors: [{ code: "TOO_LARGE", message }]
      })
      expect(await read("api", { url: `${site}/api.json` })).toMatchObject({
        lastProcessErrorCode: "FETCH_ERROR",
        lastProcessedErrors: [
          {
            code: "TOO_LARGE",
            message: `The reference "large.json" cannot be fetched: ${message}`,
            file: "api.json",
            line: 1,
            pointer: "/paths/~1a/$ref"
          }
        ]
      })
      expect(await read("main", { url: `${site}/main.json` })).toMatchObject({
        lastProcessErrorCode: "PARSE_ERROR",
        lastProcessedErrors: [{ code: "SYNTAX_ERROR", file: "broken.json", line: 1, column: 2 }]
      })
    } finally {
      await server.close()
    }
  })

  it("includes each file that it references, also in cycles", async () => {
    const { server, call, read } = await open(await memory.make())
    try {
      const send =
        (body: string): RequestListener =>
        (_, response) =>
          void response.end(body)
      routes = {
        "/specs/api.yaml": send(
          'openapi: 3.0.3\ninfo: {title: API, version: "1"}\npaths:\n  /pets:\n    $ref: "paths/pets.yaml"\n'
        ),
        "/specs/paths/pets.yaml": send(
          'get:\n  responses:\n    "200":\n      description: Pets\n      content:\n        application/json:\n          schema: {$ref: "../pet.json#/Pet"}\n'
        ),
        "/specs/pet.json": send('{"Pet": {"properties": {"home": {"$ref": "api.yaml#/paths"}}}}')
      }
      const { lastProcessErrorCode } = await read("api", { url: `${site}/specs/api.yaml` })
      expect(lastProcessErrorCode).toBeUndefined()
      const { value } = await call<OpenApiSpecContent>("", "GET", "/api/versions/latest/content")
      expect(Object.keys(value.filesystem)).toEqual(["api.yaml", "paths/pets.yaml", "../pet.json"])
    } finally {
      await server.close()
    }
  })

  it("that is broken, huge, cyclic, slow or adversarial has the error code of its problem", async () => {
    const { server, read } = await open(await memory.make())
    try {
      routes = {
        "/secret": (_, response) =>
          void response.writeHead(302, { location: "http://169.254.169.254/" }).end(),
        "/endless": (_, response) => {
          const chunk = Buffer.alloc(1024 * 1024, 32)
          const write = () => {
            while (!response.destroyed && response.write(chunk)) {}
          }
          response.on("drain", write)
          write()
        },
        "/gone": (request) => void request.socket.destroy()
      }
      const bomb = Array.from({ length: 12 }, (_, i) =>
        i === 0
          ? "a0: &a0 [x]"
          : `a${i}: &a${i} [${Array(12)
              .fill(`*a${i - 1}`)
              .join(",")}]`
      ).join("\n")
      let slug = 0
      for (const [source, code] of [
        [{ url: `${site}/secret` }, "FETCH_ERROR"],
        [{ url: `${site}/endless` }, "FETCH_ERROR"],
        [{ url: `${site}/gone` }, "FETCH_ERROR"],
        [{ url: `${site}/nothing` }, "FETCH_ERROR"],
        [{ url: "http://10.0.0.1/api.json" }, "FETCH_ERROR"],
        [{ url: "http://nothing.invalid/api.json" }, "FETCH_ERROR"],
        [{ text: "{" }, "PARSE_ERROR"],
        [{ text: "a: b: c" }, "PARSE_ERROR"],
        [{ text: "just words" }, "PARSE_ERROR"],
        [{ text: "null" }, "PARSE_ERROR"],
        [{ text: "[]" }, "PARSE_ERROR"],
        [{ text: JSON.stringify({ openapi: "4.0.0", info: { title: "API" }, paths: {} }) }, "PARSE_ERROR"],
        [{ text: JSON.stringify({ openapi: "3.0.0", paths: {} }) }, "PARSE_ERROR"],
        [{ text: JSON.stringify({ openapi: "3.0.0", info: { title: "API" } }) }, "PARSE_ERROR"],
        [{ text: spec({ "/a": { $ref: "#/components/nothing" } }) }, "PARSE_ERROR"],
        [{ text: spec({ "/a": { $ref: "other.yaml" } }) }, "PARSE_ERROR"],
        [{ text: spec({ "/a": { $ref: "http://10.0.0.1/other.yaml" } }) }, "FETCH_ERROR"],
        [{ text: `openapi: 3.0.0\ninfo: {title: API, version: "1"}\npaths: &p\n  /a: *p\n` }, "PARSE_ERROR"],
        [{ text: `openapi: 3.0.0\ninfo: {title: API, version: "1"}\npaths: {}\n${bomb}` }, "PARSE_ERROR"],
        [{ text: `${"[".repeat(100_000)}` }, "PARSE_ERROR"],
        [{ text: `${spec({})}x` }, "PARSE_ERROR"]
      ] as const) {
        const processed = await read(`spec-${slug++}`, source)
        expect([source, processed.processingState, processed.lastProcessErrorCode]).toEqual([
          source,
          "complete",
          code
        ])
      }
      // Cycles of references are valid.
      const cyclic = spec({}, { components: { schemas: { A: { $ref: "#/components/schemas/A" } } } })
      expect((await read("cyclic", { text: cyclic })).lastProcessErrorCode).toBeUndefined()
    } finally {
      await server.close()
    }
  })

  it("is rejected if a field is out of bounds", async () => {
    const { server, call } = await open(await memory.make())
    try {
      for (const [method, path, body] of [
        ["POST", "", { slug: "Api", source: { text: "x" } }],
        ["POST", "", { slug: "a--b", source: { text: "x" } }],
        ["POST", "", { slug: "x".repeat(101), source: { text: "x" } }],
        ["POST", "", { slug: "api", source: { text: "" } }],
        ["POST", "", { slug: "api", source: { url: "ftp://example.com" } }],
        ["POST", "", { slug: "api", source: {} }],
        ["PUT", "/api_2", { source: { text: "x" } }],
        ["GET", "/API", undefined]
      ] as const) {
        expect([path, body, (await call("", method, path, body)).status]).toEqual([path, body, 400])
      }
    } finally {
      await server.close()
    }
  })
})

it.skipIf(isFastRun)("a server that has parsed a specification in a thread stops on SIGTERM", async () => {
  const server = await serve(`sqlite:${join(temporaryFolder(), "lectern.db")}`)
  const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
  const path = `/v1/orgs/${items[0]!.id}/openapi`
  const source = { text: spec({}) }
  await call(server, path, { method: "POST", body: JSON.stringify({ slug: "api", source }) })
  await until(
    "the specification is processed",
    async () => (await call<OpenApiSpec>(server, `${path}/api`)).processingState === "complete"
  )
  expect((await call<OpenApiSpec>(server, `${path}/api`)).lastVersion).toBeDefined()
  expect(await server.end("SIGTERM")).toBe(0)
})
