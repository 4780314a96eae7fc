/**
 * Blocks of OpenAPI and of integrations in a browser: they are displayed as the reader renders them, their settings offer the names in
 * the specification and the integration, and a specification that is missing or cannot be loaded is named.
 */
import type { Locator, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { choose, open, reload, save } from "./support/acts.ts"
import { violations } from "./support/axe.ts"
import { petstore } from "./support/petstore.ts"
import { type PageIds, type Scene, startScene } from "./support/scene.ts"

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
  const as = scene.workspace.as(scene.user)
  const { organization } = scene
  const slug = "pets" as never
  await as.openApiSpecs.create({
    organization,
    input: { slug, source: { text: JSON.stringify(petstore) } }
  })
  await scene.workspace.work.drain()
  await as.integrations.publish({
    integration: "charts",
    input: {
      organization,
      title: "Charts",
      description: "Draws charts.",
      script: "void 0",
      scopes: [],
      visibility: "public",
      blocks: [{ id: "bar", title: "Bar chart" }]
    }
  })
  await as.installations.create({ integration: "charts", input: { organization } })
})
afterAll(() => scene.close())

const operation = (path: string, method: string, spec = "pets"): string =>
  `{% openapi-operation spec="${spec}" path="${path}" method="${method}" %}\n[OpenAPI](https://example.com/pets.yaml)\n{% endopenapi-operation %}\n`

/** The blocks, and the selector of the part that the reader displays of each. */
const blocks: Readonly<Record<string, readonly [markdown: string, selector: string]>> = {
  "an operation": [operation("/pets", "get"), ".api-main"],
  "an operation with a body and a callback": [operation("/pets/{id}", "put"), ".api-main"],
  "the examples of its responses": [operation("/pets", "get"), ".api-aside > .samples:last-child"],
  "a webhook": [
    '{% openapi-webhook spec="pets" name="petAdded" method="post" %}\n[OpenAPI](https://example.com/pets.yaml)\n{% endopenapi-webhook %}\n',
    ".api-main"
  ],
  schemas: [
    '{% openapi-schemas spec="pets" schemas="Pet" %}\n[OpenAPI](https://example.com/pets.yaml)\n{% endopenapi-schemas %}\n',
    ".api-schema"
  ],
  "an integration with content": ['{% @mermaid/diagram content="graph TD" %}\n', "figure.code"]
}

/** Returns the elements and the text of an element. Only the reader has buttons that copy and send, and links to headings. */
const outlineOf = (element: Locator): Promise<ReadonlyArray<string>> =>
  element.first().evaluate((root) => {
    const lines: Array<string> = []
    const ignored = ".api-test, .copy, .anchor, svg"
    const visit = (node: Node, depth: number): void => {
      if (node.nodeType === 3) {
        const text = node.textContent!.trim()
        if (text !== "") lines.push(`${" ".repeat(depth)}${text}`)
      }
      if (!(node instanceof Element) || node.matches(ignored)) return
      const names = [...node.classList].filter((name) => !/^(?:editor-|t-)/.test(name)).join(".")
      if (node.matches(".line")) {
        lines.push(`${" ".repeat(depth)}${node.textContent!.trim()}`)
        return
      }
      const isColor = node.localName === "span" && names === ""
      if (!isColor) lines.push(`${" ".repeat(depth)}${node.localName} ${names}`.trimEnd())
      for (const child of node.childNodes) visit(child, isColor ? depth : depth + 1)
    }
    visit(root, 0)
    return lines
  })

const block = (page: Page): Locator =>
  page.locator(".editor-content .editor-void, .ProseMirror .editor-void").first()

const readerOutline = async (ids: PageIds, selector: string): Promise<ReadonlyArray<string>> => {
  const as = scene.workspace.as(scene.user)
  const { id: site } = await as.sites.create({
    organization: ids.organization as never,
    input: { title: "Docs", spaces: [ids.space as never] }
  })
  const { urls } = await as.sites.publish({ organization: ids.organization as never, site })
  return scene.withPage(async (page) => {
    await page.goto(urls.published!)
    const found = page.locator(`article ${selector}`)
    await found.first().waitFor()
    return outlineOf(found)
  })
}

describe("a block is displayed as the reader renders it:", () => {
  for (const [name, [markdown, selector]] of Object.entries(blocks)) {
    it(name, async () => {
      const ids = await scene.createPage(markdown)
      const inEditor = await scene.withPage(async (page) => {
        await open(page, ids)
        const found = block(page).locator(selector)
        await found.first().waitFor()
        // A long display is added in slices.
        await block(page).locator("[aria-busy]").waitFor({ state: "detached" })
        expect(await violations(page)).toEqual([])
        return outlineOf(found)
      })
      expect(inEditor.length).toBeGreaterThan(3)
      expect(inEditor).toEqual(await readerOutline(ids, selector))
    })
  }
})

