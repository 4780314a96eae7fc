/** The guide of the editor: its page and its module work unchanged. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { converters } from "@lectern/converters"
import { createWorkspace } from "@lectern/core"
import { toNodeListener } from "@lectern/http"
import { sqlite } from "@lectern/storage-sqlite"
import { build } from "esbuild"
import { expect, it, onTestFinished } from "vitest"
import { openBrowser } from "../../reader/test/support/browser.ts"

const guide = readFileSync(new URL("../../../docs/guides/editor.md", import.meta.url), "utf8")

const codeOf = (language: string): string => {
  const found = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(guide)?.[1]
  if (found === undefined) throw new Error(`The guide has no code in ${language}.`)
  return found
}

/** Serves a page with a module that edits, on a workspace with one page, and opens it in a browser. */
const openHost = async (html: string, module: string) => {
  const folder = mkdtempSync(
    join(fileURLToPath(new URL("../../../node_modules/.cache", import.meta.url)), "editor-guide-")
  )
  writeFileSync(join(folder, "edit.ts"), module)
  await build({
    entryPoints: [join(folder, "edit.ts")],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    conditions: ["@lectern/source"],
    logLevel: "error"
  })
  let api: RequestListener | undefined
  const server = createServer((request, response) => {
    const name = (request.url ?? "/").split("?")[0]!
    if (name.startsWith("/v1/")) return api?.(request, response)
    const isPage = name === "/"
    response.setHeader("content-security-policy", "default-src 'self'; img-src 'self' data:")
    response.setHeader("content-type", isPage ? "text/html" : "text/javascript")
    response.end(isPage ? html : name === "/favicon.ico" ? "" : readFileSync(join(folder, name)))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const workspace = createWorkspace({
    storage: sqlite(":memory:"),
    publicUrl: url,
    logger: () => undefined,
    ...converters()
  })
  api = toNodeListener(workspace, {})
  const browser = await openBrowser()
  onTestFinished(async () => {
    rmSync(folder, { recursive: true })
    await browser.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await workspace.dispose()
  })
  const { administrator, organization, secret } = (await workspace.administration.bootstrap({
    input: { organization: "Acme", email: "ada@example.com" }
  }))!
  const as = workspace.as(administrator)
  const { id: space } = await as.spaces.create({ organization, input: { title: "Handbook" } })
  const change = { operation: "insert_page" as const, title: "Welcome", document: { markdown: "Hello" } }
  await as.content.edit({ content: { space }, input: { changes: [change] } })
  const { pages } = await as.content.listPages({ content: { space } })
  const pageId = pages[0]!.id
  const { id: changeRequest } = await as.changeRequests.create({ space, input: {} })
  const query = new URLSearchParams({ organization, space, page: pageId, token: secret, changeRequest })
  const page = await browser.newPage()
  await page.goto(`${url}/?${query}`)
  const markdownOf = async (content: { readonly space: typeof space; readonly changeRequest?: string }) => {
    const input = { format: "markdown" as const }
    const found = await as.content.getPage({ content, page: pageId, input })
    return (found as { readonly markdown?: string }).markdown
  }
  return { page, space, changeRequest, markdownOf }
}

it("the page and the module of the guide edit a page of a server", async () => {
  const { page, space, markdownOf } = await openHost(codeOf("html"), codeOf("ts"))
  await page.getByRole("button", { name: "Edit the published text" }).click()
  await page.getByRole("textbox").getByText("Hello").click()
  await page.keyboard.press("End")
  await page.keyboard.type(", world")
  await page.getByText("Saved on this device").waitFor()
  await page.getByText("Saved in the handbook").waitFor()
  expect(await markdownOf({ space })).toBe("Hello, world")
})

it("the React component of the examples edits a page of a change request, and reports whether it is saved", async () => {
  const example = fileURLToPath(new URL("../../../examples/editor-react.ts", import.meta.url))
  const { page, space, changeRequest, markdownOf } = await openHost(
    codeOf("html"),
    `import { mount } from ${JSON.stringify(example)}\nmount(document.querySelector("#page")!)\n`
  )
  await page.getByRole("textbox").getByText("Hello").click()
  await page.keyboard.press("End")
  await page.keyboard.type(", React")
  await page.getByRole("heading", { name: "Handbook: Changed" }).waitFor()
  await page.getByRole("heading", { name: "Handbook: Saved" }).waitFor()
  expect(await markdownOf({ space, changeRequest })).toBe("Hello, React")
  expect(await markdownOf({ space })).toBe("Hello")
})
