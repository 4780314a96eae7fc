/** The Markdown of the pages of the test site: every block, as in guides. */

/** A page that shows every block. */
export const blocksPage = `Every block that a page can have, with **bold**, *italic*, ~~deleted~~, \`code\`, <kbd>Ctrl</kbd> + <kbd>K</kbd>, H<sub>2</sub>O, x<sup>2</sup>, <mark style="color:red;">red text</mark>, <mark style="background-color:yellow;">highlighted text</mark>, a [link](install.md), an [external link](https://example.com), :rocket:, <i class="fa-gear">:gear:</i>, $$e^{i\\pi} + 1 = 0$$ and an [annotation](#user-content-fn-1)[^1].

<a href="install.md" class="button primary" data-icon="rocket">Get started</a> <a href="https://example.com" class="button secondary">Learn more</a>

## Hints

{% hint style="info" %}
This is **information** with a [link](install.md).
{% endhint %}

{% hint style="success" %}
It works.
{% endhint %}

{% hint style="warning" %}
### Be careful
Warnings can have headings, lists and code:

* One
* Two
{% endhint %}

{% hint style="danger" %}
This deletes everything.
{% endhint %}

## Lists

1. First
2. Second
   * Nested
   * Nested too
3. Third

- [x] Done
- [ ] Not done

> A quote of someone.
>
> In two paragraphs.

## Code

{% code title="src/server.ts" lineNumbers="true" %}
\`\`\`ts
import { createServer } from "node:http"

/** Starts a server on a port. */
export const start = async (port: number): Promise<void> => {
  const server = createServer((request, response) => {
    response.end(\`Hello, \${request.url ?? "world"}!\`) // greets
  })
  server.listen(port)
}
\`\`\`
{% endcode %}

\`\`\`bash
npm install @lectern/core --save-exact
\`\`\`

### Tabs

{% tabs %}
{% tab title="npm" %}
\`\`\`bash
npm install lectern
\`\`\`
{% endtab %}

{% tab title="pnpm" %}
\`\`\`bash
pnpm add lectern
\`\`\`
{% endtab %}

{% tab title="Docker" icon="docker" %}
Run the **image**:

\`\`\`yaml
services:
  docs:
    image: lectern
    ports: ["4400:4400"]
\`\`\`
{% endtab %}
{% endtabs %}

## Steps

{% stepper %}
{% step %}
### Install it

Run the installer of your platform.
{% endstep %}

{% step %}
### Configure it

Set \`LECTERN_DATABASE_URL\`.
{% endstep %}

{% step %}
### Open it

Then open the browser.
{% endstep %}
{% endstepper %}

## Tables and cards

| Name | Type | Count |
| --- | :---: | ---: |
| \`pages\` | document | 1,024 |
| \`files\` | binary | 12 |
| **Total** | | 1,036 |

<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td><i class="fa-rocket">:rocket:</i> <strong>Quickstart</strong></td><td>Install and run in five minutes.</td><td><a href="install.md">install.md</a></td></tr><tr><td><i class="fa-book">:book:</i> <strong>Guides</strong></td><td>Learn the concepts.</td><td><a href="install.md">install.md</a></td></tr><tr><td><i class="fa-code">:code:</i> <strong>API</strong></td><td>Every operation.</td><td><a href="https://example.com">https://example.com</a></td></tr></tbody></table>

<table><thead><tr><th>Feature</th><th data-type="checkbox">Done</th><th data-type="rating" data-max="5">Rating</th></tr></thead><tbody><tr><td>Search</td><td>true</td><td>4</td></tr><tr><td>Export</td><td>false</td><td>2</td></tr></tbody></table>

## Math

$$
\\int_{-\\infty}^{\\infty} e^{-x^2} \\, dx = \\sqrt{\\pi} \\qquad \\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}
$$

## Images

<figure><img src="/files/FILE" alt="A gradient" width="480"><figcaption><p>A figure with a caption</p></figcaption></figure>

## Columns

{% columns %}
{% column width="50%" %}
### Left

The text of the left column.
{% endcolumn %}

{% column %}
### Right

The text of the right column.
{% endcolumn %}
{% endcolumns %}

## More

<details>

<summary>What is inside?</summary>

The answer, with \`code\`.

</details>

<details>

<summary>And this?</summary>

Another answer.

</details>

{% embed url="https://www.youtube.com/watch?v=dQw4w9WgXcQ" %}
A video
{% endembed %}

{% embed url="https://github.com/example/repository" %}

{% content-ref url="install.md" %}
[install.md](install.md)
{% endcontent-ref %}

{% file src="/files/FILE" %}
The file
{% endfile %}

{% updates %}
{% update date="2026-01-31" tags="new,fixes" %}
## Version 2

Everything is better.
{% endupdate %}

{% update date="2025-12-01" %}
## Version 1

The first one.
{% endupdate %}
{% endupdates %}

{% openapi-operation spec="petstore" path="/pets/{petId}" method="put" %}
[OpenAPI petstore](https://example.com/api.json)
{% endopenapi-operation %}

[^1]: The note of the annotation.
`

/** A short page. */
export const installPage = `Install the server with one command, and open it in the browser.

## Requirements

You need Node 24 or newer.

## Install

\`\`\`bash
npm install lectern
npx lectern serve
\`\`\`

## Next steps

Read about [every block](blocks.md#hints).
`

/** The OpenAPI document of the test site. */
export const petstore = {
  openapi: "3.1.0",
  info: { title: "Petstore", version: "1.0.0" },
  servers: [{ url: "https://api.example.com/v1" }],
  tags: [{ name: "pets", description: "Everything about **pets**." }],
  security: [{ bearer: [] }],
  paths: {
    "/pets": {
      get: {
        tags: ["pets"],
        operationId: "listPets",
        summary: "List pets",
        description: "Returns the pets of the store, newest first.\n\nUse `limit` to *paginate*.",
        parameters: [
          {
            name: "limit",
            in: "query",
            description: "The maximum number.",
            schema: { type: "integer", default: 20, maximum: 100 }
          },
          { name: "status", in: "query", schema: { type: "string", enum: ["available", "pending", "sold"] } }
        ],
        responses: {
          200: {
            description: "The pets.",
            content: {
              "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/Pet" } } }
            }
          },
          401: { description: "The token is missing." }
        }
      }
    },
    "/pets/{petId}": {
      put: {
        tags: ["pets"],
        operationId: "updatePet",
        summary: "Update a pet",
        parameters: [
          { name: "petId", in: "path", required: true, schema: { type: "string", format: "uuid" } }
        ],
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } }
        },
        responses: {
          200: {
            description: "The pet.",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } }
          }
        }
      }
    }
  },
  components: {
    securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
    schemas: {
      Pet: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string", description: "The name of the pet.", example: "Rex" },
          age: { type: "integer", minimum: 0 },
          owner: {
            type: "object",
            description: "Who owns it.",
            properties: { email: { type: "string", format: "email" } }
          },
          parent: { $ref: "#/components/schemas/Pet" }
        }
      }
    }
  }
}
