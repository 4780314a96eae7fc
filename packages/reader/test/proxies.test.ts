/** The configurations of the guide, in real proxies. Without a proxy of the system, its tests are skipped. */
import { execFileSync, spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { request as requestHttps } from "node:https"
import type { AddressInfo } from "node:net"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { nodeFetcher } from "@lectern/http"
import { purgeEdge } from "@lectern/http/server"
import { Effect, Fiber } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { type PageServer, startPageServer } from "./support/scene.ts"

const guide = readFileSync(new URL("../../../docs/guides/proxies.md", import.meta.url), "utf8")

/** Returns the block of code of the guide in a language. */
const blockOf = (language: string): string => new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(guide)![1]!

const pathOf = (program: string): string | undefined =>
  ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin", "/usr/bin"]
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path))

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer()
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

const createFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-proxy-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts a program, and waits until it accepts requests. */
const start = async (program: string, options: ReadonlyArray<string>, isReady: () => Promise<unknown>) => {
  const child = spawn(program, options, { stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (output += part))
  onTestFinished(async () => {
    child.kill()
    await new Promise((resolve) =>
      child.exitCode === null ? child.once("exit", resolve) : resolve(undefined)
    )
  })
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${program} has stopped: ${output}`)
    if (
      await isReady().then(
        () => true,
        () => false
      )
    )
      return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const openSite = async (server: PageServer) => {
  const as = server.workspace.as(server.user)
  const { organization } = server
  const { id: space } = await as.spaces.create({ organization, input: { title: "Guide" } })
  const edit = (markdown: string, page?: string) =>
    as.content.edit({
      content: { space },
      input: {
        changes: [
          page === undefined
            ? { operation: "insert_page", title: "Install", document: { markdown } }
            : { operation: "update_page", page, document: { markdown } }
        ]
      }
    })
  await edit("First text.\n")
  const [page] = (await as.content.listPages({ content: { space } })).pages
  const { id: site } = await as.sites.create({ organization, input: { title: "Site", spaces: [space] } })
  const { urls } = await as.sites.publish({ organization, site })
  return {
    as,
    organization,
    site,
    path: new URL(urls.published!).pathname,
    edit: (markdown: string) => edit(markdown, page!.id)
  }
}

const varnish = pathOf("varnishd")
const nginx = pathOf("nginx")

describe.skipIf(varnish === undefined)("Varnish of the package `varnish`", () => {
  it("stores pages of public sites, and removes them when they change or are no longer public", async () => {
    const folder = createFolder()
    const server = await startPageServer({ edge: { maxAgeSeconds: 3_600, staleSeconds: 0 } })
    onTestFinished(() => server.close())
    const site = await openSite(server)
    const port = await freePort()
    const configuration = join(folder, "lectern.vcl")
    writeFileSync(configuration, blockOf("vcl").replace('"4400"', `"${new URL(server.url).port}"`))
    const at = `http://127.0.0.1:${port}`
    const options = [
      "-F",
      "-j",
      "none",
      "-a",
      `127.0.0.1:${port}`,
      "-f",
      configuration,
      "-n",
      folder,
      "-s",
      "malloc,16m"
    ]
    await start(varnish!, options, () => fetch(`${at}/healthz`))

    const get = async (headers: Record<string, string> = {}) => {
      const response = await fetch(`${at}${site.path}`, { headers, redirect: "manual" })
      const body = await response.text()
      const [, before] = (response.headers.get("x-varnish") ?? "").split(" ")
      return {
        status: response.status,
        body,
        isStored: before !== undefined,
        keys: response.headers.get("surrogate-key")
      }
    }
    expect(await get()).toMatchObject({ status: 200, isStored: false, keys: null })
    expect(await get()).toMatchObject({ status: 200, isStored: true })
    // A visitor with a token, and a member, receive responses of the server.
    expect((await get({ cookie: "lectern-visitor=token" })).isStored).toBe(false)

    const { runtime } = server.workspace
    const purging = runtime.runFork(
      Effect.provideService(
        purgeEdge({ url: `${at}/~/purge` }),
        (await import("@lectern/core")).Fetcher,
        nodeFetcher({ allow: ["127.0.0.1"] })
      )
    )
    onTestFinished(() => Effect.runPromise(Effect.asVoid(Fiber.interrupt(purging))))
    const until = async (isReached: (page: Awaited<ReturnType<typeof get>>) => boolean) => {
      for (;;) {
        if (isReached(await get())) return
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
    await site.edit("Second text.\n")
    await until(({ body }) => body.includes("Second text."))
    await until(({ isStored }) => isStored)
    await site.as.sites.unpublish({ organization: site.organization, site: site.site })
    await until(({ status }) => status === 404)
  }, 60_000)
})

