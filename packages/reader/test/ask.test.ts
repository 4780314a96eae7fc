/** Questions of visitors of a published site: as a page, as a stream, and in the search dialog of a browser. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { modelAnswers } from "@lectern/answers"
import { isFastRun } from "@lectern/harness"
import {
  beginStream,
  deltaEvent,
  type ModelServer,
  startModelServer,
  streamText
} from "@lectern/harness/models"
import { nodeFetcher } from "@lectern/http"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openBrowser } from "./support/browser.ts"
import { createTestSite, type PageServer, startPageServer, type TestSite } from "./support/scene.ts"

let model: ModelServer
let server: PageServer
let site: TestSite

const setMode = async (mode: "none" | "search"): Promise<void> => {
  const target = { organization: server.organization, site: site.site }
  const as = server.workspace.as(server.user)
  const customization = await as.siteSettings.getCustomization(target)
  await as.siteSettings.updateCustomization({ ...target, input: { ...customization, ai: { mode } } })
}

beforeAll(async () => {
  model = await startModelServer()
  server = await startPageServer({
    answers: modelAnswers({
      url: model.url,
      name: "test",
      fetch: nodeFetcher({ allow: [new URL(model.url).host] }),
      limits: { questionsPerHour: 1_000 }
    })
  })
  site = await createTestSite(server)
  await setMode("search")
})
beforeEach(() =>
  model.behave(
    streamText(
      "Use **Docker** [1].\n\n<img src=x onerror=alert(1)> [evil](https://evil.example)\n===questions===\nWhat is an image?"
    )
  )
)
afterAll(async () => {
  await model.close()
  await server.close()
})

const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, site.url), { headers })

/** Whether HTML has nothing that a visitor would load or open from another host, and no element that a model wrote. */
const expectClosed = (html: string): void => {
  expect(html).not.toMatch(/<img[^>]*onerror|href="https:\/\/evil|<script(?![^>]*src="[^"]*assets)/)
}

describe("a question", () => {
  it("is answered by a page without scripts, with links to the cited pages", async () => {
    const response = await open("~/ask?q=docker+image")
    const html = await response.text()
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"])
    expect(html).toContain("<strong>Docker</strong>")
    expect(html).toMatch(/<a [^>]*href="\.\.\/guides\/[^"]*">\[1\]<\/a>/)
    expect(html).toContain("What is an image?")
    expectClosed(html)
  })

  it("is answered by a stream of rendered updates", async () => {
    const response = await open("~/ask?q=docker+image&part=stream", { "sec-fetch-site": "same-origin" })
    const events = (await response.text())
      .split("\n\n")
      .filter((event) => event !== "")
      .map((event) => JSON.parse(event.slice("data: ".length)) as { html: string; isComplete: boolean })
    expect(events.length).toBeGreaterThan(1)
    expect(events.map(({ isComplete }) => isComplete)).toEqual([
      ...Array.from(events.slice(1), () => false),
      true
    ])
    expect(events.at(-1)!.html).toContain("Sources")
    for (const { html } of events) expectClosed(html)
  })

  it("of a page of another website does not reach the model", async () => {
    const before = model.requests.length
    for (const from of ["cross-site", "same-site"]) {
      const response = await fetch(new URL("~/ask?q=docker&part=stream", site.url), {
        headers: { "sec-fetch-site": from },
        redirect: "manual"
      })
      expect([response.status, response.headers.get("location")]).toEqual([303, "search?q=docker"])
    }
    expect(model.requests.length).toBe(before)
  })

  it("without an answer displays a message, and hides the error of the model", async () => {
    expect(await (await open("~/ask?q=zyzzyva")).text()).toContain("No page answers this question.")
    model.behave((_, response) => response.writeHead(500).end("stack of the model"))
    const failed = await (await open("~/ask?q=docker")).text()
    expect(failed).toContain("The question could not be answered.")
    expect(failed).not.toContain("stack of the model")
  })

  it("displays the text so far with the error of a model that fails later", async () => {
    model.behave((_, response) => {
      beginStream(response)
      response.write(deltaEvent("Half of"))
      setTimeout(() => response.destroy(), 50)
    })
    for (const part of ["", "&part=stream"]) {
      const html = await (await open(`~/ask?q=docker${part}`)).text()
      expect(html).toContain("Half of")
      expect(html).toContain("The question could not be answered.")
    }
  })

  it("states that there is no answer if the model writes none", async () => {
    model.behave(streamText(""))
    for (const part of ["", "&part=stream"]) {
      const html = await (await open(`~/ask?q=docker${part}`)).text()
      expect(html).toContain("No page answers this question.")
      expect(html).not.toContain("Generated from the pages")
    }
  })

  it("is not offered and not answered on a site whose customization has no answers", async () => {
    await setMode("none")
    try {
      for (const path of ["", "~/search?q=docker"]) {
        const html = await (await open(path)).text()
        expect(html).not.toMatch(/class="ask"|ask\.[\w-]+\.js|formaction/)
      }
      expect((await open("~/ask?q=docker")).status).toBe(404)
    } finally {
      await setMode("search")
    }
  })
})

describe.skipIf(isFastRun)("the search dialog", () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
  let browser: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  const violationsOf = async (page: Page): Promise<ReadonlyArray<string>> => {
    await page.evaluate(axe)
    return page.evaluate(async () => {
      const { axe: checker } = window as unknown as {
        readonly axe: {
          run(): Promise<{
            violations: ReadonlyArray<{ id: string; nodes: ReadonlyArray<{ html: string }> }>
          }>
        }
      }
      const { violations } = await checker.run()
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
    })
  }

  const settings = [
    { name: "a desktop", viewport: { width: 1280, height: 900 }, colorScheme: "light" },
    { name: "a phone in the dark theme", viewport: { width: 390, height: 844 }, colorScheme: "dark" }
  ] as const
  for (const { name, ...options } of settings) {
    it(`answers with the keyboard on ${name}`, async () => {
      const context = await browser.newContext(options)
      const page = await context.newPage()
      const errors: Array<string> = []
      page.on("pageerror", (error) => errors.push(error.message))
      page.on("console", (message) => {
        if (/Content.Security.Policy|Refused/.test(message.text())) errors.push(message.text())
      })
      try {
        await page.goto(site.url)
        await page.keyboard.press("/")
        await page.getByRole("searchbox", { name: "Search" }).fill("docker image")
        const ask = page.getByRole("button", { name: /^Ask/ })
        await ask.focus()
        await page.keyboard.press("Enter")
        const answer = page.getByRole("region", { name: "Answer" })
        await answer.getByText("Use Docker").waitFor()
        await answer.getByRole("link", { name: "With Docker" }).waitFor()
        if (process.env.LECTERN_TEST_SCREENSHOTS !== undefined) {
          await page.screenshot({
            path: `${process.env.LECTERN_TEST_SCREENSHOTS}/ask-${options.colorScheme}.png`
          })
        }
        expect(await page.locator(".ask-answer[aria-busy]").count()).toBe(0)
        expect(await violationsOf(page)).toEqual([])
        const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect(width).toBeLessThanOrEqual(0)
        // A further question is asked in the dialog, too.
        model.behave(streamText("It is a template [1]."))
        await answer.getByRole("link", { name: "What is an image?" }).click()
        await answer.getByText("It is a template").waitFor()
        expect(await page.getByRole("searchbox").inputValue()).toBe("What is an image?")
        await answer.getByRole("link", { name: "[1]" }).click()
        await page.waitForURL(/guides/)
        expect(errors).toEqual([])
      } finally {
        await context.close()
      }
    })
  }

  it("cancels the question when it closes", async () => {
    model.behave((_, response) => {
      beginStream(response)
      response.write(deltaEvent("A long answer that does not end, with enough words for an update."))
    })
    const before = model.canceled()
    const page = await browser.newPage()
    await page.goto(site.url)
    await page.keyboard.press("/")
    await page.getByRole("searchbox", { name: "Search" }).fill("docker")
    await page.getByRole("button", { name: /^Ask/ }).click()
    await page.getByText("A long answer").waitFor()
    await page.keyboard.press("Escape")
    await expect.poll(() => model.canceled()).toBe(before + 1)
    await page.close()
  })
})
