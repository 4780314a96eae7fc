import { join } from "node:path"
import { Effect } from "effect"
import { openBrowser } from "./support/browser.ts"
import { zipOf } from "./support/importRepository.ts"
import { createTestSite, startPageServer } from "./support/scene.ts"

const repos: Record<string, ReadonlyArray<string>> = JSON.parse(process.argv[2]!)
const out = process.argv[3]!
const browser = await openBrowser()
for (const [name, paths] of Object.entries(repos)) {
  const bytes = name === "test" ? new Uint8Array() : zipOf(join("/tmp/c43corpus", name))
  const server = await startPageServer({
    fetcher: ({ url }) => Effect.succeed({ url, status: 200, contentType: "application/zip", body: bytes })
  })
  const as = server.workspace.as(server.user)
  const { organization } = server
  let url: string
  if (name === "test") url = (await createTestSite(server)).url
  else {
    const { id } = await as.spaces.create({ organization, input: { title: name } })
    await as.imports.import({
      content: { space: id },
      input: { url: "https://example.com/repository.zip", source: "zip" }
    })
    const site = await as.sites.create({ organization, input: { title: name, spaces: [id] } })
    url = (await as.sites.publish({ organization, site: site.id })).urls.published!
  }
  for (const entry of paths) {
    const [path, ...modes] = entry.split("|")
    for (const mode of modes) {
      const context = await browser.newContext({
        viewport: mode === "phone" ? { width: 390, height: 844 } : { width: 1440, height: 900 },
        colorScheme: mode === "dark" ? "dark" : "light"
      })
      const page = await context.newPage()
      await page.goto(url + path)
      await page.waitForTimeout(300)
      if (mode === "print") await page.emulateMedia({ media: "print" })
      const file = `${out}/${name.slice(0, 8)}-${(path || "home").replaceAll("/", "_").slice(0, 50)}-${mode}.png`
      await page.screenshot({ path: file, fullPage: true, clip: undefined })
      console.log(file)
      await context.close()
    }
  }
  await server.close()
}
await browser.close()
