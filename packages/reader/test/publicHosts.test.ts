/** Pages of the server at its own hosts, if a site claims the same paths. */
import { request } from "node:http"
import { text as readText } from "node:stream/consumers"
import { expect, it, onTestFinished } from "vitest"
import { createTestSite, startPageServer } from "./support/scene.ts"

const host = "docs.example.org"

/** An application that responds with the path that it receives. */
const studio = () => ({
  handle: ({ path }: { readonly path: string }) => ({
    status: 200,
    headers: { "content-type": "text/plain" },
    body: `application at ${path}`,
    isStatic: false
  })
})

const start = async () => {
  const server = await startPageServer({ publicHosts: [host], trustedProxies: ["127.0.0.1"], studio })
  onTestFinished(server.close)
  const { site } = await createTestSite(server)
  const { sites } = server.workspace.as(server.user)
  const { port } = new URL(server.url)
  const load = (path: string, at = host) =>
    new Promise<string>((resolve, reject) => {
      request({ port, path, headers: { host: at, accept: "text/html" } }, async (response) => {
        const { location = "" } = response.headers
        const body = (await readText(response)).replaceAll(/nonce[-="][^"' ]+/g, "")
        resolve(`${response.statusCode} ${location} ${body}`)
      })
        .on("error", reject)
        .end()
    })
  const setProxy = (proxy: string | null) =>
    sites.update({ organization: server.organization, site, input: { proxy } }).then(
      () => true,
      (error: { readonly reason?: string }) => {
        // A name such as openapi.json is not a path of a site.
        expect(error.reason).toBe("InvalidFields")
        return false
      }
    )
  return { server, load, setProxy }
}

it("a site at a path of a public host replaces no page of the server", async () => {
  const { server, load, setProxy } = await start()
  const { urls } = (await (await fetch(server.url, { headers: { accept: "application/json" } })).json()) as {
    readonly urls: Readonly<Record<string, string>>
  }
  const listed = Object.values(urls).map((url) => new URL(url, server.url).pathname)
  const paths = new Set([
    ...listed,
    "/app",
    "/app/me",
    "/app/install",
    "/docs",
    "/help",
    "/help/install",
    "/readyz",
    "/v1/user"
  ])
  let claims = 0
  for (const path of paths) {
    const first = path.split("/")[1]!
    if (first === "") continue
    const before = await load(path)
    for (const claimed of new Set([first, path.slice(1)])) {
      if (!(await setProxy(`${host}/${claimed}`))) continue
      claims++
      expect([claimed, path, await load(path)]).toEqual([claimed, path, before])
    }
    await setProxy(null)
  }
  expect(claims).toBeGreaterThan(10)
  // Paths that the server does not serve, and hosts that are not its own, remain for sites.
  await setProxy(`${host}/guide`)
  expect(await load("/guide/guides/install")).toContain("<title>Install")
  await setProxy("help.example.com/docs")
  expect(await load("/docs/guides/install", "help.example.com")).toContain("<title>Install")
  // Only the root of a host takes the application and the API from it: a name of the server may be in no setting.
  for (const path of ["/app", "/app/guides/install", "/v1", "/v1/guides/install"]) {
    await setProxy(null)
    const before = await load(path, "workspace.lan")
    await setProxy(`workspace.lan/${path.split("/")[1]}`)
    expect([path, await load(path, "workspace.lan")]).toEqual([path, before])
  }
  await setProxy("help.example.com")
  expect(await load("/guides/install", "help.example.com")).toContain("<title>Install")
})
