/** Attacks on the parser and the decoder of JSON bodies. */
import { type Attack, attackWith, fill, fillWith } from "../Attack.ts"
import type { Scene } from "../scene.ts"

const organization = (name: string, body: () => unknown): Attack =>
  attackWith("JSON", name, ({ organization: path }) => ({ method: "PATCH", path, body: body() }))
const invites = (name: string, body: () => string): Attack =>
  attackWith("JSON", name, ({ organization: path }) => ({
    method: "POST",
    path: `${path}/invites`,
    body: body()
  }))
const content = (name: string, body: () => string): Attack =>
  attackWith("JSON", name, ({ space }) => ({ method: "POST", path: `${space}/content`, body: body() }))

/** A change that inserts a page with a document, as JSON. */
const page = (document: string): string =>
  `{"changes":[{"operation":"insert_page","type":"document","title":"Page","document":{"document":${document}}}]}`
const document = (nodes: string): string => page(`{"object":"document","data":{},"nodes":[${nodes}]}`)
const documentAttack = (name: string, body: () => string): Attack =>
  attackWith("document", name, ({ space }: Scene) => ({
    method: "POST",
    path: `${space}/content`,
    body: body()
  }))
/** Inserts 50 pages that are each parsed on the event loop, or queued for the worker threads. */
const batch = (name: string, markdown: string): Attack =>
  content(name, () =>
    JSON.stringify({
      changes: Array.from({ length: 50 }, (_, i) => ({
        operation: "insert_page",
        type: "document",
        title: `P${i}`,
        document: { markdown }
      }))
    })
  )
const paragraph = (text: string): string =>
  `{"object":"block","type":"paragraph","nodes":[{"object":"text","leaves":[{"object":"leaf","text":"${text}","marks":[]}]}]}`
const quoted = (depth: number): string =>
  `{"object":"block","type":"blockquote","nodes":[`.repeat(depth) + paragraph("a") + "]}".repeat(depth)

/** Attacks on JSON bodies. */
export const jsonAttacks: ReadonlyArray<Attack> = [
  organization("nested lists", () => fill("[")),
  organization("nested objects", () => fill(`{"a":`)),
  organization("unknown keys", () => `{${fillWith((i) => `"k${i}":0`, ",")}}`),
  organization("integer keys", () => `{${fillWith((i) => `"${i * 7919}":0`, ",")}}`),
  organization("duplicate keys", () => `{${fillWith(() => `"title":"a"`, ",")}}`),
  organization("a number of 950,000 digits", () => `{"title":${fill("9")}}`),
  organization("a title of escapes", () => `{"title":"${fill("\\u0041")}"}`),
  organization("a title of lone surrogates", () => `{"title":"${fill("\\ud800")}"}`),
  organization("white space", () => `{${fill(" ")}}`),
  organization("invalid UTF-8", () => new Uint8Array(950_000).fill(0xff)),
  organization("nested prototypes", () => `${fill(`{"__proto__":`, 1800)}1${"}".repeat(138)}`),
  organization("a long list in an unknown key", () => `{"x":[${fillWith(() => "[]", ",")}]}`),
  organization("a title that is a large object", () => `{"title":{${fillWith((i) => `"k${i}":[{}]`, ",")}}}`),
  organization("email domains", () => `{"emailDomains":[${fillWith(() => `"."`, ",")}]}`),
  invites("empty e-mail addresses", () => `{"emails":[${fillWith(() => `""`, ",")}]}`),
  invites("e-mail addresses that are objects", () => `{"emails":[${fillWith(() => "{}", ",")}]}`),
  invites("valid e-mail addresses", () => `{"emails":[${fillWith((i) => `"a${i}@b.de"`, ",")}]}`),
  invites("100 long e-mail addresses", () => `{"emails":[${`"${"a@".repeat(4700)}",`.repeat(99)}""]}`),
  invites("e-mail addresses of dots", () => `{"emails":[${`"a@${"b.".repeat(4700)}",`.repeat(99)}""]}`),
  content("empty changes", () => `{"changes":[${fillWith(() => "{}", ",")}]}`),
  content("changes that are lists", () => `{"changes":[${fillWith(() => "[]", ",")}]}`),
  content("changes that are numbers", () => `{"changes":[${fillWith(() => "1", ",")}]}`),
  content(
    "50 changes with many unknown keys",
    () => `{"changes":[${fillWith((i) => `{${fillWith((j) => `"k${i}_${j}":0`, ",", 18_000)}}`, ",")}]}`
  ),
  content(
    "files that are empty",
    () => `{"changes":[{"operation":"insert_files","files":[${fillWith(() => "{}", ",")}]}]}`
  ),
  content(
    "a file of invalid Base64",
    () =>
      `{"changes":[{"operation":"insert_files","files":[{"name":"a.png","contentType":"image/png","base64":"${fill("-")}"}]}]}`
  ),
  attackWith("JSON", "an adaptive schema with many claims", ({ site }) => ({
    method: "PUT",
    path: `${site}/adaptive-schema`,
    body: `{"jsonSchema":{"type":"object","additionalProperties":false,"properties":{${fillWith((i) => `"k${i}":{"type":"string"}`, ",")}}}}`
  })),
  attackWith("JSON", "an integration with many secrets", ({ organization: path }) => ({
    method: "POST",
    path: "/v1/integrations/hostile",
    body: `{"organization":"${path.slice(9)}","title":"I","description":"","script":"x","scopes":[],"visibility":"private","secrets":{${fillWith((i) => `"k${i}":"v"`, ",")}}}`
  })),
  batch("50 pages of list items", "- a\n".repeat(3000)),
  batch("50 pages of tables", `|a|b|\n|-|-|\n${"|a|b|\n".repeat(2000)}`),
  batch("50 pages of short lists", "- a\n".repeat(250)),
  documentAttack("empty nodes", () => document(fillWith(() => "{}", ","))),
  documentAttack("the most values of a body", () => document(Array(199_990).fill("{}").join(","))),
  documentAttack("unknown blocks", () =>
    document(fillWith(() => `{"object":"block","type":"unknown","nodes":[]}`, ","))
  ),
  documentAttack("paragraphs", () => document(fillWith(() => paragraph("a"), ","))),
  documentAttack("leaves of one paragraph", () =>
    document(
      `{"object":"block","type":"paragraph","nodes":[{"object":"text","leaves":[${fillWith(() => `{"object":"leaf","text":"*","marks":[]}`, ",")}]}]}`
    )
  ),
  documentAttack("marks of one leaf", () =>
    document(
      `{"object":"block","type":"paragraph","nodes":[{"object":"text","leaves":[{"object":"leaf","text":"a","marks":[${fillWith(() => `{"object":"mark","type":"bold"}`, ",")}]}]}]}`
    )
  ),
  documentAttack("nested quotes", () => document(fillWith(() => quoted(60), ","))),
  documentAttack("text of special characters", () => document(paragraph(fill("*_[]<&`|~")))),
  documentAttack("text of almost too many special characters", () =>
    document(paragraph(fill("*_[]<&`|~", 99_000)))
  ),
  documentAttack("text of addresses", () => document(paragraph(fill("www.a.b:c a@b", 290_000)))),
  documentAttack("text of line breaks", () => document(paragraph(fill("\\n# ")))),
  documentAttack(
    "many documents at 50 changes",
    () =>
      `{"changes":[${fillWith(
        () =>
          `{"operation":"insert_page","type":"document","title":"P","document":{"document":{"object":"document","data":{},"nodes":[${fillWith(() => paragraph("_a_ "), ",", 18_000)}]}}}`,
        ","
      )}]}`
  )
]
