/** The documentation of Lectern, as the server displays it with a reader. */
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, expect, it } from "vitest"
import { brokenLinks } from "./support/linkChecker.ts"
import { type PageServer, startPageServer } from "./support/scene.ts"

let server: PageServer
beforeAll(async () => {
  server = await startPageServer()
})
afterAll(() => server.close())

it("has a page for each entry of the table of contents, and no broken link", async () => {
  const summary = readFileSync(new URL("../../../docs/SUMMARY.md", import.meta.url), "utf8")
  const listed = [...summary.matchAll(/\]\(([^)]+\.md)\)/g)]
  const { pages, broken } = await brokenLinks(`${server.url}/help/`)
  expect(broken).toEqual([])
  expect(pages).toBeGreaterThanOrEqual(listed.length)
})

it("renders blocks and colors, with a navigation", async () => {
  const html = await (await fetch(`${server.url}/help/quick-start`)).text()
  for (const part of ['class="step-body"', 'href="guides/express"', 'aria-current="page"', "/v1/orgs"]) {
    expect(html).toContain(part)
  }
  expect(html).not.toMatch(/\{% (?:hint|stepper)/)
})
