/** Pages whose OpenAPI specs do not exist yet. */
import { describe, expect, it } from "vitest"
import { renderMarkdown } from "./support/renderMarkdown.ts"

const block =
  '{% openapi-operation spec="pets" path="/pets" method="get" %}\n[OpenAPI pets](https://example.com/pets.yaml)\n{% endopenapi-operation %}\n'

describe("a page with a block of OpenAPI", () => {
  it("depends on its spec, also while this does not exist", async () => {
    const missing = await renderMarkdown(block)
    expect(missing.specs).toEqual([{ source: "pets", version: undefined }])
    expect(missing.content.text).toContain("link-card")
    const openApi = { openapi: "3.1.0", paths: { "/pets": { get: { summary: "List pets" } } } }
    const found = await renderMarkdown(block, { openApi })
    expect(found.specs).toEqual([{ source: "pets", version: "1" }])
    expect(found.content.text).toContain("List pets")
    expect((await renderMarkdown("Text")).specs).toEqual([])
  })
})
