/** A server with a workspace in memory and the page of a host, and a browser that opens it. */
import { readFileSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { converters } from "@lectern/converters"
import { createWorkspace, type EmbeddedWorkspace } from "@lectern/core"
import { toNodeListener } from "@lectern/http"
import { makeReader } from "@lectern/reader"
import { sqlite } from "@lectern/storage-sqlite"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { openBrowser } from "../../../reader/test/support/browser.ts"
import { bundle } from "./bundle.ts"

/** The policy of the page: neither inline scripts and styles, nor evaluation, nor HTML from strings. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob: https://example.com",
  "connect-src 'self' data: blob:",
  "require-trusted-types-for 'script'",
  "trusted-types ProseMirrorClipboard lectern-paste"
].join("; ")

const htmlOf = (
  script: string
): string => `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Host</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/fonts.css"><link rel="stylesheet" href="/host.css"><script type="module" src="/${script}.js"></script>
<main id="editor"></main></html>`

/** The style sheet of a host, whose rules for elements and for classes of these names do not apply to the text. */
const css = `html { color-scheme: light dark } body { margin: 0 } p { color: red }
code { padding: 4px; background: lime; border-radius: 9px } .tabs { display: flex; gap: 9px } .hint, .card { padding: 99px }
table { border: 9px solid red } button { background: red; text-transform: uppercase } ul, ol { list-style: none; padding: 0 }
h2, .heading { font: italic 40px serif; margin: 0 } .columns { column-count: 3 } blockquote::before { color: red } `

/** A server with the page of a host, and a browser. */
export interface Scene {
  readonly url: string
  readonly workspace: EmbeddedWorkspace
  readonly user: string
  readonly organization: string
  readonly token: string
  readonly browser: Browser
  /** Creates a space with one page of this Markdown. Returns the options of the page. */
  readonly createPage: (markdown: string) => Promise<PageIds>
  /** Creates a change request in the space of a page. Returns its id and its first revision. */
  readonly createChangeRequest: (
    ids: PageIds
  ) => Promise<{ readonly changeRequest: string; readonly revision: string }>
  /** Creates a member of the organization with a token. */
  readonly createPerson: (name: string) => Promise<{ readonly token: string }>
  /** Returns the Markdown of a page. */
  readonly markdownOf: (ids: PageIds) => Promise<string>
  /** Publishes the space of a page, and returns the article of the page as readers receive it, in HTML. */
  readonly readerHtml: (ids: PageIds) => Promise<string>
  /** Opens the page of the host in a new window, and fails if it reports an error. */
  readonly withPage: <A>(
    run: (page: Page) => Promise<A>,
    options?: BrowserContextOptions,
    path?: string
  ) => Promise<A>
  /** Sets whether the server closes the connections of requests to the API, also of the request that a page sends when it is left. */
  readonly setAway: (isAway: boolean) => void
  readonly close: () => Promise<void>
}

/** The ids of a page. */
export interface PageIds {
  readonly organization: string
  readonly space: string
  readonly page: string
  readonly token: string
}

const types: Readonly<Record<string, string>> = {
  js: "text/javascript",
  css: "text/css",
  woff2: "font/woff2",
  json: "application/json"
}

const serveFiles =
  (folder: string): RequestListener =>
  (request, response) => {
    const name = (request.url ?? "/").split("?")[0]!.slice(1)
    const send = (type: string, body: string | Buffer): void => {
      response.writeHead(200, { "content-type": `${type}; charset=utf-8`, "content-security-policy": policy })
      response.end(body)
    }
    if (name === "") return send("text/html", htmlOf("hostPage"))
    if (name === "speed") return send("text/html", htmlOf("speedPage"))
    if (name === "host.css") return send("text/css", css)
    try {
      send(
        types[name.split(".").at(-1)!] ?? "text/plain",
        readFileSync(join(folder, name.replaceAll("..", "")))
      )
    } catch {
      response.writeHead(404).end()
    }
  }

/** Starts the server and the browser. */
export const startScene = async (): Promise<Scene> => {
  const [{ folder }, browser] = await Promise.all([
    bundle(["hostPage.ts", "speedPage.ts", "../../assets/fonts.css"]),
    openBrowser()
  ])
  let api: RequestListener | undefined
  const files = serveFiles(folder)
  let isAway = false
  const server = createServer((request, response) => {
    if (isAway && request.url?.startsWith("/v1/") === true) return request.socket.destroy()
    return /^\/(?:v1|files|sites?|s)\//.test(request.url ?? "")
      ? api?.(request, response)
      : files(request, response)
  })
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const workspace = createWorkspace({
    storage: sqlite(":memory:"),
    publicUrl: url,
    logger: () => undefined,
    ...converters()
  })
  api = toNodeListener(workspace, { reader: makeReader })
  const created = await workspace.administration.bootstrap({
    input: { organization: "Acme", email: "ada@example.com" }
  })
  const { administrator: user, organization } = created!
  const token = created!.secret
  const as = workspace.as(user)
  return {
    url,
    workspace,
    user,
    organization,
    token,
    browser,
    createPage: async (markdown) => {
      const { id: space } = await as.spaces.create({ organization, input: { title: "Guide" } })
      const changes = [
        {
          operation: "insert_reusable_content" as const,
          title: "Shared",
          document: { markdown: "Shared text" }
        },
        { operation: "insert_page" as const, title: "Page", document: { markdown } },
        { operation: "insert_page" as const, title: "Installation", document: { markdown: "Install it." } }
      ]
      await as.content.edit({ content: { space }, input: { changes } })
      const { pages } = await as.content.listPages({ content: { space } })
      return { organization, space, page: pages[0]!.id, token }
    },
    createChangeRequest: async ({ space }) => {
      const { id, revision } = await as.changeRequests.create({ space: space as never, input: {} })
      return { changeRequest: id, revision }
    },
    createPerson: async (name) => {
      const email = `${name.toLowerCase()}@example.com`
      const person = await workspace.administration.createUser({ input: { email, displayName: name } })
      await as.invites.inviteByEmail({ organization, input: { emails: [email], role: "admin" } })
      const { secret } = await workspace.tokens.create({ input: { user: person, label: name } })
      return { token: secret }
    },
    markdownOf: async ({ space, page }) => {
      const found = await as.content.getPage({
        content: { space: space as never },
        page: page as never,
        input: { format: "markdown" }
      })
      return (found as { readonly markdown?: string }).markdown ?? ""
    },
    readerHtml: async ({ space, page }) => {
      const { id: site } = await as.sites.create({ organization, input: { title: "Docs", spaces: [space] } })
      const { urls } = await as.sites.publish({ organization, site })
      const found = await as.content.getPage({ content: { space: space as never }, page: page as never })
      const { path } = found as { readonly path: string }
      const html = await (await fetch(`${urls.published}${path}`)).text()
      return /<article[\s\S]*<\/article>/.exec(html)?.[0] ?? html
    },
    withPage: async (run, options = {}, path = "/") => {
      const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, ...options })
      // Other websites are not reachable.
      await context.route(
        (url) => url.hostname === "example.com",
        (route) => route.abort()
      )
      const page = await context.newPage()
      const errors: Array<string> = []
      page.on("pageerror", (error) => errors.push(error.stack ?? error.message))
      page.on("console", (message) => {
        if (/Content.Security.Policy|Refused|TrustedHTML|TypeError/.test(message.text()))
          errors.push(message.text())
      })
      try {
        await page.goto(url + path)
        await page.waitForSelector("html[data-ready]", { state: "attached" })
        const result = await run(page)
        if (errors.length > 0) throw new Error(errors.join("\n"))
        return result
      } catch (error) {
        if (errors.length > 0) throw new Error(`${String(error)}\n${errors.join("\n")}`)
        throw error
      } finally {
        await context.close()
      }
    },
    setAway: (away) => {
      isAway = away
    },
    close: async () => {
      await browser.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await workspace.dispose()
    }
  }
}
