/** The pages of a spec are expanded once for all requests of the same content, because a spec can have thousands of them. */
import type { Placed } from "@lectern/kernel/tables"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { ComputedPages } from "../src/features/content/ComputedPages.ts"

const tags = Array.from({ length: 50 }, (_, index) => `tag ${index}`)

const document = {
  openapi: "3.1.0",
  info: { title: "API", version: "1" },
  paths: Object.fromEntries(tags.map((tag) => [`/${tag}`, { get: { tags: [tag], responses: {} } }]))
}

const placeholder = {
  id: "placeholder",
  page: {
    type: "computed",
    title: "API",
    slug: "api",
    position: "a",
    createdAt: "2026-01-31T00:00:00.000Z",
    computed: {
      type: "openapi",
      dependencies: { spec: { ref: { kind: "openapi", spec: "api" } } },
      props: {}
    }
  }
} as unknown as Placed

/** Content with one placeholder, which counts how often its tree is read to expand it. */
const countedContent = () => {
  let [expanded, version] = [0, "v1"]
  const tree = {
    pages: Effect.succeed([placeholder]),
    page: () => Effect.succeed(placeholder.page),
    children: () =>
      Effect.sync(() => {
        expanded++
        return [{ id: placeholder.id }]
      })
  }
  const files = new TextEncoder().encode(JSON.stringify({ "openapi.json": document }))
  const records = {
    find: () => Effect.sync(() => [{ id: "spec", slug: "api", lastVersion: version }]),
    get: () => Effect.succeed({ files })
  }
  const contentAt = (root: string) =>
    ({
      space: { organization: "acme" },
      revision: { root },
      tree,
      grant: { records }
    }) as unknown as Parameters<ComputedPages["Service"]["in"]>[0]
  return { contentAt, expanded: () => expanded, publish: (next: string) => (version = next) }
}

it("expands the pages of content once for each version of its spec", async () => {
  const { contentAt, expanded, publish } = countedContent()
  const read = (root: string) => Effect.flatMap(ComputedPages, (computed) => computed.in(contentAt(root)))
  await Effect.gen(function* () {
    for (let count = 0; count < 20; count++) {
      const { pages } = yield* read("root")
      expect(pages.map(({ page }) => page.title)).toHaveLength(tags.length)
    }
    expect(expanded()).toBe(1)
    publish("v2")
    const { version, pages } = yield* read("root")
    expect(version).toBe("placeholder v2")
    expect(pages.every(({ page }) => page.computedSeed === "v2")).toBe(true)
    expect(expanded()).toBe(2)
    yield* read("another root")
    expect(expanded()).toBe(3)
  }).pipe(Effect.provide(ComputedPages.layer), Effect.runPromise)
})
