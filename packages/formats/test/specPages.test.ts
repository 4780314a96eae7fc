/** The pages that are generated from OpenAPI documents: nested schemas, examples, authentication, servers and samples. */
import { specPagesOf, specPagesOfFiles } from "@lectern/formats"
import { runs } from "@lectern/harness"
import { estimateParseCost, maximumParseCost } from "@lectern/markdown/document"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const documentWith = (operation: object, more: object = {}) => ({
  openapi: "3.1.0",
  info: { title: "API", version: "1" },
  paths: { "/pets/{id}": { get: { tags: ["Pets"], responses: {}, ...operation } } },
  ...more
})

const markdownOf = (operation: object, more: object = {}): string =>
  specPagesOf(documentWith(operation, more))[0]!.markdown

const responseOf = (schema: object, more: object = {}) => ({
  responses: { 200: { description: "Done", content: { "application/json": { schema, ...more } } } }
})

describe("the properties of a body", () => {
  const schemas = {
    Pet: {
      type: "object",
      required: ["owner"],
      properties: {
        owner: { $ref: "#/components/schemas/Owner" },
        tags: { type: "array", items: { type: "object", properties: { label: { type: "string" } } } },
        prices: { type: "object", additionalProperties: { type: "object", properties: { amount: {} } } },
        mother: { $ref: "#/components/schemas/Pet" }
      }
    },
    Owner: {
      allOf: [{ type: "object", properties: { name: { type: "string", example: "Ada" } } }],
      properties: { address: { anyOf: [{ $ref: "#/components/schemas/Address" }, { type: "null" }] } }
    },
    Address: { type: "object", properties: { city: { type: "string" } } }
  }

  it("include the properties of nested objects, items, values and references, and end at cycles", () => {
    const markdown = markdownOf(responseOf({ type: "array", items: { $ref: "#/components/schemas/Pet" } }), {
      components: { schemas }
    })
    const names = Array.from(markdown.matchAll(/^\| `([^`]+)` \|/gm), ([, name]) => name)
    expect(names).toEqual([
      "[].owner",
      "[].owner.name",
      "[].owner.address",
      "[].owner.address.city",
      "[].tags",
      "[].tags[].label",
      "[].prices",
      "[].prices.*.amount",
      "[].mother"
    ])
    expect(markdown).toContain("| `[].owner.name` | string |  | Example: `Ada`. |")
  })

  it("of a model include nested objects, and name other models", () => {
    const models = specPagesOf(documentWith({}, { components: { schemas } })).at(-1)!.markdown
    const pet = models.slice(models.indexOf("## Pet"), models.indexOf("## Owner"))
    expect(Array.from(pet.matchAll(/^\| `([^`]+)` \|/gm), ([, name]) => name)).toEqual([
      "owner",
      "tags",
      "tags[].label",
      "prices",
      "prices.*.amount",
      "mother"
    ])
    expect(pet).toContain("| `owner` | Owner | yes |")
  })

  it("include the properties of schemas in other documents", () => {
    const files = {
      "api.json": documentWith(responseOf({ $ref: "models.json#/Pet" })),
      "models.json": { Pet: { type: "object", properties: { name: { type: "string" } } } }
    }
    const [page] = specPagesOfFiles(new TextEncoder().encode(JSON.stringify(files)))
    expect(page!.markdown).toContain("| `name` | string |")
  })
})

