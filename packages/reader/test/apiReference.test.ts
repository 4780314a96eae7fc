/** The API reference of the server in a real browser. */

import { request } from "node:http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openBrowser } from "./support/browser.ts"
import { type PageServer, startPageServer } from "./support/scene.ts"

let server: PageServer
let browser: Browser

beforeAll(async () => {
  server = await startPageServer()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

/** Opens the reference. Fails on errors of the page, of its policy, and on requests to other servers. */
const withReference = async (
  run: (page: Page) => Promise<void>,
  { path = "", ...options }: BrowserContextOptions & { readonly path?: string } = {}
) => {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options })
  const problems: Array<string> = []
  const origin = new URL(server.url).origin
  await context.route(
    (url) => url.origin !== origin && url.protocol.startsWith("http"),
    (route) => {
      problems.push(`request to ${route.request().url()}`)
      return route.abort()
    }
  )
  const page = await context.newPage()
  page.setDefaultTimeout(100_000)
  page.on("pageerror", (error) => problems.push(error.message))
  page.on("console", (message) => {
    if (/Content.Security.Policy|Refused/.test(message.text())) problems.push(message.text())
  })
  try {
    await page.goto(`${server.url}/docs${path}`)
    await page.getByRole("heading", { name: "Lectern", exact: true }).waitFor({ state: "attached" })
    await run(page)
    expect(problems).toEqual([])
  } finally {
    await context.close()
  }
}

/** Returns the number of bytes that a client receives, and the text that they encode. */
const download = (encoding: string) =>
  new Promise<{ bytes: number; text: string }>((resolve, reject) => {
    const outgoing = request(
      `${server.url}/docs`,
      { headers: { "accept-encoding": encoding } },
      (incoming) => {
        const chunks: Array<Buffer> = []
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
        incoming.on("end", () => {
          const body = Buffer.concat(chunks)
          const decode = encoding === "br" ? brotliDecompressSync : gunzipSync
          resolve({ bytes: body.length, text: decode(body).toString() })
        })
      }
    )
    outgoing.on("error", reject).end()
  })

describe("the API reference", () => {
  it.each(["br", "gzip"])("is at most 1 MB with %s", async (encoding) => {
    const { bytes, text } = await download(encoding)
    expect(text).toContain("createApiReference")
    expect(bytes).toBeLessThan(1_000_000)
  })

  it("shows no tools, links or trademarks of the renderer", () =>
    withReference(async (page) => {
      const visible = await page.locator("body").innerText()
      expect(visible).not.toMatch(/scalar|developer tools|generate sdk|ask ai/i)
      expect(await page.locator("a[href*='scalar']:visible").count()).toBe(0)
    }))

  it("shows the recorded example of a response", async () => {
    const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      paths: {
        "/v1/user": {
          get: { responses: { 200: { content: { "application/json": { example: { email: string } } } } } }
        }
      }
    }
    const { email } = document.paths["/v1/user"].get.responses[200].content["application/json"].example
    await withReference(
      async (page) => {
        await page.getByText(`"${email}"`).first().waitFor()
      },
      { path: "#tag/users/GET/v1/user" }
    )
  })

  it("sends requests with the token that a reader enters", () =>
    withReference(async (page) => {
      await page.getByPlaceholder("Token").first().fill(server.token)
      await page
        .getByRole("button", { name: /Test Request.*get \/v1\/user/i })
        .first()
        .click()
      await page.getByRole("button", { name: /^Send/ }).first().click()
      await page.getByText("200 OK").first().waitFor()
    }))

  it("follows the theme of the browser", async () => {
    const backgrounds: Array<string> = []
    for (const colorScheme of ["light", "dark"] as const) {
      await withReference(
        async (page) => {
          backgrounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor))
        },
        { colorScheme }
      )
    }
    expect(new Set(backgrounds).size).toBe(2)
  })
})
