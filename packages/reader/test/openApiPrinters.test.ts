/** The Markdown and the HTML of an operation are printed from one page, so they show the same facts. */
import { specPagesOf } from "@lectern/formats"
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { renderMarkdown } from "./support/renderMarkdown.ts"

const block =
  '{% openapi-operation spec="pets" path="/pets/{id}" method="post" %}\n[OpenAPI pets](https://example.com/pets.yaml)\n{% endopenapi-operation %}\n'

/** The text of HTML without whitespace, so that line breaks and highlighting do not matter. */
const textOfHtml = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, "")

/** The code blocks of Markdown, without the address of the operation. */
const codeOf = (markdown: string): ReadonlyArray<string> =>
  Array.from(markdown.matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm))
    .filter(([, language]) => language !== "http")
    .map(([, , text]) => text!.replaceAll(/\s+/g, ""))

const leaf = fc.constantFrom<object>(
  { type: "string", format: "date-time" },
  { type: "string", format: "uuid" },
  { type: "string", enum: ["cat", "dog"] },
  { type: "integer", minimum: 3 },
  { type: "boolean" },
  { type: ["string", "null"], example: "Rex" },
  { $ref: "#/components/schemas/Owner" }
)

const schema = fc.letrec<{ readonly any: object; readonly object: object }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    leaf,
    tie("object"),
    fc.record({ type: fc.constant("array"), items: tie("any") })
  ),
  object: fc.record({
    type: fc.constant("object"),
    properties: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("any"), { maxKeys: 3, minKeys: 1 })
  })
})).object

describe("an operation in Markdown and in HTML", () => {
  it("has the same samples, examples and types", async () => {
    await fc.assert(
      fc.asyncProperty(schema, schema, async (request, response) => {
        const openApi = {
          openapi: "3.1.0",
          info: { title: "Pets", version: "1" },
          servers: [{ url: "https://api.example.com/v1" }],
          security: [{ key: [] }],
          paths: {
            "/pets/{id}": {
              post: {
                parameters: [
                  { name: "id", in: "path", required: true, schema: { type: "string", example: "7" } },
                  { name: "since", in: "query", required: true, schema: { type: "string", format: "date" } }
                ],
                requestBody: { content: { "application/json": { schema: request } } },
                responses: {
                  200: { description: "Done", content: { "application/json": { schema: response } } }
                }
              }
            }
          },
          components: {
            securitySchemes: { key: { type: "apiKey", in: "query", name: "key" } },
            schemas: { Owner: { type: "object", properties: { name: { type: "string" } } } }
          }
        }
        const { markdown } = specPagesOf(openApi)[0]!
        const html = textOfHtml((await renderMarkdown(block, { openApi })).content.text)
        const code = codeOf(markdown)
        expect(code.length).toBe(4)
        // The request body is an example of its own in Markdown, and a part of the samples in HTML.
        for (const text of code) expect(html).toContain(text)
        for (const [, type] of markdown.matchAll(/^\| `[^`]+` \| ((?:\\\||[^|])+) \| (?:yes)? \|/gm)) {
          expect(html).toContain(type!.replaceAll("\\|", "|").replaceAll(/\s+/g, ""))
        }
      }),
      runs(60)
    )
  })
})
