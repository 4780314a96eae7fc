/** Computed pages: the pages that an OpenAPI specification expands to. */
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { BackgroundWork, type OpenApiSpec, parseDocument, specPagesOf } from "@lectern/core"
import { Clock, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { callByContract } from "./caller.ts"
import { ruleStores, type stores } from "./stores.ts"
import { startServerOn } from "./support.ts"

type Page = {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly path: string
  readonly slug: string
  readonly markdown?: string
  readonly document?: unknown
  readonly computed?: { readonly props: unknown }
  readonly computedSeed?: string
  readonly pages?: ReadonlyArray<Page>
}

const petstore = (more: object = {}) =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    tags: [{ name: "Pets", description: "All about them" }, { name: "Unused" }],
    paths: {
      "/pets/{id}": {
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "string" }, description: "Which | one" }
        ],
        get: {
          tags: ["Pets"],
          summary: "Get a pet",
          responses: {
            "200": {
              description: "The pet",
              content: {
                "application/json": { schema: { $ref: "#/components/schemas/Pet" }, example: { name: "Rex" } }
              }
            }
          }
        },
        put: {
          summary: "Replace a pet",
          deprecated: true,
          requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } } },
          responses: { "204": { description: "Done" } }
        }
      }
    },
    components: {
      schemas: {
        Pet: {
          type: "object",
          required: ["name"],
          properties: {
            name: { type: "string", description: "What it\nanswers to" },
            kind: { enum: ["cat", "dog"] },
            mother: { $ref: "#/components/schemas/Pet" }
          }
        }
      }
    },
    ...more
  })

type FivePages = [Page, Page, Page, Page, Page]

const titlesAndTypes = (all: ReadonlyArray<Page>) => all.map(({ title, type }) => `${title} ${type}`)

/** The titles and types of the pages while the computed page is not expanded. */
const asStored = ["Before document", "API computed", "Pets document"]

/** Creates a space with a computed page between two others. Its spec is not processed before `put`. */
const startComputed = async (store: (typeof stores)[number]) => {
  const server = await startServerOn(store)
  const admin = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", admin)
  const token = await server.tokenOf(admin)
  const call = <A>(operation: string, method: string, path: string, body?: unknown) =>
    callByContract<A>(server, token, operation, method, path, body)
  /** Replaces the spec, and processes it. */
  const put = async (text: string) => {
    await call<OpenApiSpec>("", "PUT", `/orgs/${organization}/openapi/pets`, { source: { text } })
    await server.core.runtime.runPromise(
      Effect.provideService(
        Effect.flatMap(BackgroundWork, ({ drain }) => drain),
        Clock.Clock,
        server.core.clock
      )
    )
  }
  const space = (await call<{ id: string }>("", "POST", `/orgs/${organization}/spaces`, {})).value.id
  const at = `/spaces/${space}/content`
  const { value: spec } = await call<OpenApiSpec>("", "POST", `/orgs/${organization}/openapi`, {
    slug: "pets",
    source: { text: petstore() }
  })
  const computed = {
    type: "builtin:openapi",
    dependencies: { spec: { ref: { kind: "openapi", spec: spec.id } } },
    props: { models: true }
  }
  const edited = await call<{ revision: string }>("", "POST", at, {
    changes: [
      { operation: "insert_page", title: "Before" },
      { operation: "insert_page", type: "computed", title: "API", computed },
      { operation: "insert_page", title: "Pets" }
    ]
  })
  expect(edited.status).toBe(200)
  const pages = async (query = "") =>
    (await call<{ pages: ReadonlyArray<Page> }>("listPages", "GET", `${at}/pages${query}`)).value.pages
  const fetch = (path: string) => server.fetch(`/v1${path}`, { token })
  return { call, fetch, organization, space, at, computed, revision: edited.value.revision, pages, put }
}

