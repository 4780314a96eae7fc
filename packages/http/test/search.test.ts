/** Full-text search through the API, on every store. */
import {
  BackgroundWork,
  type ContentPage,
  type ConvertMarkdown,
  MarkdownEngine,
  NotReadable,
  SearchIndex,
  type SearchPageResult,
  type SearchSpaceResult,
  type Space,
  SpaceId,
  searchParts
} from "@lectern/core"
import { allRecords, runs } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { Clock, Effect, Layer } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { call } from "./caller.ts"
import { validatePublicResponse } from "./contract.ts"
import { memory, ruleDatabases, ruleStores } from "./stores.ts"
import { startServer, startServerOn, type TestServer } from "./support.ts"

interface List<A> {
  readonly items: ReadonlyArray<A>
  readonly count: number
  readonly next?: { readonly page: string }
}

const caller =
  (server: TestServer, token: string) =>
  <A>(method: string, path: string, body?: unknown) =>
    call<A>(server, token, method, path, body)

const setUp = async (server: TestServer) => {
  const admin = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", admin)
  const call = caller(server, await server.tokenOf(admin))
  const spaceOf = async (title: string) =>
    (await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, { title })).value.id
  const edit = async (at: string, changes: ReadonlyArray<unknown>) => {
    const { status, value } = await call<{ changes: ReadonlyArray<{ page: { id: string } }> }>(
      "POST",
      `${at}/content`,
      { changes }
    )
    expect([status, value]).toMatchObject([200, {}])
    return value.changes.map(({ page }) => page.id)
  }
  return { admin, organization, call, spaceOf, edit }
}

const page = (title: string, markdown: string, more: object = {}) => ({
  operation: "insert_page",
  document: { markdown },
  title,
  ...more
})

const corpus = [
  page(
    "Getting started",
    "Welcome.\n\n## Installation\n\nRun `npm install` on your machine.\n\n## Next steps\n\nRead about **deployments**."
  ),
  page("Deployment", "## Deploying\n\nThe server is deployed with one command. Rollbacks are instantaneous."),
  page("Größe und Maß", "Über die Straße, im Café naïve Résumés."),
  page("日本語", "これは日本語のドキュメントです。検索できます。"),
  page("Emoji", "We shipped 🚀 and 100% of the code `x_y.z-1`."),
  page(
    "Table",
    "| Name | Value |\n| --- | --- |\n| timeout | thirty seconds |\n\n<b>embolden</b> ![diagramme](/files/none)"
  )
]

/** Queries with characters and words that are operators in the query languages of stores. */
const operatorText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 512 }).filter((text) => text.isWellFormed()),
  fc.string({ unit: "grapheme", maxLength: 100 }),
  fc
    .array(
      fc.constantFrom(
        ...[
          "AND",
          "OR",
          "NOT",
          "NEAR(",
          ")",
          "(",
          '"',
          "'",
          "*",
          ":",
          "^",
          "{",
          "}",
          "-",
          "+",
          "&",
          "|",
          "!"
        ],
        ...[
          "<->",
          "\\",
          "%",
          "_",
          "title",
          "body",
          "space",
          "common",
          "a",
          " ",
          "\0",
          "🚀",
          "\u202e",
          "--",
          ";"
        ]
      ),
      { maxLength: 60 }
    )
    .map((parts) => parts.join("").slice(0, 512))
)

/** Starts a server with a space of 45 pages that match "common". */
const startManyPages = async (store: Pick<(typeof ruleDatabases)[number], "make">) => {
  const server = await startServerOn(store)
  const { organization, call, spaceOf, edit } = await setUp(server)
  const at = `/spaces/${await spaceOf("Many")}`
  const pages = Array.from({ length: 45 }, (_, i) =>
    page(`Page ${i}`, `Common ${"word ".repeat(i % 7)} and ${i}.`)
  )
  await edit(at, pages)
  return { organization, call, at, pages }
}

