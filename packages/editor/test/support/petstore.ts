/** An OpenAPI document for tests: operations, a webhook, schemas, and descriptions in Markdown. */
export const petstore: object = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  servers: [{ url: "https://pets.example.com/v1" }],
  components: {
    securitySchemes: {
      key: { type: "apiKey", in: "header", name: "X-Key", description: "Create it in **settings**." }
    },
    schemas: {
      Dog: { type: "object", properties: { bark: { type: "boolean" } } },
      Cat: { type: "object", properties: { claws: { type: "integer", minimum: 1 } } },
      Pet: {
        type: "object",
        description: "An animal.",
        required: ["name"],
        properties: {
          name: { type: "string", minLength: 2, description: "The name, as in `Rex`." },
          tags: { type: "array", items: { type: "string" }, maxItems: 3 },
          owner: { type: "object", properties: { email: { type: "string", format: "email" } } }
        },
        oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }]
      }
    }
  },
  paths: {
    "/pets": {
      get: {
        summary: "List pets",
        description: "Returns the pets of the caller:\n\n- cats\n- dogs\n",
        security: [{ key: [] }],
        parameters: [
          {
            name: "sort",
            in: "query",
            description: "The order.",
            schema: { enum: ["up", "down"], default: "up" }
          }
        ],
        responses: {
          200: {
            description: "The pets",
            content: {
              "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/Pet" } } }
            }
          },
          404: { description: "No pets" }
        }
      }
    },
    "/pets/{id}": {
      put: {
        operationId: "putPet",
        deprecated: true,
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        requestBody: {
          description: "The pet.",
          content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } }
        },
        responses: { 204: { description: "Replaced" } },
        callbacks: {
          replaced: { "{$request.body#/url}": { post: { summary: "Reports it.", responses: {} } } }
        }
      }
    }
  },
  webhooks: {
    petAdded: { post: { summary: "A pet was added", responses: { 200: { description: "Received" } } } }
  }
}
