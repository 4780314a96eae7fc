/**
 * Scripts of others cannot read through the session of the person who displays their page. The workspace is served on https, where a
 * session is accepted at every host whose request has its cookie.
 */
import { request } from "node:http"
import { text as readText } from "node:stream/consumers"
import { expect, it, onTestFinished } from "vitest"
import { createTestSite, startPageServer } from "./support/scene.ts"

const workspaceHost = "lectern.example"
const host = "scripts.example.com"

const start = async () => {
  const server = await startPageServer({
    publicUrl: `https://${workspaceHost}`,
    trustedProxies: ["127.0.0.1"]
  })
  onTestFinished(server.close)
  const { site, guide } = await createTestSite(server)
  const as = server.workspace.as(server.user)
  const { port } = new URL(server.url)
  const load = (path: string, at: string, headers: Record<string, string> = {}, method = "GET") =>
    new Promise<{ readonly status: number; readonly body: string; readonly cookies: ReadonlyArray<string> }>(
      (resolve, reject) => {
        const given = { host: at, accept: "text/html", "x-forwarded-proto": "https", ...headers }
        request({ port, path, method, headers: given }, async (response) =>
          resolve({
            status: response.statusCode!,
            body: await readText(response),
            cookies: response.headers["set-cookie"] ?? []
          })
        )
          .on("error", reject)
          .end()
      }
    )
  const target = { organization: server.organization, site }
  const draft = await as.spaces.create({
    organization: server.organization,
    input: { title: "Draft of the board" }
  })
  await as.content.edit({
    content: { space: draft.id },
    input: {
      changes: [{ operation: "insert_page", title: "Plan", document: { markdown: "The plan is KESTREL." } }]
    }
  })
  const signIn = new URL(await server.createSignInLink())
  const signedIn = await load(
    `${signIn.pathname}${signIn.search}`,
    workspaceHost,
    { "sec-fetch-site": "same-origin", origin: `https://${workspaceHost}` },
    "POST"
  )
  const cookie = signedIn.cookies.find((line) => line.startsWith("__Host-lectern"))?.split(";")[0] ?? ""
  expect(cookie).not.toBe("")
  return { server, as, target, guide, draft: draft.id, load, cookie }
}

it("a script reads nothing through a session", async () => {
  const { as, target, guide, draft, load, cookie, server } = await start()
  // The site has a path of the host, whose root is another site of the organization.
  const root = await as.sites.create({ organization: server.organization, input: { title: "Root" } })
  const rootTarget = { organization: server.organization, site: root.id }
  await as.sites.update({ ...rootTarget, input: { proxy: host } })
  await as.sites.update({ ...target, input: { proxy: `${host}/guide` } })
  const privatePaths = [
    `/s/${draft}/`,
    `/s/${draft}/plan`,
    `/s/${guide}/`,
    `/o/${server.organization}/`,
    `/o/${server.organization}/sites/${target.site}/`,
    `/~/visit/${server.organization}/${target.site}`
  ]
  // The session reads them: at the host of the workspace, and before a script is installed also here, with the cookie of a browser.
  const own = await load(`/s/${draft}/`, workspaceHost, { cookie })
  expect([own.status, own.body.includes("KESTREL")]).toEqual([200, true])

  await as.siteScripts.create({
    ...target,
    input: { name: "Own", source: { type: "text", text: "window.own = 1" }, categories: [] }
  })
  expect((await load("/guide/", host, { cookie })).body).toContain("data-scripts")
  for (const path of privatePaths) {
    const without = await load(path, host)
    for (const given of [cookie, `lectern-visitor=x; ${cookie}`, `${cookie}; theme=dark`]) {
      const { status, body, cookies } = await load(path, host, { cookie: given })
      // Exactly the response to a browser that has no session.
      expect([path, status, body, cookies]).toEqual([path, without.status, without.body, []])
      expect(body).not.toMatch(/KESTREL|Draft of the board|ada@example\.com/)
    }
  }
})

it("a host whose site loads scripts serves pages of sites only, with any port", async () => {
  const { as, target, load, cookie } = await start()
  await as.sites.update({ ...target, input: { proxy: host } })
  await as.siteScripts.create({
    ...target,
    input: { name: "Own", source: { type: "text", text: "window.own = 1" }, categories: [] }
  })
  await as.siteRedirects.create({
    ...target,
    input: { source: "/h*", destination: { kind: "external", url: "https://example.com/" } }
  })
  const names = [
    host,
    `${host}:443`,
    `${host}:80`,
    `${host}:4700`,
    `${host}.`,
    `${host}.:8080`,
    host.toUpperCase()
  ]
  for (const name of names) {
    const page = await load("/", name, { cookie })
    expect([name, page.status, page.body.includes("data-scripts")]).toEqual([name, 200, true])
    for (const path of ["/app", "/app/", "/v1/user", "/v1/orgs", "/v1/mcp", "/openapi.json", "/metrics"]) {
      const { status, body } = await load(path, name, { cookie })
      expect([name, path, status]).toEqual([name, path, 404])
      expect(body).not.toMatch(/ada@example\.com/)
    }
    // A probe of the host is one of the server, also with a redirect that matches its path.
    expect([name, (await load("/healthz", name)).status]).toEqual([name, 200])
    expect([name, (await load("/hello", name)).status]).toEqual([name, 307])
  }
  expect((await load("/v1/user", workspaceHost, { cookie, accept: "application/json" })).status).toBe(200)
})
