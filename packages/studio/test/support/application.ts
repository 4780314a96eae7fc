/** Starts a server with the application, and opens it in a browser. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { createClient, type FetchClient } from "@lectern/client/fetch"
import { converters } from "@lectern/converters"
import { createWorkspace, SignIns } from "@lectern/core"
import { type HttpOptions, nodeFetcher, toNodeListener } from "@lectern/http"
import { programAuthorization } from "@lectern/http/server"
import { makeReader } from "@lectern/reader"
import { studio } from "@lectern/studio"
import { Effect, Redacted } from "effect"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, expect } from "vitest"
import { openBrowser } from "./browser.ts"
import { createTestStorage } from "./storage.ts"

/** A user of the server. */
export interface TestUser {
  readonly id: string
  readonly token: string
  readonly client: FetchClient
}

/** A server with the application, an organization and its administrator. */
export interface TestApplication {
  readonly url: string
  readonly organizationId: string
  readonly ada: TestUser
  readonly workspace: ReturnType<typeof createWorkspace>
  /** Adds a user who is in no organization. */
  readonly addOutsider: (email: string) => Promise<TestUser>
  /** Returns the path of a one-time link that signs a user in. */
  readonly signInPath: (email: string) => Promise<string>
  readonly addUser: (email: string, role: "read" | "edit" | "review" | "admin") => Promise<TestUser>
  readonly close: () => Promise<void>
}

/** Bundles the application from its sources. */
export const bundleStudio = (): void => {
  const script = fileURLToPath(new URL("../../../../scripts/bundle-studio.ts", import.meta.url))
  execFileSync(process.execPath, [script], { stdio: "ignore" })
}

/** The options of the workspace that a test adds. */
type AddedOptions = Pick<Parameters<typeof createWorkspace>[0], "mailer" | "oidcProviders">

/** Starts a server. Its API is mounted under the prefix. */
export const startApplication = async (
  prefix = "",
  optionsOf: (url: string) => AddedOptions | Promise<AddedOptions> = () => ({}),
  httpOptions: Pick<HttpOptions, "answers"> = {}
): Promise<TestApplication> => {
  bundleStudio()
  let listener: RequestListener | undefined
  const server = createServer((request, response) => listener?.(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`
  const workspace = createWorkspace({
    storage: await createTestStorage(),
    publicUrl: url,
    logger: () => undefined,
    fetcher: nodeFetcher({ allow: ["127.0.0.1"] }),
    ...converters(),
    ...(await optionsOf(url))
  })
  const adaId = await workspace.administration.createUser({
    input: { email: "ada@example.com", displayName: "Ada Lovelace" }
  })
  const organizationId = await workspace.administration.createOrganization({
    administrator: adaId,
    input: { title: "Acme" }
  })
  listener = toNodeListener(workspace, {
    prefix,
    reader: makeReader,
    studio,
    programs: programAuthorization,
    ...httpOptions
  })
  const working = workspace.work.run()
  const createUserClient = async (id: typeof adaId): Promise<TestUser> => {
    const { secret: token } = await workspace.tokens.create({ input: { user: id, label: "Test" } })
    return { id, token, client: createClient({ baseUrl: url, token }) }
  }
  const ada = await createUserClient(adaId)
  return {
    url,
    organizationId,
    ada,
    signInPath: async (email) => {
      const create = Effect.flatMap(SignIns, (signIns) => signIns.createLink({ input: { email } }))
      const { secret } = await workspace.runtime.runPromise(create)
      return `/~/sign-in/${Redacted.value(secret)}`
    },
    workspace,
    addOutsider: async (email) =>
      createUserClient(await workspace.administration.createUser({ input: { email } })),
    addUser: async (email, role) => {
      const id = await workspace.administration.createUser({ input: { email } })
      await ada.client.invites.inviteUsersToOrganization({
        params: { organizationId },
        payload: { emails: [email], role }
      })
      return createUserClient(id)
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await workspace.dispose()
      await working
    }
  }
}

/** Creates a space with pages. A page has a title, its Markdown, and optionally the title of the page above it. */
export const createSpace = async (
  { ada, organizationId }: TestApplication,
  title: string,
  pages: ReadonlyArray<{ readonly title: string; readonly markdown: string }>
): Promise<string> => {
  const { id } = await ada.client.spaces.createSpace({ params: { organizationId }, payload: { title } })
  for (const page of pages) {
    await ada.client.content.updateSpaceContent({
      params: { spaceId: id },
      payload: {
        changes: [{ operation: "insert_page", title: page.title, document: { markdown: page.markdown } }]
      }
    })
  }
  return id
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

interface AxeWindow {
  readonly axe: {
    readonly run: (
      context: Document,
      options: unknown
    ) => Promise<{
      readonly violations: ReadonlyArray<{
        readonly id: string
        readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary?: string }>
      }>
    }>
  }
}

/** Returns the violations of accessibility rules on a page. */
export const findViolations = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axeSource)
  return page.evaluate(async () => {
    const { axe } = window as unknown as AxeWindow
    const { violations } = await axe.run(document, { resultTypes: ["violations"] })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  })
}

/** Opens the application as a user. Fails on errors of scripts, in the console, or of the policy. */
export const withApplication = async (
  browser: Browser,
  { url }: TestApplication,
  user: TestUser | undefined,
  path: string,
  run: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
  expectedErrors?: RegExp
): Promise<void> => {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: "en-US",
    ...options
  })
  // Playwright evaluates functions of tests, which the policy of the application does not concern.
  const page = await context.newPage()
  page.setDefaultTimeout(90_000)
  const errors: Array<string> = []
  const foreign: Array<string> = []
  page.on("pageerror", (error) => errors.push(error.message))
  page.on("console", (message) => {
    if (message.type() !== "error") return
    const text = `${message.text()} ${message.location().url}`
    if (expectedErrors?.test(text) !== true) errors.push(text)
  })
  page.on("request", (request) => {
    const target = request.url()
    if (target.startsWith("http") && new URL(target).origin !== new URL(url).origin) foreign.push(target)
  })
  if (user !== undefined) {
    // Documents without an origin, such as that of a page that is closing, have no storage.
    await page.addInitScript((token) => {
      if (window.origin !== "null") sessionStorage.setItem("lectern.token", token)
    }, user.token)
  }
  try {
    await page.goto(`${url}/app${path}`)
    await run(page)
    expect(errors).toEqual([])
    expect(foreign).toEqual([])
  } catch (failure) {
    if (errors.length > 0) console.error("Errors of the application:", errors)
    throw failure
  } finally {
    await context.close()
  }
}

/** Starts the application and a browser for the tests of a file, and closes both after them. */
export const openApplication = async (
  prefix?: string
): Promise<{ readonly app: TestApplication; readonly browser: Browser }> => {
  const app = await startApplication(prefix)
  afterAll(app.close)
  const browser = await openBrowser()
  afterAll(() => browser.close())
  return { app, browser }
}