describe("a computed page", () => {
  for (const store of ruleStores) {
    it(`has its stored form until its spec is processed, and if computation is disabled, on ${store.name}`, async () => {
      const { pages, put } = await startComputed(store)
      expect(titlesAndTypes(await pages())).toEqual(asStored)
      await put(petstore())
      expect(titlesAndTypes(await pages("?computed=false"))).toEqual(asStored)
    })

    it(`expands to a page for each tag and one for the models, on ${store.name}`, async () => {
      const { pages, put, computed } = await startComputed(store)
      await put(petstore())
      const all = await pages()
      expect(titlesAndTypes(all)).toEqual([
        "Before document",
        "Pets document",
        "Operations document",
        "Models document",
        "Pets document"
      ])
      const [, pets, , , after] = all as FivePages
      expect([pets.path, after.path]).toEqual(["pets-1", "pets"])
      expect(pets.computed).toEqual({
        ...computed,
        props: { models: true, doc: "operations", page: "Pets" }
      })
    })

    it(`is read by id, by path, and in each format, on ${store.name}`, async () => {
      const { call, at, pages, put } = await startComputed(store)
      await put(petstore())
      const [, pets, operations, models] = (await pages()) as FivePages
      const byId = await call<Page>("getPageById", "GET", `${at}/page/${pets.id}?format=markdown`)
      const byPath = await call<Page>("getPageByPath", "GET", `${at}/path/pets-1?format=markdown`)
      expect(byPath.value).toEqual(byId.value)
      for (const part of [
        "All about them",
        "## Get a pet",
        "GET /pets/{id}",
        "| `id` | path | string | yes | Which \\| one |",
        "| 200 | The pet |",
        "| `name` | string | yes | What it answers to |",
        "| `kind` | any |  | One of: `cat`, `dog`. |",
        '"name": "Rex"'
      ]) {
        expect(byId.value.markdown).toContain(part)
      }
      const rest = await call<Page>("", "GET", `${at}/page/${operations.id}?format=markdown`)
      expect(rest.value.markdown).toMatch(/\*\*Deprecated\.\*\*[\s\S]*### Request body/)
      const document = await call<Page>("", "GET", `${at}/page/${models.id}?format=document`)
      expect(document.value.document).toMatchObject({ object: "document" })
      expect((await call("", "GET", `${at}/page/${pets.id}?computed=false`)).status).toBe(404)
    })

    it(`is computed in a revision as in the content of the space, on ${store.name}`, async () => {
      const { call, fetch, space, revision, pages, put } = await startComputed(store)
      await put(petstore())
      const path = `/spaces/${space}/revisions/${revision}`
      const inRevision = async (query = "") =>
        (await call<{ pages: ReadonlyArray<Page> }>("", "GET", `${path}/pages${query}`)).value.pages
      const listed = await pages()
      expect(titlesAndTypes(listed)).not.toEqual(asStored)
      expect(titlesAndTypes(await inRevision())).toEqual(titlesAndTypes(listed))
      expect(titlesAndTypes(await inRevision("?computed=false"))).toEqual(asStored)
      const whole = await call<{ pages: ReadonlyArray<Page> }>("getRevisionById", "GET", path)
      expect(titlesAndTypes(whole.value.pages)).toEqual(titlesAndTypes(listed))
      // Every page that a list has can be read in the revision.
      for (const { id, path: pagePath } of listed) {
        const page = await call<Page>("", "GET", `${path}/page/${id}`)
        const byPath = await call<Page>("", "GET", `${path}/path/${encodeURIComponent(pagePath)}`)
        const document = await call("", "GET", `${path}/page/${id}/document`)
        expect([page.status, byPath.value.id, document.status]).toEqual([200, id, 200])
      }

      // The pages change with their spec, so clients revalidate them.
      const responses = async () => {
        const urls = [path, `${path}/pages`, `${path}/page/${listed[1]!.id}`]
        return Promise.all(urls.map(async (url) => (await fetch(url)).headers))
      }
      const before = await responses()
      expect(before.map((headers) => headers.get("cache-control") ?? "")).not.toContainEqual(
        expect.stringContaining("immutable")
      )
      await put(petstore({ tags: [{ name: "Pets", description: "Something else about them" }] }))
      for (const [index, headers] of (await responses()).entries())
        expect(headers.get("etag")).not.toBe(before[index]!.get("etag"))
    })

    it(`resolves its spec by its slug, on ${store.name}`, async () => {
      const { call, at, computed, pages, put } = await startComputed(store)
      await put(petstore())
      const byId = await pages()
      const stored = (await pages("?computed=false")).find(({ type }) => type === "computed")!
      const dependencies = { spec: { ref: { kind: "openapi", spec: "pets" } } }
      const change = { operation: "update_page", page: stored.id, computed: { ...computed, dependencies } }
      expect((await call("", "POST", at, { changes: [change] })).status).toBe(200)
      expect(titlesAndTypes(await pages())).toEqual(titlesAndTypes(byId))
      expect(titlesAndTypes(byId)).not.toEqual(asStored)
    })

    it(`is recomputed under the same ids if its spec has a new valid version, on ${store.name}`, async () => {
      const { pages, put } = await startComputed(store)
      await put(petstore())
      const pets = (await pages())[1]!
      // The references of this version cannot be resolved, so the last valid version remains.
      await put(
        petstore({ tags: [{ name: "Pets", description: "All that is new about them" }], components: {} })
      )
      expect((await pages())[1]!.computedSeed).toBe(pets.computedSeed)
      await put(petstore({ info: { title: "Pets", version: "2" } }))
      const next = (await pages())[1]!
      expect([next.id, next.computedSeed === pets.computedSeed]).toEqual([pets.id, false])
    })

    it(`appears below its parent once its spec has matching pages, on ${store.name}`, async () => {
      const { call, at, computed, pages, put } = await startComputed(store)
      const parent = (await pages())[0]!.id
      const page = async () => (await call<Page>("", "GET", `${at}/page/${parent}`)).value
      const change = {
        operation: "insert_page",
        type: "computed",
        title: "Cats",
        into: parent,
        computed: { ...computed, props: { doc: "operations", page: "Cats" } }
      }
      expect((await call("", "POST", at, { changes: [change] })).status).toBe(200)
      await put(petstore())
      expect((await page()).pages).toEqual([])
      const paths = { "/cats": { get: { tags: ["Cats"], responses: { "204": { description: "Done" } } } } }
      await put(petstore({ tags: [{ name: "Cats" }], paths }))
      expect((await page()).pages).toHaveLength(1)
    })

    it(`has its stored form once its spec is deleted, on ${store.name}`, async () => {
      const { call, organization, pages, put } = await startComputed(store)
      await put(petstore())
      expect(titlesAndTypes(await pages())).not.toEqual(asStored)
      await call("", "DELETE", `/orgs/${organization}/openapi/pets`)
      expect(titlesAndTypes(await pages())).toEqual(asStored)
    })
  }
})

it("each operation of real specifications is on one of the computed pages", () => {
  const { resolve } = createRequire(import.meta.url)
  const examples = dirname(resolve("@readme/oas-examples/package.json"))
  const files = [
    ...readdirSync(examples, { recursive: true, encoding: "utf8" })
      .filter((name) => /^(2\.0|3\.[01])[/\\].*\.(json|yaml)$/.test(name))
      .map((name) => join(examples, name)),
    join(dirname(resolve("@gitbook/api")), "../spec/openapi.json")
  ]
  for (const file of files) {
    const { json } = parseDocument(readFileSync(file, "utf8"), true)
    const document = JSON.parse(new TextDecoder().decode(json))
    const pages = specPagesOf(document)
    const all = pages.map(({ markdown }) => markdown).join("\n")
    for (const [path, item] of Object.entries(
      (document.paths ?? {}) as Record<string, Record<string, unknown>>
    )) {
      for (const method of ["get", "put", "post", "delete", "patch"]) {
        if (item[method] !== undefined)
          expect([file, all.includes(`${method.toUpperCase()} ${path}`)]).toEqual([file, true])
      }
    }
    expect(new Set(pages.map(({ slug }) => slug)).size).toBe(pages.length)
  }
})