describe("an operation", () => {
  it("has the examples of its document, or samples of its schemas", () => {
    const schema = {
      type: "object",
      properties: {
        name: { type: "string" },
        kind: { enum: ["cat", "dog"] },
        born: { type: "string", format: "date" },
        toys: { type: "array", items: { type: "integer" } }
      }
    }
    expect(markdownOf(responseOf(schema, { examples: { one: { value: { name: "Rex" } } } }))).toContain(
      '{\n  "name": "Rex"\n}'
    )
    expect(markdownOf(responseOf(schema))).toContain(
      JSON.stringify({ name: "text", kind: "cat", born: "2026-01-31", toys: [1] }, undefined, 2)
    )
  })

  it("has its authentication, or that of the document", () => {
    const securitySchemes = {
      key: { type: "apiKey", in: "header", name: "X-Key", description: "Ask for one." },
      token: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
      login: {
        type: "oauth2",
        flows: {
          authorizationCode: { authorizationUrl: "https://a.example/o", tokenUrl: "https://a.example/t" }
        }
      }
    }
    const more = { security: [{ key: [] }], components: { securitySchemes } }
    expect(markdownOf({}, more)).toContain(
      "### Authentication\n\n- `key`: API key in the header `X-Key`. Ask for one."
    )
    expect(markdownOf({ security: [{ token: [] }, { login: ["read"] }] }, more)).toContain(
      "One of:\n\n- `token`: Bearer token (JWT).\n- `login`: OAuth 2.0: authorizationCode at `https://a.example/o`, `https://a.example/t`. Scopes: `read`."
    )
    expect(markdownOf({ security: [] }, more)).not.toContain("### Authentication")
  })

  it("has samples with its server, its required parameters, its credentials and its body", () => {
    const markdown = markdownOf(
      {
        parameters: [
          { name: "id", in: "path", required: true, example: "a b" },
          { name: "limit", in: "query", required: true, schema: { type: "integer" } },
          { name: "page", in: "query", schema: { type: "integer" } }
        ],
        requestBody: { content: { "application/json": { example: { name: "O'Hara" } } } }
      },
      {
        servers: [
          {
            url: "https://{region}.example.com/v1",
            variables: { region: { default: "eu" } },
            description: "Main"
          }
        ],
        security: [{ token: [] }],
        components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } }
      }
    )
    expect(markdown).toContain("**Servers**\n\n- `https://eu.example.com/v1`: Main")
    expect(markdown).toContain(
      [
        "curl 'https://eu.example.com/v1/pets/a%20b?limit=1' \\",
        "  --header 'Authorization: Bearer YOUR_TOKEN' \\",
        "  --header 'Content-Type: application/json' \\",
        `  --data '{\n  "name": "O'\\''Hara"\n}'`
      ].join("\n")
    )
    expect(markdown).toContain('await fetch("https://eu.example.com/v1/pets/a%20b?limit=1", {')
  })

  it("has the samples of its document instead of generated ones, and its own servers", () => {
    const markdown = markdownOf({
      "x-codeSamples": [{ lang: "Ruby", source: "get" }],
      servers: [{ url: "https://own.example.com" }]
    })
    expect(markdown).toContain('{% tab title="Ruby" %}\n\n```ruby\nget\n```')
    expect(markdown).not.toContain("curl")
    expect(markdown).toContain("### Servers\n\n- `https://own.example.com`")
  })

  it("of version 2 has the servers, the credentials and the body of that version", () => {
    const [page] = specPagesOf({
      swagger: "2.0",
      info: { title: "API", version: "1" },
      host: "api.example.com",
      basePath: "/v2",
      schemes: ["https"],
      securityDefinitions: { key: { type: "apiKey", in: "query", name: "key" } },
      security: [{ key: [] }],
      paths: {
        "/pets": {
          post: {
            parameters: [{ in: "body", name: "body", schema: { $ref: "#/definitions/Pet" } }],
            responses: { 200: { description: "Done", schema: { $ref: "#/definitions/Pet" } } }
          }
        }
      },
      definitions: { Pet: { type: "object", properties: { name: { type: "string", example: "Rex" } } } }
    })
    expect(page!.markdown).toContain("- `https://api.example.com/v2`")
    expect(page!.markdown).toContain("curl --request POST 'https://api.example.com/v2/pets?key=YOUR_API_KEY'")
    expect(page!.markdown).toContain(`--data '{\n  "name": "Rex"\n}'`)
  })
})

it("pages that reference a large schema many times are bounded, and have less detail", () => {
  const properties = Object.fromEntries(
    Array.from({ length: 150 }, (_, index) => [`p${index}`, { $ref: "#/components/schemas/Wide" }])
  )
  const operation = (index: number) => ({
    get: { operationId: `get${index}`, ...responseOf({ $ref: "#/components/schemas/Wide" }) }
  })
  const paths = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`/p${index}`, operation(index)])
  )
  const document = documentWith(
    {},
    { paths, components: { schemas: { Wide: { type: "object", properties } } } }
  )
  const [page] = specPagesOf(document)
  expect(estimateParseCost(page!.markdown, Number.POSITIVE_INFINITY)).toBeLessThan(maximumParseCost)
  for (let index = 0; index < 300; index++) expect(page!.markdown).toContain(`GET /p${index}\n`)
})

