/** Operations of APIs on pages: their code samples, callbacks, alternatives, and the form that sends requests. */
import { describe, expect, it } from "vitest"
import { renderMarkdown } from "./support/renderMarkdown.ts"

const operation = (path: string, method: string): string =>
  `{% openapi-operation spec="pets" path="${path}" method="${method}" %}\n[OpenAPI pets](https://example.com/pets.yaml)\n{% endopenapi-operation %}\n`

const document = {
  openapi: "3.1.0",
  servers: [
    {
      url: "https://{region}.example.com/v1",
      variables: { region: { default: "eu", enum: ["eu", "us"] } }
    },
    { url: "https://{tenant}.example.net" }
  ],
  components: {
    securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } },
    schemas: {
      Cat: { type: "object", properties: { claws: { type: "integer", minimum: 1 } } },
      Dog: { type: "object", properties: { bark: { type: "boolean" } } },
      Pet: {
        type: "object",
        properties: {
          name: { type: "string", minLength: 2 },
          tags: { type: "array", items: {}, minItems: 3 }
        },
        oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }]
      }
    }
  },
  paths: {
    "/pets/{id}": {
      post: {
        summary: "Add a pet",
        security: [{ key: [] }],
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "string" } },
          { name: "sort", in: "query", schema: { type: "string", enum: ["up", "down"] } }
        ],
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } } },
        responses: { 200: { description: "Added" } },
        callbacks: {
          added: {
            "{$request.body#/url}": {
              post: {
                description: "Reports the pet.",
                requestBody: {
                  content: { "application/json": { schema: { $ref: "#/components/schemas/Dog" } } }
                },
                responses: { 204: { description: "Received" } }
              }
            }
          }
        }
      }
    }
  },
  webhooks: { pet: { post: { summary: "A pet arrives" } } }
}

const requestIn = (html: string): unknown => {
  const [, found] = /data-request="([^"]*)"/.exec(html) ?? []
  return found === undefined
    ? undefined
    : JSON.parse(found.replaceAll("&quot;", '"').replaceAll("&amp;", "&"))
}

describe("an operation", () => {
  it("has samples in eleven languages, with its address and its credentials", async () => {
    const { content } = await renderMarkdown(operation("/pets/{id}", "post"), { openApi: document })
    for (const title of "cURL JavaScript Python Go Java PHP Ruby C# Rust Kotlin Swift".split(" ")) {
      expect(content.text).toContain(`>${title}</button>`)
    }
    expect(content.text.match(/https:\/\/eu\.example\.com\/v1\/pets\/text/g)!.length).toBeGreaterThanOrEqual(
      11
    )
    expect(content.text.match(/YOUR_API_KEY/g)!.length).toBeGreaterThanOrEqual(11)
  })

  it("shows properties and alternatives, and the unit of each limit", async () => {
    const { content } = await renderMarkdown(operation("/pets/{id}", "post"), { openApi: document })
    for (const name of ["name", "tags", "claws", "bark"]) expect(content.text).toContain(`>${name}</code>`)
    for (const label of ["Min length", "Min items", "Min"])
      expect(content.text).toContain(`<dt>${label}</dt>`)
  })

  it("shows the requests of its callbacks", async () => {
    const { content } = await renderMarkdown(operation("/pets/{id}", "post"), { openApi: document })
    expect(content.text).toContain("{$request.body#/url}")
    expect(content.text).toContain("Reports the pet.")
    expect(content.text).toContain("Received")
  })

  it("has a form for the servers that a browser can reach, and permits requests to these only", async () => {
    const { content, origins } = await renderMarkdown(operation("/pets/{id}", "post"), { openApi: document })
    expect(origins).toEqual(["https://eu.example.com", "https://us.example.com"])
    expect(requestIn(content.text)).toEqual({
      method: "POST",
      path: "/pets/{id}",
      servers: ["https://eu.example.com/v1", "https://us.example.com/v1"],
      credentials: [{ name: "key", kind: "key", in: "header", key: "X-Key" }],
      fields: [
        { name: "id", in: "path", required: true, value: "text" },
        { name: "sort", in: "query", required: false, value: "", options: ["up", "down"] }
      ],
      body: { type: "application/json", text: expect.stringContaining('"name"') }
    })
  })

  it("has no form without a server, for a webhook, and for servers that are not of the web", async () => {
    for (const servers of [
      [],
      [{ url: "/v1" }],
      [{ url: "javascript:alert(1)" }],
      [{ url: "ftp://example.com" }]
    ]) {
      const { content, origins } = await renderMarkdown(operation("/pets/{id}", "post"), {
        openApi: { ...document, servers }
      })
      expect([servers, origins, requestIn(content.text)]).toEqual([servers, [], undefined])
    }
    const { content } = await renderMarkdown(
      '{% openapi-webhook spec="pets" name="pet" method="post" %}\n[OpenAPI pets](https://example.com/pets.yaml)\n{% endopenapi-webhook %}\n',
      { openApi: document }
    )
    expect(content.text).toContain("A pet arrives")
    expect(requestIn(content.text)).toBeUndefined()
  })
})

describe("a page with many operations", () => {
  it("has at most 15 kB for each", async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 150 }, (_, index) => [`/pets/{id}/${index}`, document.paths["/pets/{id}"]])
    )
    const markdown = Object.keys(paths)
      .map((path) => operation(path, "post"))
      .join("\n")
    const { content } = await renderMarkdown(markdown, { openApi: { ...document, paths } })
    expect(content.text.match(/api-operation/g)).toHaveLength(150)
    expect(content.text.length / 150).toBeLessThan(15_000)
  })
})
