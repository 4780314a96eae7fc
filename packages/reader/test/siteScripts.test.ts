/** Scripts of others on sites: at a host name of the site only, which serves nothing that a session can read. */
import { request } from "node:http"
import { text as readText } from "node:stream/consumers"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createTestSite, type PageServer, startPageServer, type TestSite } from "./support/scene.ts"

const host = "scripts.example.com"

let server: PageServer
let site: TestSite

beforeAll(async () => {
  server = await startPageServer({
    publicHosts: ["docs.example.org"],
    trustedProxies: ["127.0.0.1"],
    studio: () => ({
      handle: () => ({
        status: 200,
        headers: { "content-type": "text/plain" },
        body: "application",
        isStatic: false
      })
    })
  })
  site = await createTestSite(server)
})
afterAll(() => server.close())

interface Loaded {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: string
}

const load = (path: string, headers: Record<string, string> = {}): Promise<Loaded> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(server.url)
    request({ port, path, headers: { host, accept: "text/html", ...headers } }, async (response) =>
      resolve({ status: response.statusCode!, headers: response.headers, body: await readText(response) })
    )
      .on("error", reject)
      .end()
  })

const as = () => server.workspace.as(server.user)
const target = () => ({ organization: server.organization, site: site.site })
const setProxy = (proxy: string | null) => as().sites.update({ ...target(), input: { proxy } })

const install = (input: Parameters<ReturnType<typeof as>["siteScripts"]["create"]>[0]["input"]) =>
  as().siteScripts.create({ ...target(), input })

const scriptsOf = (html: string) => {
  const found = /data-scripts="([^"]*)"/.exec(html)?.[1]
  return found === undefined
    ? undefined
    : (JSON.parse(found.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&")) as {
        readonly entries: ReadonlyArray<{ readonly url: string; readonly categories: ReadonlyArray<string> }>
      })
}

