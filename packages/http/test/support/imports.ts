/** Helpers of the import tests: a workspace with a space, and websites to import from. */
import { Fetcher, ImportWait, type RecordsAdapter } from "@lectern/core"
import { type NodeFetcherOptions, nodeFetcher } from "@lectern/http"
import { Layer } from "effect"
import { expect, onTestFinished } from "vitest"
import { callForBody } from "../caller.ts"
import { validatePublicResponse } from "../contract.ts"
import { startServer } from "../support.ts"
import { type Route, startWebsite } from "./website.ts"

/** A page in the tree of a space. */
export interface Page {
  readonly id: string
  readonly title: string
  readonly slug: string
  readonly path: string
  readonly type: string
  readonly description?: string
  readonly markdown?: string
  readonly pages: ReadonlyArray<Page>
}

/** The response to an import. */
export interface ImportResponse {
  readonly status: number
  readonly value: {
    readonly revision: string
    readonly importedResources: number
    readonly totalResources: number
    readonly error?: { readonly code: number; readonly message: string; readonly details?: unknown }
  }
}

/** Starts a workspace with a space and an administrator who can edit it. */
export const startImportWorkspace = async (
  storage: Layer.Layer<RecordsAdapter, unknown>,
  resolve?: NodeFetcherOptions["resolve"],
  waitMillis = 300_000,
  services: Layer.Layer<never> = Layer.empty
) => {
  const allow = ["127.0.0.1"]
  const server = await startServer(
    Layer.provideMerge(
      storage,
      Layer.mergeAll(
        services,
        Layer.succeed(Fetcher, nodeFetcher(resolve === undefined ? { allow } : { allow, resolve })),
        Layer.succeed(ImportWait, waitMillis)
      )
    )
  )
  onTestFinished(() => server.close())
  const admin = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", admin)
  const token = await server.tokenOf(admin)
  const call = <A>(method: string, path: string, body?: unknown) =>
    callForBody<A>(server, token, method, path, body)
  const space = (await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, {})).id
  const importContent = async (
    body: unknown,
    base = `/spaces/${space}/content`,
    signal: AbortSignal | null = null
  ): Promise<ImportResponse> => {
    const response = await server.fetch(`/v1${base}/import`, {
      method: "POST",
      token,
      signal,
      body: JSON.stringify(body)
    })
    const value = (await response.json()) as ImportResponse["value"]
    if (response.ok) {
      const operation = base.includes("change-requests") ? "importContentInChangeRequest" : "importContent"
      expect(validatePublicResponse(operation, response.status, value)).toBeUndefined()
      const location = new URL(response.headers.get("location")!).pathname
      expect(location).toBe(`/v1/spaces/${base.split("/")[2]}/revisions/${value.revision}`)
    }
    return { status: response.status, value }
  }
  const pages = async (base = `/spaces/${space}/content`) =>
    (await call<{ pages: ReadonlyArray<Page> }>("GET", `${base}/pages`)).pages
  const page = (path: string, base = `/spaces/${space}/content`) =>
    call<Page>("GET", `${base}/path/${encodeURIComponent(path)}?format=markdown`)
  const files = async (base = `/spaces/${space}/content`) =>
    (
      await call<{ items: ReadonlyArray<{ id: string; name: string; contentType: string; size: number }> }>(
        "GET",
        `${base}/files`
      )
    ).items
  const currentRevision = async () =>
    await call<{ id: string; parents: ReadonlyArray<string> }>("GET", `/spaces/${space}/content`)
  return { server, organization, token, call, space, importContent, pages, page, files, currentRevision }
}

/** Starts a website that is closed when the test has finished. */
export const serveSite = async (routes: Record<string, Route>) => {
  const site = await startWebsite(routes)
  onTestFinished(() => site.close())
  return site
}

/** The titles of a tree: a string for a page without children, a pair of title and children for the others. */
export const titleTree = (pages: ReadonlyArray<Page>): unknown =>
  pages.map(({ title, pages: inner }) =>
    inner === undefined || inner.length === 0 ? title : [title, titleTree(inner)]
  )

/** The number of documents in a tree. */
export const countDocuments = (pages: ReadonlyArray<Page>): number =>
  pages.reduce((sum, page) => sum + (page.type === "document" ? 1 : 0) + countDocuments(page.pages ?? []), 0)
