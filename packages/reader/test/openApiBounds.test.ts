/** The work and the size of a page are bounded as a whole, for any number of operations with any references. */
import { specPagesOf } from "@lectern/formats"
import { isFastRun, runs } from "@lectern/harness"
import { maximumDetail } from "@lectern/markdown/openapi"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { renderMarkdown } from "./support/renderMarkdown.ts"

type Json = { readonly [key: string]: unknown }

/** Counts the reads of the parts of a document. */
const counted = (root: Json): { readonly document: Json; readonly count: () => number } => {
  let reads = 0
  const known = new WeakMap<object, object>()
  const wrap = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value
    const made =
      known.get(value) ??
      new Proxy(value, {
        get: (target, key) => {
          reads++
          return wrap(Reflect.get(target, key))
        }
      })
    known.set(value, made)
    return made
  }
  return { document: wrap(root) as Json, count: () => reads }
}

const block = (path: string): string =>
  `{% openapi-operation spec="api" path="${path}" method="post" %}\n[API](https://example.com/api.yaml)\n{% endopenapi-operation %}\n`

interface Shape {
  readonly operations: number
  readonly levels: number
  readonly width: number
  readonly nest: "properties" | "oneOf" | "allOf" | "items" | "heirs"
  readonly leaf: Json
}

/** A small document whose schemas reference the next one several times, so that its tree is exponential. */
const documentOf = ({ operations, levels, width, nest, leaf }: Shape): Json => {
  const schemaAt = (level: number): Json => {
    const next = { $ref: `#/components/schemas/P${level + 1}` }
    const all = Array.from({ length: width }, () => next)
    if (nest === "heirs") {
      // Each schema inherits from all of them, also from itself, and has a property of the type of the next one.
      const heirs = Array.from({ length: levels }, (_, other) => ({ $ref: `#/components/schemas/P${other}` }))
      return {
        allOf: heirs,
        properties: { [`p${level}`]: { $ref: `#/components/schemas/P${(level + 1) % levels}` } }
      }
    }
    if (nest === "oneOf" || nest === "allOf") return { type: "array", items: { [nest]: all } }
    const one = nest === "items" ? { type: Array.from({ length: width }, () => "array"), items: next } : next
    return {
      type: "object",
      properties: Object.fromEntries(Array.from({ length: width }, (_, index) => [`p${index}`, one]))
    }
  }
  const schemas = Object.fromEntries([
    ...Array.from({ length: levels }, (_, level) => [`P${level}`, schemaAt(level)]),
    [`P${levels}`, leaf]
  ])
  const body = { content: { "application/json": { schema: { $ref: "#/components/schemas/P0" } } } }
  const post = {
    parameters: [
      { name: "filter", in: "query", required: true, schema: { $ref: "#/components/schemas/P1" } }
    ],
    requestBody: body,
    responses: { 200: { description: "Done", ...body }, 400: { description: "Not done", ...body } }
  }
  return {
    openapi: "3.1.0",
    info: { title: "API", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: Object.fromEntries(Array.from({ length: operations }, (_, index) => [`/x${index}`, { post }])),
    components: { schemas }
  }
}

const render = (document: Json, operations: number) =>
  renderMarkdown(Array.from({ length: operations }, (_, index) => block(`/x${index}`)).join("\n"), {
    openApi: document
  })

/** The size and the work of a page: of its details, and of each operation without them. */
const bounds = {
  bytes: { page: 6_000_000, operation: 12_000 },
  reads: { page: 3_000_000, operation: 5_000 },
  properties: { page: maximumDetail.properties, operation: 20 }
}

const bomb: Shape = { operations: 30, levels: 12, width: 6, nest: "properties", leaf: { type: "string" } }

/** Measures a page with a block for each operation, and the pages that are generated from the document. */
const measure = async (shape: Shape) => {
  const { document, count } = counted(documentOf(shape))
  const { text } = (await render(document, shape.operations)).content
  const reads = count()
  const markdown = specPagesOf(document).map((page) => page.markdown)
  return {
    text,
    markdown,
    html: { bytes: text.length, reads, properties: text.split('class="property"').length - 1 },
    generated: { bytes: Math.max(...markdown.map(({ length }) => length)), reads: count() - reads }
  }
}

const excessOf = (measured: object, operations: number) =>
  Object.entries(measured).filter(([unit, amount]) => {
    const { page, operation } = bounds[unit as keyof typeof bounds]
    return amount > page + operation * operations
  })

describe("a page with many operations of nested schemas", () => {
  it("shows the first ones with details, and the others with a sentence and a link to the document", async () => {
    const { text, html, generated } = await measure(bomb)
    expect(excessOf(html, bomb.operations)).toEqual([])
    expect(excessOf(generated, bomb.operations)).toEqual([])
    const operations = text.split('class="api-operation"').slice(1)
    expect(operations).toHaveLength(bomb.operations)
    expect(operations[0]).toContain('class="child-properties"')
    expect(operations.at(-1)).not.toContain('class="child-properties"')
    expect(operations.at(-1)).toMatch(/not show all details[^<]*<a href="https:\/\/example\.com\/api\.yaml"/)
    const [{ markdown } = { markdown: "" }] = specPagesOf(documentOf({ ...bomb, operations: 60 }))
    expect(markdown).toContain("This page does not show all details")
  })

  it("takes bounded work for schemas that inherit from each other, and refer to each other in properties", async () => {
    for (const [operations, levels] of [
      [1, 6],
      [30, 12]
    ] as const) {
      const { html, generated, text } = await measure({ ...bomb, operations, levels, nest: "heirs" })
      expect(excessOf(html, operations)).toEqual([])
      expect(excessOf(generated, operations)).toEqual([])
      expect(text).toContain("api-incomplete")
    }
  })

  it.skipIf(isFastRun)("shows every detail of common operations, without the sentence", async () => {
    const { text, markdown } = await measure({ ...bomb, operations: 30, levels: 2 })
    expect(text.split('class="property"').length - 1).toBe(30 * 133)
    expect(text).not.toContain("api-incomplete")
    expect(markdown.join("")).not.toContain("This page does not show all details")
  })

  it.skipIf(isFastRun)("has a bounded size and takes bounded work, for any schemas", async () => {
    const shape = fc.record({
      operations: fc.integer({ min: 1, max: 40 }),
      levels: fc.integer({ min: 1, max: 12 }),
      width: fc.integer({ min: 1, max: 40 }),
      nest: fc.constantFrom(
        "properties" as const,
        "oneOf" as const,
        "allOf" as const,
        "items" as const,
        "heirs" as const
      ),
      leaf: fc.constantFrom<Json>(
        { type: "string" },
        { type: "string", description: "word ".repeat(4_000) },
        { type: "string", enum: Array.from({ length: 50 }, (_, index) => `${index}`.repeat(100)) },
        { type: "object", example: { text: "x".repeat(100_000) } },
        { type: "object", properties: { ["n".repeat(10_000)]: { type: "string" } } }
      )
    })
    await fc.assert(
      fc.asyncProperty(shape, async (given) => {
        const { html, generated } = await measure(given)
        expect(excessOf(html, given.operations)).toEqual([])
        expect(excessOf(generated, given.operations)).toEqual([])
      }),
      runs(20)
    )
  })
})
