/** The content that search finds and the results that it shows, on every store. */
import {
  BackgroundWork,
  conditionProblems,
  markdownForVisitor,
  OrganizationId,
  type SearchPageResult,
  type SearchResults,
  SiteId,
  SiteSearch,
  SpaceId
} from "@lectern/core"
import { runs } from "@lectern/harness"
import { Clock, Effect } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { call as callServer } from "./caller.ts"
import { ruleStores, type stores } from "./stores.ts"
import { startServerOn } from "./support.ts"

type Results = SearchResults<SearchPageResult>

const page = (title: string, markdown: string, more: object = {}) => ({
  operation: "insert_page",
  title,
  document: { markdown },
  ...more
})

const start = async (store: (typeof stores)[number]) => {
  const server = await startServerOn(store)
  const admin = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", admin)
  const token = await server.tokenOf(admin)
  const call = async <A>(method: string, path: string, body?: unknown) => {
    const { status, value } = await callServer<A>(server, token, method, path, body)
    expect([path, status, status < 300 ? "" : value]).toEqual([path, expect.any(Number), ""])
    return value
  }
  const space = (await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, {})).id
  const edit = async (...changes: ReadonlyArray<unknown>) =>
    (
      await call<{ changes: ReadonlyArray<{ page: { id: string } }> }>("POST", `/spaces/${space}/content`, {
        changes
      })
    ).changes.map((change) => change.page?.id)
  const search = (query: string, more: Record<string, string> = {}) =>
    call<Results>("GET", `/spaces/${space}/search?${new URLSearchParams({ query, ...more })}`)
  const titles = async (query: string, more: Record<string, string> = {}) =>
    (await search(query, more)).items.map(({ title }) => title)
  const drain = () =>
    server.core.runtime.runPromise(
      Effect.provideService(
        Effect.flatMap(BackgroundWork, ({ drain }) => drain),
        Clock.Clock,
        server.core.clock
      )
    )
  return { server, organization, space, call, edit, search, titles, drain }
}

type Started = Awaited<ReturnType<typeof start>>

/** Searches as a visitor of a site with the space. */
const visitAll = (
  { server, organization, space }: Started,
  query: string,
  claims: Record<string, unknown> = {},
  site = "no-site"
) => {
  const input = { query, limit: 1000 }
  const spaces = [SpaceId.make(space)]
  const visited = { organization: OrganizationId.make(organization), site: SiteId.make(site), spaces }
  return server.core.runtime.runPromise(
    Effect.flatMap(SiteSearch, ({ search }) => search({ ...visited, claims, input }))
  )
}

/** Searches as a visitor, and returns the pages. */
const visit = async (...search: Parameters<typeof visitAll>) =>
  (await visitAll(...search)).items.flatMap(({ pages }) => pages)

const textIn = (text: string, ranges: ReadonlyArray<{ readonly start: number; readonly end: number }>) =>
  ranges.map(({ start, end }) => text.slice(start, end))

const words = ["alpha", "beta", "gamma", "delta"] as const

/** Markdown with conditional blocks, some of which are nested, are malformed or are not closed. */
const conditionalMarkdown = fc
  .array(
    fc.oneof(
      fc.constantFrom(...words),
      fc.constantFrom(...words.map((word) => `## ${word}`)),
      fc.constantFrom(
        "{% if visitor.claims.one %}",
        "{% if visitor.claims.two %}",
        "{% if (( %}",
        "{% endif %}",
        "{% endif %}"
      )
    ),
    { maxLength: 8 }
  )
  .map((lines) => lines.join("\n\n"))

const petstore = (path: string) =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    paths: {
      [path]: {
        get: {
          tags: ["Pets"],
          summary: "Fetch the aardvark",
          parameters: [{ name: "whiskers", in: "query", schema: { type: "string" } }],
          responses: { "200": { description: "Found" } }
        }
      }
    },
    components: { schemas: { Menagerie: { type: "object", properties: { size: { type: "integer" } } } } }
  })