describe("search", () => {
  for (const { name, make } of ruleStores) {
    it(`finds words, prefixes, phrases and word forms in a space and in an organization, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const { organization, call, spaceOf, edit } = await setUp(server)
        const [one, two] = [await spaceOf("One"), await spaceOf("Two")]
        await edit(`/spaces/${one}`, corpus)
        await edit(`/spaces/${two}`, [page("Deployment elsewhere", "Deploy it here too.")])
        const search = async (query: string, space = one) => {
          const path = `/spaces/${space}/search?${new URLSearchParams({ query })}`
          const { status, value } = await call<List<SearchPageResult>>("GET", path)
          expect([query, status]).toEqual([query, 200])
          expect(validatePublicResponse("searchSpaceContent", 200, value)).toBeUndefined()
          expect(value.count).toBe(value.items.length)
          return value.items
        }
        const titles = async (query: string) => (await search(query)).map(({ title }) => title)
        for (const [query, expected] of [
          ["installation", ["Getting started"]],
          ["install npm", ["Getting started"]],
          ["npm insta", ["Getting started", "Deployment"]],
          ["deploy", ["Deployment", "Getting started"]],
          ["deploying a server", ["Deployment"]],
          ["rollback", ["Deployment"]],
          ['"one command"', ["Deployment"]],
          ['"command one"', []],
          ["STRASSE", ["Größe und Maß"]],
          ["cafe resume", ["Größe und Maß"]],
          ["groß", ["Größe und Maß"]],
          ["日本語", ["日本語"]],
          ["検索", ["日本語"]],
          ["索検", []],
          ["🚀", ["Emoji"]],
          ["x_y.z-1", ["Emoji"]],
          ["thirty seconds timeout", ["Table"]],
          ["embolden diagramme", ["Table"]],
          ["nothing of the kind", []]
        ] as const) {
          expect([query, await titles(query)]).toEqual([query, expected])
        }
        const [found] = await search("npm")
        expect(found).toMatchObject({
          path: "getting-started",
          sections: [
            {
              title: "Installation",
              path: "getting-started#installation",
              body: "Run npm install on your machine."
            }
          ]
        })
        expect(found!.urls.app).toMatch(new RegExp(`/s/${one}/getting-started$`))

        const all = await call<List<SearchSpaceResult>>("GET", `/orgs/${organization}/search?query=deploy`)
        expect(validatePublicResponse("searchOrganizationContent", 200, all.value)).toBeUndefined()
        expect(all.value.count).toBe(2)
        expect(
          new Map(all.value.items.map(({ title, pages }) => [title, pages.map((one) => one.title)]))
        ).toEqual(
          new Map([
            ["One", ["Deployment", "Getting started"]],
            ["Two", ["Deployment elsewhere"]]
          ])
        )
      } finally {
        await server.close()
      }
    })
  }
})

const drain = (server: TestServer) =>
  server.core.runtime.runPromise(
    Effect.provideService(
      Effect.flatMap(BackgroundWork, ({ drain }) => drain),
      Clock.Clock,
      server.core.clock
    )
  )

const rowsOf = (server: TestServer) =>
  server.core.runtime.runPromise(Effect.flatMap(allRecords, (records) => records.find(searchParts, {})))

const word = fc.constantFrom("alpha", "beta", "gamma", "delta", "omega", "日", "größe")
const vocabulary = ["alpha", "beta", "gamma", "delta", "omega", "日", "größe"]
const sentence = fc.array(word, { maxLength: 4 }).map((words) => words.join(" "))
const pick = fc.nat(50)
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("insert" as const),
      into: pick,
      title: sentence,
      body: sentence,
      hidden: fc.boolean()
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("write" as const), page: pick, title: sentence, body: sentence })
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("hide" as const), page: pick, hidden: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("move" as const), page: pick, into: pick }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("rename" as const),
      page: pick,
      slug: fc.constantFrom("x", "y", "z")
    })
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), page: pick }) }
)
const scenario = fc.array(fc.record({ step, isProposed: fc.boolean() }), {
  minLength: 1,
  maxLength: 10,
  size: "max"
})

const inserted = (into: number) => ({
  isProposed: false,
  step: { do: "insert" as const, into, title: "alpha", body: "beta", hidden: false }
})
const chain = [inserted(0), inserted(1), inserted(1)]

/** Changes of a page that affect its whole subtree. */
const subtreeExamples: ReadonlyArray<[typeof scenario extends fc.Arbitrary<infer A> ? A : never]> = [
  [[...chain, { isProposed: false, step: { do: "rename", page: 0, slug: "x" } }]],
  [[...chain, { isProposed: true, step: { do: "hide", page: 0, hidden: true } }]]
]

type Pages = ReadonlyArray<ContentPage>

/** All pages of a tree, each with whether search returns it: neither the page nor an ancestor is hidden. */
const flattenPages = (pages: Pages, isFound = true): ReadonlyArray<{ page: ContentPage; isFound: boolean }> =>
  pages.flatMap((page) => {
    const here = isFound && !("hidden" in page && page.hidden === true)
    return [{ page, isFound: here }, ...flattenPages("pages" in page ? page.pages : [], here)]
  })

describe("the search index", () => {
  for (const { name, make, count } of [
    { ...memory, count: 40 },
    ...ruleDatabases.map((store) => ({ ...store, count: 12 }))
  ]) {
    it(`contains exactly the pages that are not hidden, by their text and path, after any sequence of changes, on ${name}`, {
      timeout: 300_000
    }, async () => {
      const server = await startServer(await make())
      try {
        const { call, spaceOf } = await setUp(server)
        await fc.assert(
          fc.asyncProperty(scenario, async (steps) => {
            const space = await spaceOf("Scenario")
            const at = `/spaces/${space}`
            const tree = async () =>
              flattenPages((await call<{ pages: Pages }>("GET", `${at}/content/pages`)).value.pages)
            for (const { step, isProposed } of steps) {
              const pages = await tree()
              const idAt = (index: number) => pages[index % Math.max(1, pages.length)]?.page.id
              const page = "page" in step ? idAt(step.page) : undefined
              if ("page" in step && page === undefined) continue
              const document = "body" in step ? { markdown: step.body } : undefined
              const title = "title" in step && step.title !== "" ? { title: step.title } : {}
              const change =
                step.do === "insert"
                  ? {
                      operation: "insert_page",
                      title: "Page",
                      ...title,
                      ...(step.into % 3 > 0 && idAt(step.into) !== undefined
                        ? { into: idAt(step.into) }
                        : {}),
                      ...(step.hidden ? { hidden: true } : {}),
                      document
                    }
                  : step.do === "write"
                    ? { operation: "update_page", page, ...title, document }
                    : step.do === "hide"
                      ? { operation: "update_page", page, hidden: step.hidden }
                      : step.do === "move"
                        ? { operation: "update_page", page, into: step.into % 3 > 0 ? idAt(step.into) : null }
                        : step.do === "rename"
                          ? { operation: "update_page", page, slug: step.slug }
                          : { operation: "delete_page", page }
              // Moving a page below itself is rejected and changes nothing.
              if (!isProposed) await call("POST", `${at}/content`, { changes: [change] })
              else {
                const { value } = await call<{ id: string }>("POST", `${at}/change-requests`, {})
                await call("POST", `${at}/change-requests/${value.id}/content`, { changes: [change] })
                expect((await call("POST", `${at}/change-requests/${value.id}/merge`)).status).toBe(200)
              }
            }
            const pages = await tree()
            const texts = new Map<string, string>()
            for (const { page } of pages) {
              const { value } = await call<{ title: string; markdown?: string }>(
                "GET",
                `${at}/content/page/${page.id}?format=markdown`
              )
              texts.set(page.id, ` ${value.title} ${value.markdown ?? ""} `.replace(/\s+/g, " "))
            }
            for (const word of vocabulary) {
              const expected = pages
                .map(({ page, isFound }) => ({ isFound, id: page.id, path: (page as { path: string }).path }))
                .filter(
                  ({ id, path, isFound }) =>
                    isFound && (texts.get(id)!.includes(` ${word} `) || path.split(/[/-]/).includes(word))
                )
                .map(({ id, path }) => [id, path])
              const { value } = await call<List<SearchPageResult>>(
                "GET",
                `${at}/search?${new URLSearchParams({ query: `"${word}"`, limit: "1000" })}`
              )
              expect([word, value.items.map(({ id, path }) => [id, path]).sort()]).toEqual([
                word,
                expected.sort()
              ])
            }
            const incremental = (await rowsOf(server)).filter((row) => row.space === space)
            await server.core.runtime.runPromise(
              Effect.flatMap(SearchIndex, (index) => index.rebuild(SpaceId.make(space)))
            )
            expect((await rowsOf(server)).filter((row) => row.space === space)).toEqual(incremental)
          }),
          { ...runs(count), examples: [...subtreeExamples] }
        )
      } finally {
        await server.close()
      }
    })

    it(`returns only pages that the caller can read, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const { organization, call, spaceOf, edit } = await setUp(server)
        const [open, closed, trashed] = [
          await spaceOf("Open"),
          await spaceOf("Closed"),
          await spaceOf("Trashed")
        ]
        for (const space of [open, closed, trashed]) {
          await edit(`/spaces/${space}`, [page("Secret", "The word is xyzzy.")])
        }
        await call("PATCH", `/spaces/${closed}`, { defaultLevel: null })
        const member = await server.core.createUser("member@example.com")
        await server.core.setMember(organization, member, "read")
        const theirs = caller(server, await server.tokenOf(member))
        const found = async (as: typeof call) =>
          (await as<List<SearchSpaceResult>>("GET", `/orgs/${organization}/search?query=xyzzy`)).value
        await call("DELETE", `/spaces/${trashed}`)
        expect((await found(call)).items.map(({ id }) => id).sort()).toEqual([open, closed].sort())
        expect(await found(theirs)).toMatchObject({ count: 1, items: [{ id: open }] })
        expect((await theirs("GET", `/spaces/${closed}/search?query=xyzzy`)).status).toBe(404)
        expect((await theirs("GET", `/spaces/${trashed}/search?query=xyzzy`)).status).toBe(404)
        await call("POST", `/spaces/${trashed}/restore`)
        expect((await found(call)).count).toBe(3)
        const stranger = caller(server, await server.tokenOf(await server.core.createUser("x@example.com")))
        expect((await stranger("GET", `/orgs/${organization}/search?query=xyzzy`)).status).toBe(404)

        // A background job indexes a copy.
        const { value: copy } = await call<Space>("POST", `/spaces/${open}/duplicate`)
        await drain(server)
        expect((await found(call)).items.map(({ id }) => id)).toContain(copy.id)
        expect(
          (await call<List<SearchPageResult>>("GET", `/spaces/${copy.id}/search?query=xyzzy`)).value.count
        ).toBe(1)
      } finally {
        await server.close()
      }
    })

    it(`paginates all pages that match, and rejects a cursor that it did not issue, on ${name}`, async () => {
      const { at, pages, call } = await startManyPages({ make })
      const seen: Array<string> = []
      let next: string | undefined
      do {
        const query = new URLSearchParams({
          query: "common",
          limit: "7",
          ...(next === undefined ? {} : { page: next })
        })
        const { value } = await call<List<SearchPageResult>>("GET", `${at}/search?${query}`)
        expect(value.count).toBe(45)
        seen.push(...value.items.map(({ title }) => title))
        next = value.next?.page
      } while (next !== undefined)
      expect([...seen].sort()).toEqual(pages.map(({ title }) => title).sort())
      for (const cursor of ["x", "eyJ4IjoxfQ"]) {
        expect((await call("GET", `${at}/search?query=common&page=${cursor}`)).status).toBe(400)
      }
      expect((await call<List<unknown>>("GET", `${at}/search?query=common&limit=0`)).value).toEqual({
        count: 45,
        items: []
      })
    })

    it(`accepts any query of 1 to 512 characters, on ${name}`, async () => {
      const { organization, at, call } = await startManyPages({ make })
      await fc.assert(
        fc.asyncProperty(operatorText, async (query) => {
          for (const place of [at, `/orgs/${organization}`]) {
            const { status } = await call("GET", `${place}/search?${new URLSearchParams({ query })}`)
            expect([query, status]).toEqual([query, Array.from(query).length > 512 ? 400 : 200])
          }
        }),
        runs(150)
      )
      expect((await call("GET", `${at}/search`)).status).toBe(400)
      expect((await call("GET", `${at}/search?query=${"x".repeat(513)}`)).status).toBe(400)
      expect((await call("GET", `${at}/search?query=${"x".repeat(512)}`)).status).toBe(200)
    })
  }
})