it("pages load scripts only at the host of their site, with a policy that names only their origins", async () => {
  const script = await install({
    name: "Statistics",
    source: { type: "template", template: "google-analytics", values: { measurementId: "G-ABCD1234" } }
  })
  expect([script.active, script.inactiveReason]).toEqual([false, expect.stringContaining("no host name")])
  const before = await fetch(site.url)
  expect(scriptsOf(await before.text())).toBeUndefined()
  expect(before.headers.get("content-security-policy")).not.toContain("google")

  await setProxy(host)
  expect((await as().siteScripts.get({ ...target(), siteScript: script.id })).active).toBe(true)
  const page = await load("/")
  expect(page.status).toBe(200)
  const { entries } = scriptsOf(page.body)!
  expect(entries.map(({ categories }) => categories)).toEqual([["analytics"], ["analytics"]])
  expect(entries[1]!.url).toBe("https://www.googletagmanager.com/gtag/js?id=G-ABCD1234")
  // No script of others is in the page: the banner adds it after the consent of the visitor.
  expect(page.body.match(/<script[^>]*>/g)!.every((tag) => /src="[^":]*~\/assets\//.test(tag))).toBe(true)
  expect(page.body).toContain("consent.")
  const policy = String(page.headers["content-security-policy"])
  expect(policy).toContain("script-src 'self' https://www.googletagmanager.com;")
  expect(policy).toContain("connect-src 'self' https://*.analytics.google.com")
  expect(policy).not.toMatch(/unsafe|nonce|script-src[^;]*\*/)
  const file = await load(`/${entries[0]!.url}`)
  expect([file.status, file.headers["content-type"]]).toEqual([200, "text/javascript; charset=utf-8"])
  expect(file.body).toContain("window.gtag('config',\"G-ABCD1234\")")
  expect((await load(`/${entries[0]!.url.replace(/[0-9a-f]{16}/, "0".repeat(16))}`)).status).toBe(404)

  // The same site below the URL of the workspace has no scripts, and neither at a host of the operator.
  const name = new URL(site.url).pathname
  const below = await fetch(`${server.url}${name}`, { redirect: "manual" })
  expect(scriptsOf(await below.text())).toBeUndefined()
  await setProxy("docs.example.org/guide")
  const shared = await load("/guide/", { host: "docs.example.org" })
  expect([shared.status, scriptsOf(shared.body)]).toEqual([200, undefined])

  await setProxy(host)
  await as().siteScripts.update({ ...target(), siteScript: script.id, input: { enabled: false } })
  const without = await load("/")
  expect(scriptsOf(without.body)).toBeUndefined()
  expect(String(without.headers["content-security-policy"])).not.toContain("google")
  await as().siteScripts.remove({ ...target(), siteScript: script.id })
  await setProxy(null)
})

it("the host of scripts serves neither the application nor the API, and ignores the cookies of sessions", async () => {
  await setProxy(host)
  const signedIn = await fetch(await server.createSignInLink(), {
    method: "POST",
    redirect: "manual",
    headers: { "sec-fetch-site": "same-origin" }
  })
  const [cookie = ""] = signedIn.headers.getSetCookie()
  // Browsers send the cookie to the host of the workspace only, and no script reads it.
  expect(cookie).toMatch(/; HttpOnly/)
  expect(cookie).not.toMatch(/domain=/i)
  const session = cookie.split(";")[0]!
  // Everything that reads with a session or a token, before and after a script is installed.
  const paths = [
    "/v1/user",
    "/app",
    "/~/login",
    "/docs",
    "/openapi.json",
    "/help",
    "/oauth/authorize",
    "/scim/v2/Users"
  ]
  const preview = `/s/${site.guide}/`
  const credentials = { authorization: `Bearer ${server.token}` }
  const statusOf = async (path: string) => (await load(path, { ...credentials, accept: "*/*" })).status
  expect(await statusOf("/v1/user")).toBe(200)
  const script = await install({
    name: "Own",
    source: { type: "text", text: "window.own = 1" },
    categories: []
  })
  for (const path of [...paths, preview]) {
    for (const given of [{ ...credentials, accept: "*/*" }, { cookie: session }]) {
      const { status, headers, body } = await load(path, given)
      expect([path, status, headers["set-cookie"]]).toEqual([path, 404, undefined])
      expect(body).not.toContain("ada@example.com")
    }
  }
  expect((await load("/guides/install")).status).toBe(200)
  // At the host of the workspace, the session and the API remain.
  const own = await fetch(`${server.url}/v1/user`, { headers: credentials })
  expect(own.status).toBe(200)
  // A page with scripts cannot read a response of that host: it permits no other origin.
  const foreign = await fetch(`${server.url}/v1/user`, {
    headers: { origin: `https://${host}`, "sec-fetch-site": "same-site", cookie: session }
  })
  expect([foreign.ok, foreign.headers.get("access-control-allow-origin")]).toEqual([false, null])
  await as().siteScripts.remove({ ...target(), siteScript: script.id })
  expect(await statusOf("/v1/user")).toBe(200)
  await setProxy(null)
})

it("only the organization with the root of a host loads scripts there, regardless of the addresses of others", async () => {
  const credentials = { authorization: `Bearer ${server.token}`, accept: "*/*" }
  const statusesAt = async (at: string) =>
    Promise.all(
      ["/v1/user", "/app"].map(async (path) => (await load(path, { ...credentials, host: at })).status)
    )
  const script = await install({
    name: "Own",
    source: { type: "text", text: "window.own = 1" },
    categories: []
  })
  const read = () => as().siteScripts.get({ ...target(), siteScript: script.id })
  for (const address of ["workspace.lan/evil", "work.corp.lan/evil"]) {
    await setProxy(address)
    expect((await read()).inactiveReason).toContain("No site has the root of")
    expect(await statusesAt(address.split("/")[0]!)).toEqual([200, 200])
    const page = await load("/evil/", { host: address.split("/")[0]! })
    expect([page.status, scriptsOf(page.body)]).toEqual([200, undefined])
  }

  await setProxy(host)
  const { administration } = server.workspace
  const stranger = await administration.createUser({ input: { email: "eve@example.com" } })
  const organization = await administration.createOrganization({
    administrator: stranger,
    input: { title: "Eve" }
  })
  const eve = server.workspace.as(stranger)
  const { id: foreign } = await eve.sites.create({ organization, input: { title: "Eve" } })
  for (const proxy of [`${host}/evil`, host, `${host}/a/b`]) {
    await expect(eve.sites.update({ organization, site: foreign, input: { proxy } })).rejects.toMatchObject({
      reason: "HostnameTaken"
    })
    expect(await read()).toMatchObject({ active: true })
    expect(scriptsOf((await load("/")).body)?.entries).toHaveLength(1)
  }
  await as().siteScripts.remove({ ...target(), siteScript: script.id })
  await setProxy(null)
})
