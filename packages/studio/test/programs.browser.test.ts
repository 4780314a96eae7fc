// cspell:ignore anmelden Weiter jetzt anzeigt Autorisieren verbunden
/** The pages on which people authorize programs of others, and the list of authorized programs. */
import { createHash, randomBytes } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest"
import { startApplication, type TestApplication } from "./support/application.ts"
import { openBrowser } from "./support/browser.ts"
import { examine } from "./support/examine.ts"

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

/** A program with a page of its own, which requests an authorization and exchanges the code. */
const startProgram = async (app: TestApplication) => {
  const verifier = randomBytes(32).toString("base64url")
  let authorizeUrl = ""
  let token = ""
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://program")
    response.setHeader("content-type", "text/html")
    if (url.pathname === "/frame") return response.end(`<iframe src="${authorizeUrl}"></iframe>`)
    if (url.pathname !== "/callback") return response.end(`<a href="${authorizeUrl}">Connect Lectern</a>`)
    const code = url.searchParams.get("code")
    if (code === null) return response.end(`<p>Not connected: ${url.searchParams.get("error")}</p>`)
    const exchanged = await fetch(`${app.url}/~/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        client_id: client,
        code,
        code_verifier: verifier,
        redirect_uri: redirectUri
      })
    })
    token = ((await exchanged.json()) as { access_token: string }).access_token
    return response.end("<p>Connected</p>")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const redirectUri = `${origin}/callback`
  const registered = await fetch(`${app.url}/~/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Docs Helper", redirect_uris: [redirectUri] })
  })
  const client = ((await registered.json()) as { client_id: string }).client_id
  authorizeUrl = `${app.url}/~/oauth/authorize?${new URLSearchParams({
    response_type: "code",
    client_id: client,
    redirect_uri: redirectUri,
    scope: "organization.view space.view content.read content.edit",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256"
  })}`.replaceAll("&", "&amp;")
  const statusOf = async () =>
    (await fetch(`${app.url}/v1/orgs`, { headers: { authorization: `Bearer ${token}` } })).status
  return { origin, statusOf }
}

const open = async (locale = "en-US"): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale })
  onTestFinished(() => context.close())
  return context.newPage()
}

const signIn = async (page: Page, app: TestApplication): Promise<void> => {
  await page.goto(app.url + (await app.signInPath("ada@example.com")))
  await page.getByRole("button", { name: "Sign in as ada@example.com" }).click()
  await page.waitForURL(/\/app/)
}

it("a program is authorized from its own page, listed, and its access ends", async () => {
  const app = await startApplication()
  onTestFinished(() => app.close())
  const program = await startProgram(app)
  const page = await open()
  await signIn(page, app)

  await page.goto(program.origin)
  await page.getByRole("link", { name: "Connect Lectern" }).click()
  await page.getByRole("heading", { name: "Authorize Docs Helper" }).waitFor()
  await page.getByText("Lectern has not verified this program.").waitFor()
  await page.getByText("content.edit").waitFor()
  await examine(page, "program-consent")
  await page.getByRole("button", { name: "Cancel" }).click()
  await page.getByText("Not connected: access_denied").waitFor()

  await page.goto(program.origin)
  await page.getByRole("link", { name: "Connect Lectern" }).click()
  await page.getByRole("button", { name: "Authorize" }).click()
  await page.getByText("Connected", { exact: true }).waitFor()
  expect(await program.statusOf()).toBe(200)

  await page.goto(`${app.url}/app/me/programs`)
  await page.locator("#main").getByText("Docs Helper (localhost)").waitFor()
  await examine(page, "authorized-programs")
  await page.locator("#main").getByRole("button", { name: "End access" }).click()
  await page.getByText("End the access of Docs Helper (localhost)?").waitFor()
  await page.getByRole("button", { name: "End access" }).last().click()
  await page.getByText("No program has access").first().waitFor()
  expect(await program.statusOf()).toBe(401)

  // The page of another origin cannot display the consent in a frame.
  await page.goto(`${program.origin}/frame`)
  await expect.poll(() => page.frames().at(-1)?.url()).toMatch(/^chrome-error:/)
})

it("a device is connected by its code, after a sign-in", async () => {
  const app = await startApplication()
  onTestFinished(() => app.close())
  const started = await fetch(`${app.url}/~/oauth/device-authorization`, {
    method: "POST",
    body: new URLSearchParams({ client_id: "lectern" })
  })
  const { user_code: code } = (await started.json()) as { user_code: string }
  const page = await open("de-DE")
  await page.goto(`${app.url}/~/device`)
  await page.waitForURL(/\/~\/login\?return=/)
  await page.goto(app.url + (await app.signInPath("ada@example.com")))
  await page.getByRole("button", { name: "Als ada@example.com anmelden" }).click()
  await page.waitForURL(/\/app/)
  await page.goto(`${app.url}/~/device`)
  await page.getByLabel("Code").fill(code.toLowerCase())
  await examine(page, "device-code")
  await page.getByRole("button", { name: "Weiter" }).click()
  await page.getByText(`jetzt den Code ${code} anzeigt`).waitFor()
  await examine(page, "device-consent")
  await page.getByRole("button", { name: "Autorisieren" }).click()
  await page.getByText("Das Gerät ist verbunden.").waitFor()
})
