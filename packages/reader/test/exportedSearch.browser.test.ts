/** The search of an exported site, in a browser that has only its files. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, it } from "vitest"
import { exportHtml } from "../src/export/exportHtml.ts"
import { openBrowser } from "./support/browser.ts"
import { startPageServer } from "./support/scene.ts"

const pages = {
  Start: "Read it first.",
  Install: "Install the cluster. Install it again, and install its parts.",
  Kubernetes: "Run it on kubernetes, for a cluster.",
  Prices: "What a cluster costs.",
  Upgrade: "Upgrade a cluster."
}

it("has the pins, the weights and the synonyms of the site", async () => {
  const server = await startPageServer()
  const folder = mkdtempSync(join(tmpdir(), "lectern-exported-"))
  const browser = await openBrowser()
  try {
    const as = server.workspace.as(server.user)
    const { organization } = server
    const { id: space } = await as.spaces.create({ organization, input: { title: "Guide" } })
    await as.content.edit({
      content: { space },
      input: {
        changes: Object.entries(pages).map(([title, markdown]) => ({
          operation: "insert_page",
          title,
          document: { markdown }
        }))
      }
    })
    const listed = await as.content.listPages({ content: { space } })
    const idOf = (title: string) => listed.pages.find((page) => page.title === title)!.id
    const site = await as.sites.create({ organization, input: { title: "Docs", spaces: [space] } })
    const target = { organization, site: site.id }
    const customization = await as.siteSettings.getCustomization(target)
    const search = {
      synonyms: [["k8s", "kubernetes"]],
      pins: [
        { queries: ["Cost!"], space, page: idOf("Prices") },
        { queries: ["cost"], space, page: "no-page" }
      ],
      boosts: [{ space, page: idOf("Upgrade"), weight: 10 }]
    }
    await as.siteSettings.updateCustomization({ ...target, input: { ...customization, search } })
    const root = (await as.sites.publish(target)).urls.published!
    const get = async (url: string) => {
      const response = await fetch(url, { redirect: "manual" })
      return {
        status: response.status,
        contentType: response.headers.get("content-type") ?? "",
        location: response.headers.get("location") ?? undefined,
        body: new Uint8Array(await response.arrayBuffer())
      }
    }
    await exportHtml({ root, workspace: server.url }, get, async (path, content) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    })
    const page = await browser.newPage()
    await page.goto(pathToFileURL(join(folder, "index.html")).href)
    await page.keyboard.press("Control+k")
    const find = async (query: string) => {
      await page.locator("dialog.search input").fill(query)
      const results = page.locator("dialog.search .result-title")
      await expect.poll(() => page.locator(".search-status").textContent()).toMatch(/^[1-9]/)
      return results.allTextContents()
    }
    expect((await find("cost"))[0]).toBe("Prices")
    expect(await find("k8s")).toEqual(["Kubernetes"])
    expect((await find("cluster"))[0]).toBe("Upgrade")
    expect(await find("install")).toEqual(["Install"])
  } finally {
    await browser.close()
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}, 120_000)
