/** The route of the application in the browser: its place, and its absence. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createWorkspace } from "@lectern/core"
import { type HttpOptions, type MakeApplication, toNodeListener } from "@lectern/http"
import { sqlite } from "@lectern/storage-sqlite"
import { expect, it } from "vitest"

const withServer = async (options: HttpOptions, run: (url: string) => Promise<void>) => {
  const workspace = createWorkspace({ storage: sqlite(":memory:") })
  const server = createServer(toNodeListener(workspace, options))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await workspace.dispose()
  }
}

/** An application that responds with its options and the path that it receives. */
const studio: MakeApplication = (options) => ({
  handle: ({ method, path }) => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...options, method, path }),
    isStatic: false
  })
})

it("is at /app, below the prefix of the API", async () => {
  for (const prefix of ["", "/docs-api"]) {
    await withServer({ prefix, studio }, async (url) => {
      for (const path of ["/app", "/app/spaces/1?panel=a"]) {
        const response = await fetch(`${url}${prefix}${path}`)
        expect(await response.json()).toEqual({
          api: prefix,
          basePath: `${prefix}/app`,
          method: "GET",
          path: `${prefix}${path}`
        })
      }
      expect((await fetch(`${url}${prefix}/apple`)).status).toBe(404)
    })
  }
})

it("is linked by the first page of the server only if it is installed", async () => {
  const readLinks = async (url: string) => ((await (await fetch(url)).json()) as { urls: object }).urls
  await withServer({ studio }, async (url) => {
    expect(await readLinks(url)).toHaveProperty("app")
  })
  await withServer({}, async (url) => {
    expect(await readLinks(url)).not.toHaveProperty("app")
    expect((await fetch(`${url}/app`)).status).toBe(404)
  })
})