describe.skipIf(nginx === undefined)("nginx", () => {
  it("serves the workspace by HTTPS, with uploads and events that it does not collect", async () => {
    const folder = createFolder()
    const port = await freePort()
    const [certificate, key] = [join(folder, "cert.pem"), join(folder, "key.pem")]
    const subject = ["-subj", "/CN=docs.example.com", "-keyout", key, "-out", certificate]
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject], {
      stdio: "ignore"
    })
    const server = await startPageServer({ trustedProxies: ["127.0.0.1"], publicHosts: ["docs.example.com"] })
    onTestFinished(() => server.close())
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${join(folder, name)};`
    )
    const configuration = blockOf("nginx")
      .replace("listen 443 ssl;", `listen 127.0.0.1:${port} ssl;`)
      .replace("/etc/ssl/docs.example.com.pem", certificate)
      .replace("/etc/ssl/docs.example.com.key", key)
      .replace("127.0.0.1:4400", new URL(server.url).host)
      .replace("http {", `http {\n  access_log off;\n  ${temporary.join("\n  ")}`)
    const file = join(folder, "nginx.conf")
    writeFileSync(file, configuration)

    const send = (
      path: string,
      {
        method = "GET",
        headers = {},
        body
      }: { method?: string; headers?: Record<string, string>; body?: string } = {}
    ) =>
      new Promise<{ status: number; text: () => Promise<string>; first: () => Promise<string> }>(
        (resolve, reject) => {
          const outgoing = requestHttps(
            {
              host: "127.0.0.1",
              port,
              path,
              method,
              rejectUnauthorized: false,
              agent: false,
              headers: { host: "docs.example.com", ...headers }
            },
            (incoming) =>
              resolve({
                status: incoming.statusCode!,
                text: () => text(incoming),
                first: () =>
                  new Promise((done) =>
                    incoming.once("data", (part) => {
                      done(String(part))
                      incoming.destroy()
                    })
                  )
              })
          )
          outgoing.on("error", reject)
          outgoing.end(body)
        }
      )
    const daemon = [
      "-p",
      folder,
      "-c",
      file,
      "-g",
      `daemon off; pid ${join(folder, "pid")};`,
      "-e",
      join(folder, "error.log")
    ]
    await start(nginx!, daemon, () => send("/healthz"))

    const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" }
    const organizations = await send("/v1/orgs", { headers })
    expect(organizations.status).toBe(200)
    expect(JSON.parse(await organizations.text()).items[0].urls.location).toMatch(
      /^https:\/\/docs\.example\.com\/v1\/orgs\//
    )
    // A body that is larger than the default limit of nginx, 1 MiB.
    const large = await send(`/v1/orgs/${server.organization}/spaces`, {
      method: "POST",
      headers,
      body: JSON.stringify({ title: "Large", emoji: "a".repeat(2_000_000) })
    })
    expect([400, 422]).toContain(large.status)
    const events = await send(`/v1/orgs/${server.organization}/events/stream`, {
      headers: { ...headers, accept: "text/event-stream" }
    })
    expect(events.status).toBe(200)
    expect(await events.first()).not.toBe("")
  }, 60_000)
})
