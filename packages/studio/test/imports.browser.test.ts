/** Imports, Git synchronization and exports in the browser. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createServer, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { git, startGitHost } from "@lectern/harness/git"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest"
import {
  createSpace,
  findViolations,
  startApplication,
  type TestApplication,
  withApplication
} from "./support/application.ts"
import { openBrowser } from "./support/browser.ts"
import { visitScreens } from "./support/screens.ts"

/** Responds as a website of three pages with an image, of which one page links to a page that does not exist. */
const respondGuide = (url: string, response: ServerResponse): void => {
  const menu = `<nav><a href="/guide/">Guide</a> <a href="/guide/install">Install</a> <a href="/guide/use">Use</a></nav>`
  const pages: Readonly<Record<string, string>> = {
    "/guide/": `<h1>Guide</h1><p>Begin <a href="/guide/install">here</a>.</p><img src="/guide/logo.png" alt="Logo">`,
    "/guide/install": `<h1>Install</h1><p>Run <code>npm install</code>, or <a href="/guide/lost">another way</a>.</p>`,
    "/guide/use": `<h1>Use</h1><table><tr><th>Key</th></tr><tr><td>Value</td></tr></table>`
  }
  const body = pages[url]
  if (url === "/guide/logo.png") {
    response.setHeader("content-type", "image/png")
    response.end(
      Buffer.from(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
        "base64"
      )
    )
  } else if (body === undefined) response.writeHead(404).end()
  else response.end(`<title>${/<h1>([^<]*)/.exec(body)![1]}</title>${menu}<main>${body}</main>`)
}

let app: TestApplication
let browser: Browser
/** A website that responds slowly, so that its import can be cancelled. */
let website: Server
beforeAll(async () => {
  app = await startApplication()
  browser = await openBrowser()
  website = createServer((request, response) => {
    response.setHeader("content-type", "text/html")
    const page = Number(request.url?.match(/^\/page(\d+)$/)?.[1] ?? 0)
    if (request.url?.startsWith("/guide") === true) return respondGuide(request.url, response)
    if (request.url === "/robots.txt" || request.url === "/sitemap.xml") return response.writeHead(404).end()
    const links = [1, 2, 3, 4, 5].map((step) => `<a href="/page${page + step}">${page + step}</a>`).join(" ")
    setTimeout(
      () =>
        response.end(
          `<title>Page ${page}</title><main><h1>Page ${page}</h1><p>Text ${page}.</p>${links}</main>`
        ),
      400
    )
  })
  await new Promise<void>((resolve) => website.listen(0, "127.0.0.1", resolve))
})
afterAll(async () => {
  website.closeAllConnections()
  website.close()
  await browser.close()
  await app.close()
})

/** Waits for a value as long as for the elements of a page. */
const poll = <Value>(read: () => Value) => expect.poll(read, { timeout: 60_000 })

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })

const titlesIn = async (spaceId: string): Promise<ReadonlyArray<string>> => {
  const { pages } = await app.ada.client.content.listPages({ params: { spaceId } })
  return pages.map((page) => ("title" in page ? page.title : ""))
}

interface ListedPage {
  readonly id: string
  readonly title: string
  readonly pages?: ReadonlyArray<ListedPage>
}

/** Returns pages with those below them. */
const flatten = (pages: ReadonlyArray<ListedPage>): ReadonlyArray<ListedPage> =>
  pages.flatMap((page) => [page, ...flatten(page.pages ?? [])])

const markdown = {
  name: "guide.md",
  mimeType: "text/markdown",
  buffer: Buffer.from("# Guide\n\nImported text.\n")
}

