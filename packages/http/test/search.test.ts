/** Searching, as people do it: through the API, on every store. */
import type { SearchPageResult, SearchSpaceResult } from "@lectern/core"
import { describe, expect, it } from "vitest"
import { differences } from "./contract.ts"
import { memory, stores } from "./stores.ts"
import { startServer, type TestServer } from "./support.ts"

interface List<A> {
  readonly items: ReadonlyArray<A>
  readonly count: number
  readonly next?: { readonly page: string }
}

const caller =
  (server: TestServer, token: string) =>
  async <A>(method: string, path: string, body?: unknown): Promise<{ status: number; value: A }> => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await server.fetch(`/v1${path}`, { method, token, ...init })
    const text = await response.text()
    return { status: response.status, value: (text === "" ? undefined : JSON.parse(text)) as A }
  }

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

describe("search", () => {
  for (const { name, make } of [memory, ...stores]) {
    it(`finds what is written, in a space and in an organization, on ${name}`, {
      timeout: 60_000
    }, async () => {
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
          expect(differences("searchSpaceContent", 200, value)).toBeUndefined()
          expect(value.count).toBe(value.items.length)
          return value.items
        }
        const titles = async (query: string) => (await search(query)).map(({ title }) => title)
        for (const [query, expected] of [
          ["installation", ["Getting started"]],
          ["install npm", ["Getting started"]],
          ["npm insta", ["Getting started"]],
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
        expect(differences("searchOrganizationContent", 200, all.value)).toBeUndefined()
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