describe("the settings of an operation", () => {
  it("offer specifications and paths, and choose a method that the path has", async () => {
    const ids = await scene.createPage("Text\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await page.locator(".ProseMirror").click()
      await page.keyboard.press("Control+End")
      await page.keyboard.press("Enter")
      await choose(page, "api operation")
      const form = page.locator(".editor-settings")
      const spec = form.getByLabel("Specification", { exact: true })
      await spec.focus()
      await form.locator("datalist option[value=pets]").waitFor({ state: "attached" })
      await spec.fill("pets")
      const path = form.getByLabel("Path", { exact: true })
      await path.focus()
      await form.locator('datalist option[value="/pets/{id}"]').waitFor({ state: "attached" })
      await path.fill("/pets/{id}")
      await path.press("Tab")
      await expect.poll(() => form.getByLabel("Method").inputValue()).toBe("put")
      await form.locator("button[type=submit]").press("Enter")
      await block(page).locator(".method-put").waitFor()
      expect(await save(page)).toBe("Saved")
      await reload(page, ids)
      await block(page).locator(".api-address", { hasText: "/pets/{id}" }).waitFor()
    })
    expect(await scene.markdownOf(ids)).toContain('spec="pets" path="/pets/{id}" method="put"')
  })

  it("keep the block in the tab order, and the tabs of its samples follow the arrow keys", async () => {
    const ids = await scene.createPage(operation("/pets", "get"))
    await scene.withPage(async (page) => {
      await open(page, ids)
      const response = block(page).locator("details.response").nth(1)
      await response.locator("summary").press("Enter")
      await expect.poll(() => response.getAttribute("open")).not.toBeNull()
      expect(await page.evaluate(() => window.host.editor!.status()._tag)).toBe("Saved")
    })
  })
})

describe("a specification that cannot be displayed is named:", () => {
  const cardOf = async (
    markdown: string,
    run: (page: Page, ids: PageIds) => Promise<void>
  ): Promise<void> => {
    const ids = await scene.createPage(markdown)
    await scene.withPage((page) => run(page, ids))
    expect(await scene.markdownOf(ids)).toBe(markdown)
  }

  it("it does not exist", () =>
    cardOf(operation("/pets", "get", "birds"), async (page, ids) => {
      await open(page, ids)
      await block(page).getByText("The specification birds does not exist").waitFor()
    }))

  it("it does not have the operation", () =>
    cardOf(operation("/birds", "get"), async (page, ids) => {
      await open(page, ids)
      await block(page).getByText("The specification pets does not have it.").waitFor()
    }))

  it("it cannot be loaded, until it is loaded again", () =>
    cardOf(operation("/pets", "get"), async (page, ids) => {
      let isAway = true
      await page.route("**/v1/orgs/*/openapi/**", (route) => (isAway ? route.abort() : route.continue()))
      await open(page, ids)
      await block(page).getByText("The specification pets could not be loaded").waitFor()
      isAway = false
      await block(page).getByRole("button", { name: "Retry" }).press("Enter")
      await block(page).locator(".api-main").waitFor()
    }))
})

describe("a block of an integration", () => {
  it("has a form of its properties, and the title of the integration", async () => {
    const ids = await scene.createPage('{% @charts/bar color="red" %}\n')
    await scene.withPage(async (page) => {
      await open(page, ids)
      await block(page).getByText("Bar chart").waitFor()
      await block(page).getByText("Readers see this block only").waitFor()
      await block(page).getByRole("button", { name: "Edit: Integration" }).press("Enter")
      const form = page.locator(".editor-settings")
      await form.getByLabel("Integration", { exact: true }).focus()
      await form.locator("datalist option[value=charts]").waitFor({ state: "attached" })
      await form.getByLabel("Value of the property").fill("blue")
      await form.getByRole("button", { name: "Add a property" }).press("Enter")
      await page.keyboard.type("content")
      await page.keyboard.press("Tab")
      await page.keyboard.type("a: 1")
      expect(await violations(page)).toEqual([])
      await form.locator("button[type=submit]").press("Enter")
      await block(page).locator("figure.code", { hasText: "a: 1" }).waitFor()
      expect(await save(page)).toBe("Saved")
      await reload(page, ids)
      await block(page).locator("figure.code", { hasText: "a: 1" }).waitFor()
    })
    expect(await scene.markdownOf(ids)).toBe('{% @charts/bar color="blue" content="a: 1" %}\n')
    expect(await scene.readerHtml(ids)).toMatch(/<figcaption>charts bar<\/figcaption>[\s\S]*a: 1/)
  })

  it("keeps the types of values that are typed again", async () => {
    const ids = await scene.createPage("{% @charts/bar stacked=true rows=12 %}\n")
    await scene.withPage(async (page) => {
      await open(page, ids)
      await block(page).getByRole("button", { name: "Edit: Integration" }).press("Enter")
      const values = page.locator(".editor-settings").getByLabel("Value of the property")
      for (const [index, text] of ["false", "7"].entries()) {
        await values.nth(index).fill("")
        await values.nth(index).pressSequentially(text)
      }
      await page.locator(".editor-settings button[type=submit]").press("Enter")
      expect(await save(page)).toBe("Saved")
    })
    expect(await scene.markdownOf(ids)).toBe("{% @charts/bar stacked=false rows=7 %}\n")
  })

  it("has no property whose name Markdown cannot have", async () => {
    const markdown = '{% @charts/bar color="red" %}\n'
    const ids = await scene.createPage(markdown)
    await scene.withPage(async (page) => {
      await open(page, ids)
      await block(page).getByRole("button", { name: "Edit: Integration" }).press("Enter")
      const form = page.locator(".editor-settings")
      await form.getByRole("button", { name: "Add a property" }).press("Enter")
      for (const name of ["a b", "url", "color", "1", ""]) {
        const input = form.getByLabel("Name of the property").nth(1)
        await input.fill(`${name}x`)
        await input.fill(name)
        expect(await input.getAttribute("aria-invalid"), name).toBe("true")
      }
      await form.locator("button[type=submit]").press("Enter")
      await save(page)
    })
    expect(await scene.markdownOf(ids)).toBe(markdown)
  })
})
