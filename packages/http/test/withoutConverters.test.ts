/** A server without the optional package `@lectern/converters`. */
import { join } from "node:path"
import { converters } from "@lectern/converters"
import { createWorkspace, type WorkspaceOptions } from "@lectern/core"
import { nodeFetcher, toWebHandler } from "@lectern/http"
import { MemoryStorage } from "@lectern/testkit"
import { expect, it, onTestFinished } from "vitest"
import { adminToken, serve } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"
import { serveSite } from "./support/imports.ts"

const noPdf = "This server cannot export PDFs: the package @lectern/converters is not installed."
const noImport = "This server cannot import content: the package @lectern/converters is not installed."

interface CallResult {
  readonly status: number
  readonly body: {
    readonly error?: { readonly code: number; readonly message: string }
    readonly url?: string
  }
}

/** Calls operations on a new space of a server. */
const spaceOf = async (send: (path: string, init: RequestInit) => Promise<Response>, token: string) => {
  const call = async (
    method: string,
    path: string,
    body?: object
  ): Promise<CallResult & { body: { id: string } }> => {
    const response = await send(`/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body)
    })
    return { status: response.status, body: (await response.json()) as { id: string } }
  }
  const organizations = await call("GET", "/orgs")
  const [organization] = (organizations.body as unknown as { items: ReadonlyArray<{ id: string }> }).items
  const space = (await call("POST", `/orgs/${organization!.id}/spaces`, { title: "Handbook" })).body.id
  return {
    pdf: () => call("GET", `/spaces/${space}/pdf`),
    importContent: (source: string, url: string) =>
      call("POST", `/spaces/${space}/content/import`, { source, url })
  }
}

/** Starts an embedded workspace, and calls it through its web handler. */
const startEmbeddedSpace = async (options: Partial<WorkspaceOptions> = {}) => {
  const workspace = createWorkspace({
    storage: MemoryStorage.layer(),
    fetcher: nodeFetcher({ allow: ["127.0.0.1"] }),
    ...options
  })
  onTestFinished(() => workspace.dispose())
  const ada = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
  await workspace.administration.createOrganization({ administrator: ada, input: { title: "Acme" } })
  const { secret } = await workspace.tokens.create({ input: { user: ada, label: "Test" } })
  const handler = toWebHandler(workspace)
  return spaceOf((path, init) => handler(new Request(`http://host${path}`, init)), secret)
}

it("an embedded workspace without converters responds with 409, before it fetches anything", async () => {
  const { pdf, importContent } = await startEmbeddedSpace()
  const site = await serveSite({ "/": { type: "text/html", body: "<h1>Home</h1>" } })
  expect(await pdf()).toMatchObject({ status: 409, body: { error: { code: 409, message: noPdf } } })
  for (const source of ["website", "markdown", "html", "docx", "zip", "github-wiki"]) {
    expect(await importContent(source, site.url)).toMatchObject({
      status: 409,
      body: { error: { code: 409, message: noImport } }
    })
  }
  expect(site.requestedPaths).toEqual([])
})

it("an embedded workspace with converters exports and imports over HTTP", async () => {
  const { pdf, importContent } = await startEmbeddedSpace(converters())
  const site = await serveSite({ "/": { type: "text/html", body: "<h1>Home</h1>" } })
  expect((await importContent("html", site.url)).status).toBe(201)
  expect(await pdf()).toMatchObject({ status: 200, body: { url: expect.stringContaining("/pdf/") } })
})

it("lectern serve runs without the package, prints which conversions are disabled, and responds with 409", async () => {
  const hide = new URL("./support/hideConverters.ts", import.meta.url).href
  const database = `sqlite:${join(temporaryFolder(), "lectern.db")}`
  const server = await serve(database, [], {}, { NODE_OPTIONS: `--import=${hide}` })
  const { pdf, importContent } = await spaceOf((path, init) => fetch(server.url + path, init), adminToken)
  expect(await pdf()).toMatchObject({ status: 409, body: { error: { code: 409, message: noPdf } } })
  expect(await importContent("html", "https://acme.example/")).toMatchObject({
    status: 409,
    body: { error: { code: 409, message: noImport } }
  })
  expect(
    server
      .printed()
      .split("\n")
      .filter((line) => line.includes("@lectern/converters"))
  ).toEqual([
    "PDF export, imports and OpenAPI documents over 1 MiB (YAML: 16 KiB) are disabled. To enable them: npm install @lectern/converters"
  ])
  expect(await server.end("SIGTERM")).toBe(0)
})

it("lectern serve with the package prints nothing about it", async () => {
  const server = await serve(`sqlite:${join(temporaryFolder(), "lectern.db")}`)
  const { pdf } = await spaceOf((path, init) => fetch(server.url + path, init), adminToken)
  expect((await pdf()).status).toBe(200)
  expect(server.printed()).not.toContain("@lectern/converters")
  expect(await server.end("SIGTERM")).toBe(0)
})
