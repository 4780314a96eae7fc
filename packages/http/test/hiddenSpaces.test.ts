/** The view of a member of a site with a space that they cannot see. */
import { SiteEvents } from "@lectern/core"
import { OrganizationId } from "@lectern/model/organizations"
import { SiteId } from "@lectern/model/sites"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { callForBody } from "./caller.ts"
import { memory } from "./stores.ts"
import { startServerOn } from "./support.ts"

interface Resource {
  readonly id: string
}

const start = async () => {
  const server = await startServerOn(memory)
  const { core } = server
  const ada = await core.createUser("ada@example.com")
  const organization = await core.createOrganization("Acme", ada)
  const rita = await core.createUser("rita@example.com")
  await core.setMember(organization, rita, "read")
  const [adminToken, readerToken] = [await server.tokenOf(ada), await server.tokenOf(rita)]
  const call = <A>(method: string, path: string, body?: unknown, token = adminToken) =>
    callForBody<A>(server, token, method, path, body)
  const org = `/orgs/${organization}`
  const createSpace = async (title: string, defaultLevel?: null) => {
    const { id } = await call<Resource>("POST", `${org}/spaces`, { title })
    if (defaultLevel === null) await call("PATCH", `/spaces/${id}`, { defaultLevel })
    return id
  }
  const spaces = [await createSpace("Open"), await createSpace("Hidden", null)]
  const site = (await call<Resource>("POST", `${org}/sites`, { title: "Docs", spaces })).id
  await call("POST", `${org}/sites/${site}/publish`)
  return { server, organization, call, readerToken, spaces, site, at: `${org}/sites/${site}` }
}

interface SpaceOnSite {
  readonly space: Resource & {
    readonly changeRequests: number
    readonly gitSync?: unknown
    readonly permissions: { readonly view: boolean }
  }
}

it("a member sees of a hidden space on a site its published columns", async () => {
  const { call, readerToken, spaces, at } = await start()
  const [open, hidden] = spaces as [string, string]
  for (const space of [open, hidden])
    await call("POST", `/spaces/${space}/change-requests`, { subject: "A change" })
  const isCounted = async (token?: string) => {
    const { items } = await call<{ items: ReadonlyArray<SpaceOnSite> }>(
      "GET",
      `${at}/site-spaces`,
      undefined,
      token
    )
    const { structure } = await call<{ structure: ReadonlyArray<SpaceOnSite> }>(
      "GET",
      `${at}/structure`,
      undefined,
      token
    )
    expect(structure.map(({ space }) => space)).toEqual(items.map(({ space }) => space))
    return Object.fromEntries(items.map(({ space }) => [space.id, space.changeRequests]))
  }
  expect(await isCounted()).toEqual({ [open]: 1, [hidden]: 1 })
  expect(await isCounted(readerToken)).toEqual({ [open]: 1, [hidden]: 0 })
})

it("the insights of a site with a hidden space have numbers, and nothing that names content", async () => {
  const { server, organization, call, readerToken, site, at } = await start()
  const target = { organization: OrganizationId.make(organization), site: SiteId.make(site) }
  const page = "01m83ghra0000gpwgfbdt8nr3djq6g" as never
  await server.core.runtime.runPromise(
    Effect.gen(function* () {
      const events = yield* SiteEvents
      yield* events.recordView({ ...target, page, path: "hidden/secret-plan" })
      yield* events.recordRating({ ...target, page, path: "hidden/secret-plan", isGood: true })
      yield* events.recordMissed({ ...target, type: "not_found", subject: "hidden/secret-path" })
      yield* events.recordMissed({ ...target, type: "no_results", subject: "secret words" })
      yield* events.flush
    })
  )
  const aggregation = {
    select: [{ column: "url" }, { column: "eventsCount" }],
    groupBy: [{ column: "url" }],
    range: "last7Days"
  }
  const read = async (token?: string) => [
    await call<{ days: ReadonlyArray<{ views: number }> }>("GET", `${at}/insights?days=7`, undefined, token),
    await call("POST", `${at}/insights/events/aggregate`, aggregation, token)
  ]
  const all = JSON.stringify(await read())
  for (const secret of ["secret-plan", "secret-path", "secret words", page]) expect(all).toContain(secret)
  const [insights, aggregated] = (await read(readerToken)) as [
    { days: ReadonlyArray<{ views: number }> },
    object
  ]
  expect(JSON.stringify([insights, aggregated])).not.toMatch(/secret|01m83ghra0000gpwgfbdt8nr3djq6g/)
  expect(insights.days.at(-1)?.views).toBe(1)
})