it("indexes a page that is costly to parse without sections if its outline cannot be parsed", async () => {
  const requestedKinds: Array<string> = []
  const rejectEverything: ConvertMarkdown = (kind) => {
    requestedKinds.push(kind)
    return Effect.fail(new NotReadable({ message: "points to content that is too complex" }))
  }
  const server = await startServer(
    Layer.provideMerge(MemoryStorage.layer(), Layer.succeed(MarkdownEngine, rejectEverything))
  )
  try {
    const { call, spaceOf, edit } = await setUp(server)
    const at = `/spaces/${await spaceOf("Long")}`
    await edit(at, [page("Long", `## Heading\n\n${"- word\n".repeat(3_000)}\nneedle`)])
    await edit(at, [page("Short", "## Heading\n\nneedle")])
    expect(requestedKinds).toEqual(["outline"])
    const { value } = await call<List<SearchPageResult>>("GET", `${at}/search?query=needle`)
    expect(
      new Map(value.items.map(({ title, sections }) => [title, sections.map((one) => one.title)]))
    ).toEqual(
      new Map([
        ["Long", ["Long"]],
        ["Short", ["Heading"]]
      ])
    )
  } finally {
    await server.close()
  }
})

describe("reusable contents", () => {
  it("are found in the pages that include them, also after they change", async () => {
    const server = await startServerOn(memory)
    const { call, spaceOf, edit } = await setUp(server)
    const at = `/spaces/${await spaceOf("Guide")}`
    await edit(at, [
      { operation: "insert_reusable_content", title: "Inner", document: { markdown: "innermost" } },
      {
        operation: "insert_reusable_content",
        title: "Outer",
        document: { markdown: '## Outer\n\nenclosing\n\n{% include "/.gitbook/includes/inner.md" %}' }
      },
      page("Source", 'Own.\n\n{% include "/.gitbook/includes/outer.md" %}'),
      page("Other", "Nothing.")
    ])
    const found = async (query: string) =>
      (await call<List<SearchPageResult>>("GET", `${at}/search?query=${query}`)).value.items.map(
        ({ title, sections }) => [title, ...sections!.map((section) => section.title)]
      )
    expect(await found("enclosing")).toEqual([["Source", "Outer"]])
    expect(await found("innermost")).toEqual([["Source", "Outer"]])
    const { reusableContents } = (
      await call<{ reusableContents: ReadonlyArray<{ id: string; title: string }> }>("GET", `${at}/content`)
    ).value
    const inner = reusableContents.find(({ title }) => title === "Inner")!.id
    await edit(at, [
      { operation: "update_reusable_content", reusableContent: inner, document: { markdown: "replaced" } }
    ])
    expect(await found("replaced")).toEqual([["Source", "Outer"]])
    expect(await found("innermost")).toEqual([])
    await edit(at, [{ operation: "delete_reusable_content", reusableContent: inner }])
    expect(await found("replaced")).toEqual([])
  })
})
