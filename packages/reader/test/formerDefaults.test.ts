/** URLs of pages remain when another section or another space becomes the default. */
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type PageServer, startPageServer } from "./support/scene.ts"

let server: PageServer

beforeAll(async () => {
  server = await startPageServer()
})
afterAll(() => server.close())

const as = () => server.workspace.as(server.user)

/** Creates a site whose sections have spaces; without sections, its spaces are at the root. Each space has pages of its own. */
const createSite = async (sections: ReadonlyArray<number>, isFlat: boolean) => {
  const { organization } = server
  const { id: site } = await as().sites.create({ organization, input: { title: "Docs" } })
  const target = { organization, site }
  const spaces: Array<string> = []
  for (const [index, count] of sections.entries()) {
    let section: string | undefined
    for (let at = 0; at < count; at++) {
      const title = `Space ${index} ${at}`
      const { id: spaceId } = await as().spaces.create({ organization, input: { title } })
      spaces.push(spaceId)
      const changes = ["Start", "Install"].map((page) => ({
        operation: "insert_page" as const,
        title: `${page} ${title}`,
        document: { markdown: "Text." }
      }))
      await as().content.edit({ content: { space: spaceId }, input: { changes } })
      if (at === 0 && !isFlat) {
        section = (await as().siteSections.add({ ...target, input: { spaceId } })).id
      } else {
        await as().siteSpaces.add({
          ...target,
          input: { spaceId, ...(section === undefined ? {} : { sectionId: section }) }
        })
      }
    }
  }
  await as().sites.publish(target)
  return { target, spaces }
}

type Site = Awaited<ReturnType<typeof createSite>>

/** The URL of a page of each space that the site displays. */
const addressesOf = async ({
  target
}: Site): Promise<ReadonlyArray<readonly [url: string, space: string]>> => {
  const { items } = await as().siteSpaces.list(target)
  return items.map(({ space, urls }) => [
    `${urls.published!}install-${space.title.toLowerCase().replaceAll(" ", "-")}`,
    space.id
  ])
}

const changesOf = fc.oneof(
  fc.record({ kind: fc.constant("trash" as const), index: fc.nat() }),
  fc.record({ kind: fc.constant("restore" as const), index: fc.nat() }),
  fc.record({ kind: fc.constant("space" as const), index: fc.nat() }),
  fc.record({ kind: fc.constant("section" as const), index: fc.nat() })
)

it("redirects the addresses that pages had while another section or space was the default", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 2 }),
      fc.boolean(),
      fc.array(changesOf, { minLength: 1, maxLength: 3 }),
      async (sections, isFlat, changes) => {
        const site = await createSite(sections, isFlat)
        const known = new Map<string, string>()
        const trashed = new Set<string>()
        const check = async () => {
          const current = await addressesOf(site)
          for (const [url, space] of current) known.set(url, space)
          for (const [url, space] of known) {
            if (trashed.has(space)) continue
            const response = await fetch(url)
            const canonical = current.find(([, id]) => id === space)![0]
            expect([url, response.status, response.url]).toEqual([url, 200, canonical])
            // A browser must not remember the redirect: the address can be that of the page again.
            if (url !== canonical) expect((await fetch(url, { redirect: "manual" })).status).toBe(307)
          }
        }
        await check()
        for (const { kind, index } of changes) {
          const { items } = await as().siteSpaces.list(site.target)
          if (kind === "trash") {
            const space = site.spaces[index % site.spaces.length]!
            // A site without spaces has no addresses.
            if (trashed.has(space) || items.length === 1) continue
            await as().spaces.remove({ space })
            trashed.add(space)
          } else if (kind === "restore") {
            const [space] = [...trashed].slice(index % Math.max(trashed.size, 1))
            if (space === undefined) continue
            await as().spaces.restore({ space })
            trashed.delete(space)
          } else if (kind === "space") {
            const section = isFlat
              ? undefined
              : (await as().siteSections.list(site.target)).items.find((one) => one.default)
            const inside = items.filter((one) => one.section === section?.id)
            if (inside.length === 0) continue
            const defaultSiteSpace = inside[index % inside.length]!.id
            await as().sites.update({ ...site.target, input: { defaultSiteSpace } })
          } else {
            const { items: all } = await as().siteSections.list(site.target)
            if (all.length === 0) continue
            const defaultSiteSection = all[index % all.length]!.id
            await as().sites.update({ ...site.target, input: { defaultSiteSection } })
          }
          await check()
        }
      }
    ),
    runs(6)
  )
})

it("redirects the root of a space that has become the default, and of one that was", async () => {
  const site = await createSite([2], true)
  const { items } = await as().siteSpaces.list(site.target)
  const [first, second] = [items.find((one) => one.default)!, items.find((one) => !one.default)!]
  const root = first.urls.published!
  expect((await fetch(second.urls.published!)).status).toBe(200)
  await as().sites.update({ ...site.target, input: { defaultSiteSpace: second.id } })
  const found = await fetch(`${root}${second.path}?a=1`, { redirect: "manual" })
  expect([found.status, new URL(found.headers.get("location")!, found.url).href]).toEqual([
    307,
    `${root}?a=1`
  ])
  expect((await fetch(`${root}unknown`)).status).toBe(404)
  expect((await fetch(`${root}${second.path}/unknown`)).status).toBe(404)
})
