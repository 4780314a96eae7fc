/** Spaces in the trash: their sites omit them, and a restored space returns to its former place. */
import { Doctor, Spaces } from "@lectern/core"
import { runs } from "@lectern/harness"
import { Clock, Effect, Stream } from "effect"
import * as fc from "fast-check"
import { expect, it, onTestFinished } from "vitest"
import { startScene } from "./support/startScene.ts"

interface SiteSpace {
  readonly id: string
  readonly path: string
  readonly default: boolean
  readonly space: { readonly id: string; readonly urls: { readonly published?: string } }
}
interface Entry extends SiteSpace {
  readonly siteSpaces?: ReadonlyArray<SiteSpace>
}

const findings = Effect.gen(function* () {
  const all = yield* Stream.runCollect((yield* Doctor).findings)
  return all.map(({ check, table, row, message }) => `${check}: ${table} ${row} ${message}`)
})

const open = async () => {
  const host = await startScene()
  onTestFinished(() => host.server.close())
  const orgPath = `/v1/orgs/${host.organization}`
  const { call } = host
  const createSpace = async (title: string) =>
    (await call<{ id: string }>("POST", `${orgPath}/spaces`, { title })).id
  const run = <A, E, R>(effect: Effect.Effect<A, E, R>): Promise<A> =>
    host.server.core.runtime.runPromise(
      Effect.provideService(effect, Clock.Clock, host.server.core.clock) as Effect.Effect<A, E, never>
    )
  /** Creates a published site whose sections have spaces; without sections, its spaces are at the root. */
  const createSite = async (sections: ReadonlyArray<number>, isFlat: boolean) => {
    const { id } = await call<{ id: string }>("POST", `${orgPath}/sites`, { title: "Docs" })
    const path = `${orgPath}/sites/${id}`
    const spaces: Array<string> = []
    for (const [index, count] of sections.entries()) {
      let sectionId: string | undefined
      for (let at = 0; at < count; at++) {
        const spaceId = await createSpace(`Space ${index} ${at}`)
        spaces.push(spaceId)
        if (at === 0 && !isFlat) {
          const section = await call<{ id: string }>("POST", `${path}/sections`, { spaceId })
          sectionId = section.id
        } else await call("POST", `${path}/site-spaces`, { spaceId, ...(sectionId && { sectionId }) })
      }
    }
    await call("PATCH", path, { visibility: "public" })
    await call("POST", `${path}/publish`)
    return { path, spaces }
  }
  const structureOf = (path: string) =>
    call<{ structure: ReadonlyArray<Entry> }>("GET", `${path}/structure`).then(({ structure }) => structure)
  return { host, call, run, createSite, createSpace, structureOf }
}

const siteSpacesIn = (structure: ReadonlyArray<Entry>): ReadonlyArray<SiteSpace> =>
  structure.flatMap((entry) => entry.siteSpaces ?? ("space" in entry ? [entry] : []))

/** Everything of a structure that a restoration restores: the time of the change of a space is not. */
const comparable = (structure: unknown): unknown =>
  JSON.parse(JSON.stringify(structure, (key, value) => (key === "updatedAt" ? undefined : value)))

it("returns spaces to their places on sites when they are restored, in any order", async () => {
  const { call, run, createSite, structureOf } = await open()
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      async (sections, isFlat, chosen, isReversed) => {
        const { path, spaces } = await createSite(sections, isFlat)
        const trashed = [...new Set(chosen.map((one) => spaces[one % spaces.length]!))]
        const before = comparable(await structureOf(path))
        for (const space of trashed) await call("DELETE", `/v1/spaces/${space}`)
        const left = siteSpacesIn(await structureOf(path))
        expect(left.map(({ space }) => space.id).toSorted()).toEqual(
          spaces.filter((space) => !trashed.includes(space)).toSorted()
        )
        expect((await call<{ siteSpaces: number }>("GET", path)).siteSpaces).toBe(left.length)
        const seen = await call<{ structure: { structure: ReadonlyArray<Entry> } }>(
          "GET",
          `${path}/published`
        )
        const visible = siteSpacesIn(seen.structure.structure)
        expect(visible.map(({ space }) => space.id)).toEqual(left.map(({ space }) => space.id))
        const hasEmptySection = seen.structure.structure.some(({ siteSpaces }) => siteSpaces?.length === 0)
        expect(hasEmptySection).toBe(false)
        expect(await run(findings)).toEqual([])
        for (const space of isReversed ? trashed.toReversed() : trashed)
          await call("POST", `/v1/spaces/${space}/restore`)
        expect(comparable(await structureOf(path))).toEqual(before)
        expect(await run(findings)).toEqual([])
      }
    ),
    runs(10)
  )
})

it("returns a space to a site that was changed since, and keeps its customization", async () => {
  const { call, run, createSite, createSpace, structureOf } = await open()
  const { path, spaces } = await createSite([2], true)
  const [first, second] = spaces as [string, string]
  const own = siteSpacesIn(await structureOf(path)).find(({ space }) => space.id === first)!
  const customization = `${path}/site-spaces/${own.id}/customization`
  await call("PATCH", customization, { title: "Own title" })
  const customized = await call("GET", customization)
  await call("DELETE", `/v1/spaces/${first}`)
  const other = await call<SiteSpace>("POST", `${path}/site-spaces`, {
    spaceId: await createSpace("Space 0 0")
  })
  expect(other.path).toBe(own.path)
  await call("POST", `${path}/sections`, { spaceId: await createSpace("Another") })
  await call("POST", `/v1/spaces/${first}/restore`)
  const placed = siteSpacesIn(await structureOf(path))
  expect(placed.map(({ space }) => space.id)).toEqual(expect.arrayContaining([first, second]))
  const returned = placed.find(({ space }) => space.id === first)!
  expect(returned).toMatchObject({ id: own.id, default: false })
  expect(returned.path).not.toBe(own.path)
  expect(await call("GET", customization)).toEqual(customized)
  expect(await run(findings)).toEqual([])
})

it("removes a space from its sites when it is purged", async () => {
  const { host, call, run, createSite, structureOf } = await open()
  const { path, spaces } = await createSite([2, 1], false)
  await call("DELETE", `/v1/spaces/${spaces[0]}`)
  host.server.core.advance(8 * 24 * 60 * 60 * 1000)
  expect(await run(Effect.flatMap(Spaces, ({ purge }) => purge))).toBe(1)
  expect(siteSpacesIn(await structureOf(path)).map(({ space }) => space.id)).toEqual(spaces.slice(1))
  expect(await run(findings)).toEqual([])
})