it("imports a document into a change request, which is reviewed before the space changes", async () => {
  const spaceId = await createSpace(app, "Manual", [{ title: "Start", markdown: "Start." }])
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/import`, async (page) => {
    await page.getByLabel("Files from this device").check()
    await page.getByLabel("Files", { exact: false }).last().setInputFiles(markdown)
    await button(page, "Start import").click()
    await page.getByText("Completed").waitFor({ timeout: 60_000 })
    expect(await titlesIn(spaceId)).toEqual(["Start"])
    await page.getByRole("link", { name: "Review the import" }).click()
    await page.getByText("1 page added").waitFor()
    await button(page, "Merge").click()
    await page.getByRole("dialog").getByRole("button", { name: "Merge" }).click()
    await poll(() => titlesIn(spaceId)).toEqual(["Start", "Guide"])
    await page.goto(`${app.url}/app/spaces/${spaceId}/import`)
    await page.locator(".list").getByText("Completed").waitFor()
  })
})

it("imports a website from its address to its pages, with the report, by the keyboard", async () => {
  const spaceId = await createSpace(app, "Migrated", [{ title: "Start", markdown: "Start." }])
  const { port } = website.address() as AddressInfo
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/import`, async (page) => {
    await page.getByLabel("URL of the website").focus()
    await page.keyboard.type(`http://127.0.0.1:${port}/guide/`)
    await page.keyboard.press("Enter")
    await page.getByText("Completed").waitFor({ timeout: 60_000 })
    await page.getByText(/pages and files imported/).waitFor()
    await page.getByText("/guide/lost").first().waitFor()
    expect(await titlesIn(spaceId)).toEqual(["Start"])
    await page.getByRole("link", { name: "Review the import" }).press("Enter")
    await page.getByText(/3 pages added/).waitFor()
    await button(page, "Merge").press("Enter")
    await page.getByRole("dialog").getByRole("button", { name: "Merge" }).press("Enter")
    await poll(async () => (await titlesIn(spaceId)).length).toBeGreaterThan(1)
  })
  const { pages } = await app.ada.client.content.listPages({ params: { spaceId } })
  const texts = await Promise.all(
    flatten(pages as ReadonlyArray<ListedPage>).map(async ({ id, title }) => {
      const found = await app.ada.client.content.getPageById({
        params: { spaceId, pageId: id },
        query: { format: "markdown" }
      })
      return [title, (found as { readonly markdown?: string }).markdown ?? ""] as const
    })
  )
  const byTitle = new Map(texts)
  expect([...byTitle.keys()].sort()).toEqual(["Guide", "Install", "Start", "Use"])
  expect(byTitle.get("Guide")).toMatch(/Begin \[here\]\(.*\)[\s\S]*!\[Logo\]|<img[^>]*alt="Logo"/)
  expect(byTitle.get("Install")).toContain("`npm install`")
  expect(byTitle.get("Use")).toContain("Value")
})

it("cancels the import of a website, and finds it again after the tab was closed", async () => {
  const spaceId = await createSpace(app, "Site", [{ title: "Start", markdown: "Start." }])
  const url = `http://127.0.0.1:${(website.address() as AddressInfo).port}/`
  let path = ""
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/import`, async (page) => {
    await page.getByLabel("URL of the website").fill(url)
    await page.getByLabel("Directly into the space").check()
    await button(page, "Start import").click()
    await button(page, "Cancel the import").waitFor()
    path = new URL(page.url()).pathname.replace(/^\/app/, "")
  })
  await withApplication(browser, app, app.ada, path, async (page) => {
    await button(page, "Cancel the import").click()
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the import" }).click()
    await page.getByText("The content of the space was not changed.").waitFor({ timeout: 60_000 })
  })
  expect(await titlesIn(spaceId)).toEqual(["Start"])
})

it("archives the empty draft of an import that failed, and names the form of an address", async () => {
  const spaceId = await createSpace(app, "Failed", [{ title: "Start", markdown: "Start." }])
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/import`, async (page) => {
    const address = page.getByLabel("URL of the website")
    await address.fill("docs.example.com")
    await page.getByText("Enter an address that begins with https:// or http://.").waitFor()
    await address.fill(`http://127.0.0.1:${(website.address() as AddressInfo).port}/guide/lost`)
    await button(page, "Start import").click()
    await page.getByText("The content of the space was not changed.").waitFor({ timeout: 60_000 })
    await poll(async () => {
      const { items } = await app.ada.client.changeRequests.listChangeRequestsForSpace({
        params: { spaceId },
        query: { status: "archived" }
      })
      return items.map(({ subject }) => subject.startsWith("Import from http"))
    }).toEqual([true])
  })
})

