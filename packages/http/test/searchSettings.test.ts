/** The pins and the boosts of a site in the results of its search. */
import { OrganizationId, SiteId, SiteSearch, SpaceId } from "@lectern/core"
import { runs } from "@lectern/harness"
import { Effect } from "effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { callForBody } from "./caller.ts"
import { memory } from "./stores.ts"
import { startServerOn } from "./support.ts"

const open = async () => {
  const server = await startServerOn(memory)
  const admin = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", admin)
  const token = await server.tokenOf(admin)
  const call = <A>(method: string, path: string, body?: unknown) =>
    callForBody<A>(server, token, method, path, body)
  const space = (await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, {})).id
  const site = (
    await call<{ id: string }>("POST", `/orgs/${organization}/sites`, { title: "Docs", spaces: [space] })
  ).id
  const path = `/orgs/${organization}/sites/${site}/customization`
  const customization = await call<object>("GET", path)
  const insert = async (...pages: ReadonlyArray<readonly [title: string, markdown: string]>) => {
    const changes = pages.map(([title, markdown]) => ({
      operation: "insert_page",
      title,
      document: { markdown }
    }))
    const result = await call<{ changes: ReadonlyArray<{ page: { id: string } }> }>(
      "POST",
      `/spaces/${space}/content`,
      { changes }
    )
    return result.changes.map(({ page }) => page.id)
  }
  const configure = (search: object) =>
    call("PUT", path, { ...customization, search: { synonyms: [], ...search } })
  const find = async (query: string, spaces = [space], limit = 1000) => {
    const { items } = await server.core.runtime.runPromise(
      Effect.flatMap(SiteSearch, ({ search }) =>
        search({
          organization: OrganizationId.make(organization),
          site: SiteId.make(site),
          spaces: spaces.map((id) => SpaceId.make(id)),
          claims: {},
          input: { query, limit }
        })
      )
    )
    return items.flatMap(({ pages }) => pages.map(({ title }) => title))
  }
  return { space, insert, configure, find, call, organization }
}

it("shows pinned pages first, in their order, for equal queries, to visitors who can see them", async () => {
  const { space, insert, configure, find, call, organization } = await open()
  const [, guide, prices, hidden] = await insert(
    ["Install", "Install it."],
    ["Guide", "Begin here."],
    ["Prices", "What it costs."],
    ["Secret", "{% if visitor.claims.one %}\nText\n{% endif %}"]
  )
  const other = (await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, {})).id
  await configure({
    pins: [
      { queries: ["Install!", "set up"], space, page: prices },
      { queries: ["install"], space, page: guide },
      { queries: ["install"], space: other, page: hidden },
      { queries: ["install"], space, page: "no-page" }
    ]
  })
  expect(await find("install")).toEqual(["Prices", "Guide", "Install"])
  expect(await find("ÍNSTALL")).toEqual(["Prices", "Guide", "Install"])
  expect(await find("set up")).toEqual(["Prices"])
  expect(await find("install it")).toEqual(["Install"])
  expect(await find("install", [])).toEqual([])
})

it("multiplies scores by boosts, below pages with all words", async () => {
  const { space, insert, configure, find } = await open()
  const [one, two, partial] = await insert(
    ["Alpha", "A window of functions."],
    ["Beta", "Functions in a window."],
    ["Window", "Only one word."]
  )
  for (const [first, second] of [
    [one, two],
    [two, one]
  ]) {
    await configure({
      boosts: [
        { space, page: first, weight: 10 },
        { space, page: partial, weight: 10 },
        { space, weight: 0.5 }
      ]
    })
    const names = { [one!]: "Alpha", [two!]: "Beta" }
    expect((await find("window functions")).slice(0, 2)).toEqual([names[first!], names[second!]])
  }
})

it("finds the same pages with any boosts and pins, each once", async () => {
  const { space, insert, configure, find } = await open()
  const ids = await insert(
    ...["Alpha window", "Beta functions", "Window functions", "Delta", "Functions of a window"].map(
      (title) => [title, `${title} text with window.`] as const
    )
  )
  const plain = (await find("window functions")).toSorted()
  const page = fc.constantFrom(...ids)
  const settings = fc.record({
    pins: fc.array(
      fc.record({ queries: fc.constant(["window functions"]), space: fc.constant(space), page }),
      { maxLength: 5 }
    ),
    boosts: fc.array(
      fc.record({ space: fc.constant(space), page, weight: fc.double({ min: 0.1, max: 10, noNaN: true }) }),
      { maxLength: 5 }
    )
  })
  await fc.assert(
    fc.asyncProperty(settings, async (search) => {
      await configure(search)
      const found = await find("window functions")
      const titles = new Map(ids.map((id, index) => [id, index]))
      const pinned = [...new Set(search.pins.map((pin) => titles.get(pin.page)!))]
      expect(new Set(found).size).toBe(found.length)
      expect(found.length).toBeGreaterThanOrEqual(plain.length)
      expect(pinned.length).toBeLessThanOrEqual(found.length)
      const names = ["Alpha window", "Beta functions", "Window functions", "Delta", "Functions of a window"]
      expect(found.slice(0, pinned.length)).toEqual(pinned.map((index) => names[index]))
    }),
    runs(20)
  )
})
