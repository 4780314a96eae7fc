/** Generates the Markdown of authors who try to run a script in the browsers of readers. */
import fc from "fast-check"

/** Values that execute unless they are escaped. Each sets `window.executed`. */
const payloads = [
  "<script>window.executed=1</script>",
  "</script><script>window.executed=1</script>",
  '"><img src=x onerror=window.executed=1>',
  "'><svg onload=window.executed=1>",
  "<svg><script>window.executed=1</script></svg>",
  "<math><mtext></mtext><mglyph><style><img src=x onerror=window.executed=1></style></mglyph></math>",
  "<iframe srcdoc='<script>parent.executed=1</script>'></iframe>",
  "<a href=javascript:window.executed=1 id=clickme>x</a>",
  "<details open ontoggle=window.executed=1><summary>x</summary></details>",
  "<form action=javascript:window.executed=1><button>x</button></form>",
  "<base href=//attacker.example/>",
  "<meta http-equiv=refresh content='0;url=javascript:window.executed=1'>",
  "<style>*{background:url(javascript:window.executed=1)}</style>",
  "<object data='data:text/html,<script>window.executed=1</script>'></object>",
  "<noscript><p title='</noscript><img src=x onerror=window.executed=1>'>",
  "<template><script>window.executed=1</script></template>",
  "--><script>window.executed=1</script><!--",
  "]]><script>window.executed=1</script>",
  "&lt;script&gt;window.executed=1&lt;/script&gt;",
  "\u0000<scr\u0000ipt>window.executed=1</scr\u0000ipt>"
]

const urls = [
  "javascript:window.executed=1",
  "JaVaScRiPt:window.executed=1",
  " javascript:window.executed=1",
  "java\nscript:window.executed=1",
  "&#106;avascript:window.executed=1",
  "data:text/html,<script>window.executed=1</script>",
  "data:image/svg+xml,<svg onload=window.executed=1>",
  "vbscript:window.executed=1",
  "//attacker.example/x",
  'https://example.com/?q="><script>window.executed=1</script>',
  'https://www.youtube.com/watch?v="onload=window.executed=1',
  "https://www.figma.com/file/x'><script>window.executed=1</script>",
  "blob:https://example.com/x",
  '#"><script>window.executed=1</script>'
]

const payload = fc.oneof(
  fc.constantFrom(...payloads),
  fc.constantFrom(...urls),
  fc
    .tuple(fc.constantFrom(...payloads), fc.constantFrom(...urls))
    .map(([one, other]) => one.replace("x", other)),
  fc.string({ maxLength: 30 }).map((text) => `<img src="${text}" onerror="window.executed=1">${text}`)
)

/** Places of a page that text of its author can reach. */
const templates: ReadonlyArray<(text: string) => string> = [
  (text) => text,
  (text) => `# ${text}`,
  (text) => `[${text}](${text})`,
  (text) => `[x](<${text}> "${text}")`,
  (text) => `![${text}](<${text}> "${text}")`,
  (text) => `\`\`\`${text.replaceAll("`", "")}\n${text}\n\`\`\``,
  (text) => `{% code title="${text}" %}\n\`\`\`html\n${text}\n\`\`\`\n{% endcode %}`,
  (text) => `{% hint style="info" icon="${text}" %}\n${text}\n{% endhint %}`,
  (text) => `{% hint style="${text}" %}\n${text}\n{% endhint %}`,
  (text) => `{% tabs %}\n{% tab title="${text}" icon="${text}" %}\n${text}\n{% endtab %}\n{% endtabs %}`,
  (text) => `{% embed url="${text}" %}\n${text}\n{% endembed %}`,
  (text) => `{% content-ref url="${text}" %}\n[${text}](${text})\n{% endcontent-ref %}`,
  (text) => `{% file src="${text}" %}\n${text}\n{% endfile %}`,
  (text) => `{% stepper %}\n{% step %}\n## ${text}\n${text}\n{% endstep %}\n{% endstepper %}`,
  (text) =>
    `{% updates %}\n{% update date="${text}" tags="${text}" %}\n${text}\n{% endupdate %}\n{% endupdates %}`,
  (text) =>
    `{% openapi-operation spec="${text}" path="${text}" method="${text}" %}\n[${text}](${text})\n{% endopenapi-operation %}`,
  (text) => `{% openapi src="${text}" path="${text}" method="get" %}\n[x](${text})\n{% endopenapi %}`,
  (text) => `{% @mermaid/diagram content="${text}" url="${text}" %}`,
  (text) => `$$\n${text}\n$$`,
  (text) =>
    `$$\\href{${text}}{x} \\text{${text}} \\class{${text}}{x} \\style{${text}}{x} \\includegraphics{${text}}$$`,
  (text) => `| ${text.replaceAll("|", "")} |\n| --- |\n| ${text.replaceAll("|", "").replaceAll("\n", " ")} |`,
  (text) =>
    `<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td>${text}</td><td><a href="${text}">${text}</a></td></tr></tbody></table>`,
  (text) =>
    `<figure><img src="${text}" alt="${text}" width="${text}"><figcaption><p>${text}</p></figcaption></figure>`,
  (text) => `<details>\n\n<summary>${text}</summary>\n\n${text}\n\n</details>`,
  (text) => `<a href="${text}" class="button primary" data-icon="${text}">${text}</a>`,
  (text) => `<div align="center">${text}<img src="${text}" onerror="${text}"><a href="${text}">x</a></div>`,
  (text) => `Text [${text}](#user-content-fn-1)[^1]\n\n[^1]: ${text}`,
  (text) => `<mark style="color:${text};">${text}</mark> <kbd>${text}</kbd> <i class="fa-${text}">:x:</i>`
]

/** A page with payloads in several places. */
export const hostileMarkdown: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(fc.constantFrom(...templates), payload).map(([template, text]) => template(text)),
    { minLength: 1, maxLength: 8 }
  )
  .map((parts) => parts.join("\n\n"))

/** An OpenAPI document with payloads in its strings. */
export const hostileOpenApi: fc.Arbitrary<unknown> = fc
  .array(payload, { minLength: 9, maxLength: 9 })
  .map((texts) => {
    const [a, b, c, d, e, f, g, h, i] = texts as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string
    ]
    return {
      openapi: "3.1.0",
      info: { title: a, version: "1" },
      servers: [{ url: b, variables: { [c]: { default: d } } }],
      security: [{ [a]: [] }],
      paths: {
        "/x": {
          get: {
            operationId: b,
            summary: c,
            description: d,
            parameters: [
              {
                name: e,
                in: "query",
                required: true,
                description: f,
                schema: { type: g, enum: [h, i], default: a, pattern: b }
              }
            ],
            requestBody: {
              description: a,
              content: { [b]: { schema: { $ref: "#/components/schemas/S" }, example: { [c]: d } } }
            },
            responses: {
              [e]: {
                description: f,
                content: { "application/json": { schema: { $ref: "#/components/schemas/S" } } }
              }
            },
            "x-codeSamples": [{ lang: g, label: h, source: i }]
          }
        }
      },
      components: {
        securitySchemes: { [a]: { type: b, scheme: c, in: "header", name: d, description: e } },
        schemas: {
          S: {
            type: "object",
            properties: {
              [f]: { type: "string", description: g, format: h, example: i },
              self: { $ref: "#/components/schemas/S" }
            }
          }
        }
      }
    }
  })
