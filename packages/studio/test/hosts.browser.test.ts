/** The application in a page of a host: one screen in a frame, with the session, the name and the colors of the host. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { createWorkspace } from "@lectern/core"
import { toNodeListener } from "@lectern/http"
import { studio } from "@lectern/studio"
import { afterAll, beforeAll, expect, it } from "vitest"
import { bundleStudio } from "./support/application.ts"
import { openBrowser } from "./support/browser.ts"
import { createTestStorage } from "./support/storage.ts"

bundleStudio()
const browser = await openBrowser()
afterAll(() => browser.close())

const primary = "rgb(124, 58, 237)"
/** The session of the host, in a cookie of its own. */
const session = "portal=of-ada"

let ada = ""
let handle: (request: IncomingMessage, response: ServerResponse) => void
const server = createServer((request, response) => handle(request, response))
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const workspace = createWorkspace({
  storage: await createTestStorage(),
  publicUrl: `${url}/docs-api`,
  logger: () => undefined,
  authenticate: ({ header }) =>
    Promise.resolve(header("cookie")?.includes(session) === true ? { user: ada } : undefined)
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await workspace.dispose()
})

const ids = { space: "", change: 0 }
beforeAll(async () => {
  const { administration } = workspace
  ada = await administration.createUser({ input: { email: "ada@example.com", displayName: "Ada Lovelace" } })
  const organization = await administration.createOrganization({
    administrator: ada as never,
    input: { title: "Acme" }
  })
  const as = workspace.as(ada as never)
  const space = await as.spaces.create({ organization, input: { title: "Handbook" } })
  await as.content.edit({
    content: { space: space.id },
    input: { changes: [{ operation: "insert_page", title: "Start", document: { markdown: "Welcome.\n" } }] }
  })
  const request = await as.changeRequests.create({ space: space.id, input: { subject: "Describe it" } })
  ids.space = space.id
  ids.change = request.number
  const api = toNodeListener(workspace, { prefix: "/docs-api" })
  const application = studio({
    api: "/docs-api",
    basePath: "/embedded",
    name: "Portal",
    hasNavigation: false,
    tokens: { "--lectern-primary": primary },
    help: ""
  })
  handle = (incoming, response) => {
    const path = incoming.url ?? "/"
    const found = application.handle({ method: incoming.method ?? "GET", path })
    if (found !== undefined) {
      response.writeHead(found.status, found.headers).end(found.body)
    } else if (path.startsWith("/docs-api/")) api(incoming, response)
    else {
      const frame = `/embedded${new URL(path, url).searchParams.get("screen") ?? ""}`
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(
          `<!doctype html><title>Portal</title><h1>Portal</h1><iframe title="Documentation" width="700" height="500" src="${frame}"></iframe>`
        )
    }
  }
})

it("displays one screen in a frame, in which a page is edited, reviewed and merged with the session of the host", async () => {
  const context = await browser.newContext({ viewport: { width: 1000, height: 700 } })
  const [name = "", value = ""] = session.split("=")
  await context.addCookies([{ name, value, url }])
  const page = await context.newPage()
  page.setDefaultTimeout(90_000)
  const errors: Array<string> = []
  page.on("pageerror", (error) => errors.push(error.message))
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`${message.text()} ${message.location().url}`)
  })
  const screen = `/spaces/${ids.space}/changes/${ids.change}`
  await page.goto(`${url}/?screen=${encodeURIComponent(`${screen}/start`)}`)
  const frame = page.frameLocator("iframe")
  await frame.locator(".ProseMirror").getByText("Welcome.").click()
  await page.keyboard.press("End")
  await page.keyboard.type(" Come in.")
  await frame.getByText(/^Saved in change request #\d+$/).waitFor()
  expect(await frame.locator(".rail, .sidebar").count()).toBe(0)
  const background = await frame
    .locator(".button-primary")
    .first()
    .evaluate((button) => getComputedStyle(button).backgroundColor)
  expect(background).toBe(primary)

  await page.goto(`${url}/?screen=${encodeURIComponent(`${screen}/review`)}`)
  await frame.locator(".diff ins", { hasText: "Come in" }).waitFor()
  expect(await frame.locator("title").first().textContent()).toBe("Describe it · Portal")
  const overflow = await frame
    .locator("html")
    .evaluate(
      (root) => root.scrollWidth > root.clientWidth + 1 || (root as HTMLElement).innerText.includes("Lectern")
    )
  expect(overflow).toBe(false)
  await frame.getByRole("button", { name: "Merge", exact: true }).click()
  await frame.getByRole("dialog").getByRole("button", { name: "Merge", exact: true }).click()
  await frame.getByText("Change request merged").waitFor()
  expect(errors).toEqual([])
  await context.close()
})

it("leads to the sign-in of the host without its session, and names its product", async () => {
  const page = await browser.newPage()
  page.setDefaultTimeout(90_000)
  await page.goto(`${url}/embedded`)
  await page.getByRole("heading", { name: "Sign in to Portal" }).waitFor()
  await page.close()
})