for (const store of ruleStores) {
  describe(`search on ${store.name}`, () => {
    it("finds computed pages by operation, path, parameter and schema, of the current version of the spec", async () => {
      const { call, organization, edit, titles, drain } = await start(store)
      const specs = `/orgs/${organization}/openapi`
      const { id } = await call<{ id: string }>("POST", specs, {
        slug: "pets",
        source: { text: petstore("/pets/{paw}") }
      })
      const [, placeholder] = await edit(page("Other", "Text."), {
        operation: "insert_page",
        type: "computed",
        title: "API",
        computed: {
          type: "builtin:openapi",
          dependencies: { spec: { ref: { kind: "openapi", spec: id } } },
          props: { models: true }
        }
      })
      await drain()
      for (const query of ["aardvark", "/pets/{paw}", "whiskers"])
        expect([query, await titles(query)]).toEqual([query, ["Pets"]])
      expect(await titles("menagerie")).toEqual(["Models"])
      await call("PUT", `${specs}/pets`, { source: { text: petstore("/dogs/{tail}") } })
      await drain()
      expect([await titles('"paw"'), await titles('"tail"')]).toEqual([[], ["Pets"]])
      await edit({ operation: "update_page", page: placeholder, hidden: true })
      expect(await titles("aardvark")).toEqual([])
      await drain()
      expect(await titles("aardvark")).toEqual([])
      await edit({ operation: "update_page", page: placeholder, hidden: false })
      await drain()
      expect(await titles("aardvark")).toEqual(["Pets"])
      await call("DELETE", `${specs}/pets`)
      await drain()
      expect(await titles("aardvark")).toEqual([])
    })

    it("finds conditional content for visitors who meet the condition, and for members", async () => {
      const started = await start(store)
      const { call, edit, space, titles } = started
      await fc.assert(
        fc.asyncProperty(
          conditionalMarkdown,
          fc.record({ one: fc.boolean(), two: fc.boolean() }),
          async (markdown, claims) => {
            const existing = await call<{ pages: ReadonlyArray<{ id: string }> }>(
              "GET",
              `/spaces/${space}/content/pages`
            )
            for (const { id } of existing.pages) await edit({ operation: "delete_page", page: id })
            await edit(page("Page", markdown))
            const visible = markdownForVisitor(markdown, claims)
            // Content with conditions that are malformed or not closed may be withheld from visitors.
            const isWellFormed = conditionProblems(markdown).length === 0
            for (const word of words) {
              const found = await visit(started, word, claims)
              const isVisible = visible.includes(word)
              const count = isVisible && !isWellFormed ? found.length : isVisible ? 1 : 0
              expect([markdown, word, found.length]).toEqual([markdown, word, count])
              // Nor do the results show other words that the visitor cannot see.
              const shown = JSON.stringify(found)
              for (const other of words) {
                if (!visible.includes(other)) expect(shown).not.toContain(other)
              }
              expect((await titles(word)).length).toBe(markdown.includes(word) ? 1 : 0)
            }
          }
        ),
        { ...runs(store.name === "memory" ? 60 : 15) }
      )
    })

    it("finds captions, descriptions of images, titles of tabs, and parts of identifiers", async () => {
      const { edit, titles } = await start(store)
      await edit(
        page(
          "Blocks",
          '<figure><img src="/files/a" alt="Okapi"><figcaption><p>Quokka</p></figcaption></figure>\n\n{% tabs %}\n{% tab title="Wombat" %}\nText\n{% endtab %}\n{% endtabs %}'
        ),
        page("Identifiers", "Call `fs.readFile` with `LECTERN_DATABASE_URL` and `--dry-run`."),
        page("GitHub", "A host.")
      )
      for (const query of ["okapi", "quokka", "wombat"]) expect(await titles(query)).toEqual(["Blocks"])
      for (const query of [
        "fs.readFile",
        "readfile",
        "read file",
        "readFile",
        "database_url",
        "LECTERN_DATABASE_URL",
        "--dry-run"
      ]) {
        expect([query, await titles(query)]).toEqual([query, ["Identifiers"]])
      }
      expect(await titles('"hub"')).toEqual([])
    })

    it("does not find pages that are excluded from search", async () => {
      const { edit, titles } = await start(store)
      const [id] = await edit(page("Excluded", "Needle.", { noIndex: true }), page("Included", "Needle."))
      expect(await titles("needle")).toEqual(["Included"])
      await edit({ operation: "update_page", page: id, noIndex: false })
      expect((await titles("needle")).toSorted()).toEqual(["Excluded", "Included"])
    })

    it("returns highlights, anchors, breadcrumbs and icons", async () => {
      const { edit, search } = await start(store)
      const [parent] = await edit(page("Guides", "", { emoji: "1f4d6" }))
      const markdown = `Intro.\n\n## Configuring readFile\n\n${"Filler text. ".repeat(60)}The **options** of a café configure it.`
      const [id] = await edit(page("Options", markdown, { into: parent, icon: "gear" }))
      const { items } = await search("configure options cafe read")
      expect(items).toMatchObject([
        {
          id,
          icon: "gear",
          breadcrumbs: [{ id: parent, title: "Guides", emoji: "1f4d6" }],
          sections: [{ id: `${id}#configuring-readfile`, title: "Configuring readFile" }]
        }
      ])
      const [result] = items
      const [section] = result!.sections
      expect(textIn(result!.title, result!.titleHighlights)).toEqual(["Options"])
      expect(textIn(section!.title, section!.titleHighlights)).toEqual(["Configuring", "readFile"])
      expect(textIn(section!.body, section!.bodyHighlights)).toEqual(["options", "café", "configure"])
      expect(section!.body).not.toContain("*")
      await edit({ operation: "update_page", page: parent, title: "Manuals", icon: "book" })
      expect((await search("options")).items[0]!.breadcrumbs).toMatchObject([
        { title: "Manuals", icon: "book" }
      ])
    })

    it("suggests pages by their titles and headings while the query is typed", async () => {
      const { edit, titles, search } = await start(store)
      await edit(
        page("Configuration", "Text."),
        page("Reference", "## Configurable values\n\nText."),
        page("Other", "The configuration in the text.")
      )
      for (const query of ["c", "conf", "configura"]) {
        expect([query, await titles(query, { prefix: "true" })]).toEqual([
          query,
          ["Configuration", "Reference"]
        ])
      }
      expect(await titles("configurati", { prefix: "true" })).toContain("Configuration")
      for (const { sections } of (await search("conf", { prefix: "true" })).items)
        expect(sections).toEqual([])
    })

    it("returns the query with corrected spelling", async () => {
      const started = await start(store)
      const { edit, search } = started
      await edit(page("Window functions", "They compute values over rows."))
      const misspelled = await search("Window functon")
      expect(misspelled).toMatchObject({ didYouMean: "Window functions", count: 1 })
      expect(await search("window functions")).not.toHaveProperty("didYouMean")
      // A word that the visitor cannot see is not suggested.
      await edit(page("Animals", "alpha\n\n{% if visitor.claims.one %}\nwombats\n{% endif %}"))
      expect(await search("wombasts alpha")).toMatchObject({ didYouMean: "wombats alpha" })
      const correctionFor = async (claims: Record<string, unknown>) =>
        (await visitAll(started, "wombasts alpha", claims)).didYouMean
      expect([await correctionFor({}), await correctionFor({ one: true })]).toEqual([
        undefined,
        "wombats alpha"
      ])
    })

    it("finds synonyms on the sites that declare them", async () => {
      const started = await start(store)
      const { edit, organization, space, call } = started
      await edit(page("Cluster", "Kubernetes runs it."), page("Login", "Use single sign-on."))
      const at = `/orgs/${organization}/sites`
      const site = await call<{ id: string }>("POST", at, { title: "Docs", spaces: [space] })
      const customization = await call<object>("GET", `${at}/${site.id}/customization`)
      const synonyms = [
        ["k8s", "kubernetes"],
        ["SSO", "single sign-on"]
      ]
      await call("PUT", `${at}/${site.id}/customization`, { ...customization, search: { synonyms } })
      const found = async (query: string, id = site.id) =>
        (await visit(started, query, {}, id)).map(({ title }) => title)
      expect([await found("k8s"), await found("sso"), await found("sso", "other")]).toEqual([
        ["Cluster"],
        ["Login"],
        []
      ])
    })

    it("ranks titles above headings, headings above text, text above code, and any other match last", async () => {
      const { edit, titles } = await start(store)
      const ranked = [
        page("Window functions", ""),
        page("Window functions of aggregates", ""),
        page("Functions that have a window", ""),
        page("One", "## Window functions"),
        page("Two", "## Calls of window functions"),
        page("Three", "Text with window functions."),
        page("Four", "```\nwindow functions\n```"),
        page("Five", `A window. ${"Filler ".repeat(100)} functions.`)
      ]
      await edit(...ranked.toReversed(), page("Other", "A window."))
      expect(await titles("window functions")).toEqual(ranked.map(({ title }) => title))
    })

    it("ranks exact titles first, then titles that start with the query, above any number of other matches", async () => {
      const { edit, titles } = await start(store)
      const others = Array.from({ length: 70 }, (_, index) =>
        page(`Functions of windows ${index}`, "Window functions. ".repeat(index % 5))
      )
      await edit(...others.slice(0, 35))
      await edit(
        ...others.slice(35),
        page("Window functions", ""),
        page(`Window functions and a long title ${"word ".repeat(20)}`, "")
      )
      const found = await titles("window functions", { limit: "2" })
      expect(found.map((title) => title.slice(0, 20))).toEqual(["Window functions", "Window functions and"])
    })
  })
}