it("any JSON in place of the parts of a document has pages without an exception", () => {
  const part = fc.oneof(
    { maxDepth: 3 },
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom<unknown>(
      { $ref: "#/components/schemas/A" },
      { $ref: "#/%" },
      { type: "object", properties: { a: { $ref: "#/components/schemas/A" } } },
      { allOf: [{ $ref: "#/components/schemas/A" }] },
      [{ name: "a", in: "query", required: true }]
    )
  )
  const keys = [
    "parameters",
    "requestBody",
    "responses",
    "security",
    "servers",
    "x-codeSamples",
    "tags"
  ] as const
  fc.assert(
    fc.property(fc.tuple(...keys.map(() => part)), part, part, (parts, schema, securitySchemes) => {
      const operation = Object.fromEntries(keys.map((key, index) => [key, parts[index]]))
      const pages = specPagesOf(
        documentWith(operation, {
          security: [{ a: [] }],
          components: { schemas: { A: schema }, securitySchemes }
        })
      )
      for (const { markdown } of pages) expect(typeof markdown).toBe("string")
    }),
    runs(300)
  )
})

describe("the title of a page of operations", () => {
  const titleOf = (name: string, tag: object = {}) =>
    specPagesOf(documentWith({ tags: [name] }, { tags: [{ name, ...tag }] }))[0]!.title

  it("is the name of the tag, in words if it has no capitals", () => {
    expect(
      ["Pets", "pets", "user-settings", "air quality", "OAuth2_v1", "v2/pets"].map((name) => titleOf(name))
    ).toEqual(["Pets", "Pets", "User settings", "Air quality", "OAuth2_v1", "v2/pets"])
  })

  it("is the title of the tag in the document", () => {
    const tag = { "x-page-title": "Animals", "x-displayName": "All pets", summary: "The pets" }
    expect(titleOf("pets", tag)).toBe("Animals")
    expect(titleOf("pets", { ...tag, "x-page-title": "" })).toBe("All pets")
    expect(titleOf("pets", { summary: "The pets" })).toBe("The pets")
  })
})

describe("webhooks", () => {
  const spec = {
    openapi: "3.1.0",
    info: { title: "API", version: "1" },
    tags: [{ name: "Pets" }],
    paths: { "/pets": { get: { tags: ["Pets"], summary: "List pets", responses: {} } } },
    webhooks: {
      petAdded: {
        post: {
          requestBody: {
            content: {
              "application/json": {
                schema: {
                  oneOf: [
                    { title: "Cat", type: "object", properties: { claws: { type: "integer" } } },
                    { title: "Dog", type: "object", properties: { bark: { type: "string" } } }
                  ]
                }
              }
            }
          },
          responses: { 204: { description: "Received" } }
        }
      },
      petMoved: { post: { tags: ["Pets"], summary: "A pet moves", responses: {} } }
    }
  }

  it("are on a page of their own, or on that of their tag, with their payload and without samples", () => {
    const [pets, webhooks, ...others] = specPagesOf(spec)
    expect(others).toEqual([])
    expect(pets).toMatchObject({ key: "Pets", doc: "operations" })
    expect(pets!.markdown).toContain("## A pet moves")
    expect(webhooks).toMatchObject({ title: "Webhooks", slug: "webhooks", doc: "operations" })
    expect(webhooks!.markdown).toContain("## petAdded")
    expect(webhooks!.markdown).toContain("The API sends this request, with the method `POST`.")
    for (const name of ["claws", "bark", "Received"]) expect(webhooks!.markdown).toContain(name)
    expect(webhooks!.markdown).not.toContain("Code samples")
  })

  it("have a page in a document without operations", () => {
    const { paths: _, ...onlyWebhooks } = spec
    expect(specPagesOf(onlyWebhooks).map(({ title }) => title)).toEqual(["Pets", "Webhooks"])
  })
})