it("reports why a Git import failed, and what to do", async () => {
  const spaceId = await createSpace(app, "Synchronized", [{ title: "Start", markdown: "Start." }])
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/sync`, async (page) => {
    await page
      .getByLabel("URL of the repository")
      .fill(`http://127.0.0.1:${(website.address() as AddressInfo).port}/docs.git`)
    await button(page, "Import from Git").click()
    await page.getByText("The import failed").waitFor({ timeout: 60_000 })
    await page.getByText(/No content was lost/).waitFor()
  })
})

it("synchronizes a space with a Git repository: imports it, exports an edit, and resolves changes of both sides", async () => {
  const root = mkdtempSync(join(tmpdir(), "lectern-"))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const host = await startGitHost(root)
  onTestFinished(host.close)
  /** Pushes the text of the page as a colleague who works in the repository. */
  const push = (text: string): void => {
    writeFileSync(join(host.work, "README.md"), text)
    git(host.work, "add", ".")
    git(host.work, "commit", "-m", "Write")
    git(host.work, "push", "origin", "main")
  }
  push("# Manual\n\nFrom Git.\n")
  const spaceId = await createSpace(app, "Synchronized", [])
  const firstPage = async () => {
    const { pages } = await app.ada.client.content.listPages({ params: { spaceId } })
    return pages[0]!
  }
  const edit = async (text: string) => {
    const { id } = await firstPage()
    await app.ada.client.content.updateSpaceContent({
      params: { spaceId },
      payload: { changes: [{ operation: "update_page", page: id, document: { markdown: text } }] }
    })
  }
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/sync`, async (page) => {
    await page.getByLabel("URL of the repository").fill(host.url)
    await button(page, "Import from Git").click()
    await page.getByText(/^Imported/).waitFor()
    expect((await firstPage()).title).toBe("Manual")
    expect(await findViolations(page)).toEqual([])

    await edit("From the browser.\n")
    await page.getByLabel("Export to Git").check()
    await page.getByLabel("Message of the commit").fill("Describe the browser")
    await button(page, "Export to Git").click()
    await page.getByText(/^Exported/).waitFor()
    git(host.work, "pull", "origin", "main")
    expect(readFileSync(join(host.work, "README.md"), "utf8")).toContain("From the browser.")
    expect(git(host.work, "log", "-1", "--format=%s")).toBe("Describe the browser")

    push("# Manual\n\nFrom a colleague.\n")
    await edit("From a writer.\n")
    await page.getByLabel("Import from Git").check()
    await button(page, "Import from Git").click()
    await page.getByRole("link", { name: /^Resolve/ }).click()
    await page.getByRole("region", { name: "Conflict in Manual" }).waitFor()
  })
})

it("downloads a space as an archive and as a PDF", async () => {
  const spaceId = await createSpace(app, "Exported", [{ title: "Start", markdown: "Start." }])
  await withApplication(browser, app, app.ada, `/spaces/${spaceId}/export`, async (page) => {
    const startOf = async (name: string): Promise<string> => {
      const [file] = await Promise.all([
        page.waitForEvent("download", { timeout: 60_000 }),
        button(page, name).click()
      ])
      const bytes = await readFile(await file.path())
      return `${file.suggestedFilename()} ${bytes.subarray(0, 4).toString("latin1")}`
    }
    expect(await startOf("Download archive")).toBe("Exported.zip PK\u0003\u0004")
    expect(await startOf("Download PDF")).toBe("Exported.pdf %PDF")
  })
})

it("has accessible screens in light and dark, and at phone width", async () => {
  const spaceId = await createSpace(app, "Screens", [{ title: "Start", markdown: "Start." }])
  await visitScreens(browser, app, app.ada, [
    { name: "import", path: `/spaces/${spaceId}/import`, ready: "Recent imports" },
    { name: "sync", path: `/spaces/${spaceId}/sync`, ready: "Connect a repository" },
    { name: "export", path: `/spaces/${spaceId}/export`, ready: "Download archive" }
  ])
})
