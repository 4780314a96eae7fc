/** How sites are put together: whatever is done to one, it is what a plain model of lists says. */
import type { Site, SiteSection, SiteSectionGroup, SiteSpace, SiteStructure, Space } from "@lectern/core"
import { runs } from "@lectern/testkit"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { call as send } from "./caller.ts"
import { memory, stores } from "./stores.ts"
import { startServer, type TestServer } from "./support.ts"

/** A site as plainly as it can be said: lists of lists, and which of them is the default. */
interface Leaf {
  readonly space: string
}
interface Section {
  readonly id: string
  leaves: Array<Leaf>
  default: Leaf | undefined
}
interface Group {
  readonly group: string
  sections: Array<Section>
}
interface Model {
  root: Array<Leaf>
  rootDefault: Leaf | undefined
  top: Array<Section | Group>
  default: Section | undefined
}

const isGroup = (one: Section | Group): one is Group => "group" in one
const allSections = (model: Model) => model.top.flatMap((one) => (isGroup(one) ? one.sections : [one]))
const allLeaves = (model: Model) => [...model.root, ...allSections(model).flatMap(({ leaves }) => leaves)]

/** Takes one out of a list, and answers what stands in for it where it was the default. */
const drop = <A>(list: Array<A>, one: A, standing: A | undefined): A | undefined => {
  const index = list.indexOf(one)
  list.splice(index, 1)
  return standing === one ? (list[index] ?? list[index - 1]) : standing
}

const pick = fc.nat({ max: 100 })
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("addSpace" as const), space: pick, section: pick }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("addSection" as const), space: pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("addGroup" as const), one: pick, other: pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("intoGroup" as const), section: pick, group: pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("outOfGroup" as const), section: pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("moveSection" as const),
      section: pick,
      beside: pick,
      after: fc.boolean()
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("moveGroup" as const),
      group: pick,
      beside: pick,
      after: fc.boolean()
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("moveSpace" as const),
      leaf: pick,
      beside: pick,
      after: fc.boolean()
    })
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("removeSection" as const), section: pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("removeGroup" as const), group: pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("removeSpace" as const), leaf: pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("deleteSpace" as const), space: pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("setDefault" as const), leaf: pick, section: pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("publish" as const), published: fc.boolean() }) }
)
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

/** Stories that once went wrong: a site-space of the default section had the address of another section. */
const told: ReadonlyArray<ReadonlyArray<Step>> = [
  [
    { do: "addSpace", space: 2, section: 0 },
    { do: "addSpace", space: 0, section: 0 },
    { do: "publish", published: true },
    { do: "addSection", space: 1 }
  ]
]

const at = <A>(list: ReadonlyArray<A>, index: number): A | undefined => list[index % Math.max(1, list.length)]

/** The site of a story, with what it takes to play it. */
const setUp = async (server: TestServer, name: string) => {
  const admin = await server.core.createUser(`${name}@example.com`)
  const organization = await server.core.createOrganization(name, admin)
  const token = await server.tokenOf(admin)
  const call = <A>(method: string, path: string, body?: unknown) => send<A>(server, token, method, path, body)
  const spaces: Array<string> = []
  // Two of them have the same title, and one has none that could be a path.
  for (const title of ["Guide", "Guide", "API", "???", "Blog", "Handbook"]) {
    const { value } = await call<Space>("POST", `/orgs/${organization}/spaces`, { title })
    spaces.push(value.id)
  }
  const { value: site } = await call<Site>("POST", `/orgs/${organization}/sites`, { title: "Docs" })
  return { call, spaces, at: `/orgs/${organization}/sites/${site.id}` }
}
type World = Awaited<ReturnType<typeof setUp>>

/** What is the same of a site and of its model. */
const compare = async ({ call, at, spaces }: World, model: Model, published: boolean) => {
  const { value: structure } = await call<SiteStructure>("GET", `${at}/structure`)
  const shownLeaf = (leaf: Leaf, standing: Leaf | undefined) => [leaf.space, leaf === standing]
  const shownSection = (section: Section) => ({
    id: section.id,
    default: section === model.default,
    siteSpaces: section.leaves.map((leaf) => shownLeaf(leaf, section.default))
  })
  const leafOf = ({ space, default: standing }: SiteSpace) => [space.id, standing]
  const sectionOf = (section: SiteSection) => ({
    id: section.id,
    default: section.default,
    siteSpaces: section.siteSpaces.map(leafOf)
  })
  const shown =
    structure.type === "siteSpaces"
      ? structure.structure.map(leafOf)
      : structure.structure.map((one) =>
          one.object === "site-section"
            ? sectionOf(one)
            : { group: one.id, sections: (one as SiteSectionGroup).sections.map(sectionOf) }
        )
  const isFlat = allSections(model).length === 0 && (model.top.length === 0 || model.root.length > 0)
  expect(shown).toEqual(
    isFlat
      ? model.root.map((leaf) => shownLeaf(leaf, model.rootDefault))
      : model.top.map((one) =>
          isGroup(one) ? { group: one.group, sections: one.sections.map(shownSection) } : shownSection(one)
        )
  )

  // The lists are the same, and so are their pages.
  const listed = async <A>(path: string): Promise<ReadonlyArray<A>> => {
    const items: Array<A> = []
    let page: string | undefined
    do {
      const query = new URLSearchParams({ limit: "2", ...(page === undefined ? {} : { page }) })
      const { value } = await call<{ items: ReadonlyArray<A>; count: number; next?: { page: string } }>(
        "GET",
        `${at}/${path}${path.includes("?") ? "&" : "?"}${query}`
      )
      items.push(...value.items)
      page = value.next?.page
      if (page === undefined) expect(value.count).toBe(items.length)
    } while (page !== undefined)
    return items
  }
  const sections = await listed<SiteSection>("sections")
  expect(sections.map(({ id }) => id)).toEqual(allSections(model).map(({ id }) => id))
  const siteSpaces = await listed<SiteSpace>("site-spaces")
  expect(siteSpaces.map(({ space }) => space.id)).toEqual(allLeaves(model).map(({ space }) => space))
  const groups = await listed<SiteSectionGroup>("section-groups")
  expect(groups.map(({ id }) => id)).toEqual(model.top.filter(isGroup).map(({ group }) => group))
  const opening = await listed<SiteSpace>("site-spaces?default=true")
  const standing = isFlat ? model.rootDefault : model.default?.default
  expect(opening.map(({ space }) => space.id)).toEqual(standing === undefined ? [] : [standing.space])

  // Paths are unique beside each other, and every address is one of its own while the site is published.
  const paths = sections.map(({ path }) => path)
  expect(new Set(paths).size).toBe(paths.length)
  for (const inside of Map.groupBy(siteSpaces, ({ section }) => section).values()) {
    expect(new Set(inside.map(({ path }) => path)).size).toBe(inside.length)
  }
  const addresses = siteSpaces.map(({ urls }) => urls.published)
  if (published) expect(new Set(addresses).size).toBe(addresses.length)
  else expect(addresses.every((address) => address === undefined)).toBe(true)

  // A space is published where it is on the site, and its visibility says so.
  const byId = new Map<string, string | undefined>(
    siteSpaces.map(({ space, urls }) => [space.id, urls.published])
  )
  for (const id of spaces) {
    const { value: space } = await call<Space>("GET", `/spaces/${id}`)
    expect([id, space.urls.published, space.visibility]).toEqual([
      id,
      byId.get(id),
      byId.get(id) === undefined ? "private" : "public"
    ])
  }
  const { value: site } = await call<Site>("GET", at)
  expect([site.siteSpaces, site.published, site.features.length]).toEqual([
    siteSpaces.length,
    published,
    sections.length === 0 ? 0 : 1
  ])
}

const play = async (server: TestServer, name: string, steps: ReadonlyArray<Step>) => {
  const world = await setUp(server, name)
  const { call, spaces } = world
  const model: Model = { root: [], rootDefault: undefined, top: [], default: undefined }
  const deleted = new Set<string>()
  let published = false

  const free = (space: string) =>
    !deleted.has(space) && !allLeaves(model).some((leaf) => leaf.space === space)
  const listOf = (section: Section) =>
    model.top.find((one): one is Group => isGroup(one) && one.sections.includes(section))
  const leafIds = async () => {
    const { value } = await call<{ items: ReadonlyArray<SiteSpace> }>(
      "GET",
      `${world.at}/site-spaces?limit=1000`
    )
    return new Map<string, string>(value.items.map(({ id, space }) => [space.id, id]))
  }
  const takeLeaf = (leaf: Leaf) => {
    if (model.root.includes(leaf)) model.rootDefault = drop(model.root, leaf, model.rootDefault)
    for (const section of allSections(model)) {
      if (section.leaves.includes(leaf)) section.default = drop(section.leaves, leaf, section.default)
    }
  }
  const takeSection = (section: Section) => {
    const order = allSections(model)
    model.default = drop([...order], section, model.default)
    const group = listOf(section)
    const list: Array<Section | Group> = group === undefined ? model.top : group.sections
    list.splice(list.indexOf(section), 1)
  }

  for (const step of steps) {
    const sections = allSections(model)
    const groups = model.top.filter(isGroup)
    const leaves = allLeaves(model)
    switch (step.do) {
      case "addSpace": {
        const space = at(spaces, step.space)!
        const section = step.section % 3 === 0 ? undefined : at(sections, step.section)
        const into = section ?? model.default
        const { status } = await call("POST", `${world.at}/site-spaces`, {
          spaceId: space,
          ...(section === undefined ? {} : { sectionId: section.id })
        })
        expect(status).toBe(free(space) ? 201 : 409)
        if (!free(space)) break
        const leaf = { space }
        if (into === undefined) {
          model.root.push(leaf)
          model.rootDefault ??= leaf
        } else {
          into.leaves.push(leaf)
          into.default ??= leaf
        }
        break
      }
      case "addSection": {
        const space = at(spaces, step.space)!
        const { status, value } = await call<SiteSection>("POST", `${world.at}/sections`, { spaceId: space })
        expect(status).toBe(free(space) ? 201 : 409)
        if (!free(space)) break
        const leaf = { space }
        const section = { id: value.id, leaves: [leaf], default: leaf }
        if (model.root.length > 0) {
          const { value: all } = await call<{ items: ReadonlyArray<SiteSection> }>(
            "GET",
            `${world.at}/sections`
          )
          expect(all.items[0]!.title).toBe("Docs")
          const wrapped = { id: all.items[0]!.id, leaves: model.root, default: model.rootDefault }
          model.root = []
          model.rootDefault = undefined
          model.top.push(wrapped)
          model.default = wrapped
        }
        model.top.push(section)
        model.default ??= section
        break
      }
      case "addGroup": {
        const inside = [...new Set([at(sections, step.one), at(sections, step.other)])].filter(
          (one) => one !== undefined
        )
        const { value } = await call<SiteSectionGroup>("POST", `${world.at}/section-groups`, {
          title: "Group",
          sections: inside.map(({ id }) => id)
        })
        for (const section of inside) {
          const list: Array<Section | Group> = listOf(section)?.sections ?? model.top
          list.splice(list.indexOf(section), 1)
        }
        model.top.push({ group: value.id, sections: inside })
        break
      }
      case "intoGroup": {
        const [section, group] = [at(sections, step.section), at(groups, step.group)]
        if (section === undefined || group === undefined) break
        await call("POST", `${world.at}/section-groups/${group.group}/sections`, { sectionId: section.id })
        const list: Array<Section | Group> = listOf(section)?.sections ?? model.top
        list.splice(list.indexOf(section), 1)
        group.sections.push(section)
        break
      }
      case "outOfGroup": {
        const section = at(sections, step.section)
        const group = section === undefined ? undefined : listOf(section)
        if (section === undefined || group === undefined) break
        await call("DELETE", `${world.at}/section-groups/${group.group}/sections/${section.id}`)
        group.sections.splice(group.sections.indexOf(section), 1)
        model.top.splice(model.top.indexOf(group) + 1, 0, section)
        break
      }
      case "moveSection": {
        const [section, beside] = [at(sections, step.section), at(sections, step.beside)]
        if (section === undefined || beside === undefined) break
        const pointer = { type: "site-section", siteSection: beside.id }
        const { status } = await call("POST", `${world.at}/sections/${section.id}/move`, {
          position: step.after ? { after: pointer } : { before: pointer }
        })
        const list: Array<Section | Group> = listOf(section)?.sections ?? model.top
        const isBeside = section !== beside && list.includes(beside)
        expect(status).toBe(isBeside ? 200 : 400)
        if (!isBeside) break
        list.splice(list.indexOf(section), 1)
        list.splice(list.indexOf(beside) + (step.after ? 1 : 0), 0, section)
        break
      }
      case "moveGroup": {
        const [group, beside] = [at(groups, step.group), at(model.top, step.beside)]
        if (group === undefined || beside === undefined) break
        const pointer = isGroup(beside)
          ? { type: "site-section-group", id: beside.group }
          : { type: "site-section", id: beside.id }
        const { status } = await call("POST", `${world.at}/section-groups/${group.group}/move`, {
          position: step.after ? { after: pointer } : { before: pointer }
        })
        expect(status).toBe(group === beside ? 400 : 200)
        if (group === beside) break
        model.top.splice(model.top.indexOf(group), 1)
        model.top.splice(model.top.indexOf(beside) + (step.after ? 1 : 0), 0, group)
        break
      }
      case "moveSpace": {
        const [leaf, beside] = [at(leaves, step.leaf), at(leaves, step.beside)]
        if (leaf === undefined || beside === undefined) break
        const ids = await leafIds()
        const pointer = { type: "site-space", siteSpace: ids.get(beside.space) }
        const { status } = await call("POST", `${world.at}/site-spaces/${ids.get(leaf.space)}/move`, {
          position: step.after ? { after: pointer } : { before: pointer }
        })
        const list = [model.root, ...sections.map(({ leaves }) => leaves)].find((one) => one.includes(leaf))!
        const isBeside = leaf !== beside && list.includes(beside)
        expect(status).toBe(isBeside ? 200 : 400)
        if (!isBeside) break
        list.splice(list.indexOf(leaf), 1)
        list.splice(list.indexOf(beside) + (step.after ? 1 : 0), 0, leaf)
        break
      }
      case "removeSection": {
        const section = at(sections, step.section)
        if (section === undefined) break
        await call("DELETE", `${world.at}/sections/${section.id}`)
        takeSection(section)
        break
      }
      case "removeGroup": {
        const group = at(groups, step.group)
        if (group === undefined) break
        await call("DELETE", `${world.at}/section-groups/${group.group}`)
        model.top.splice(model.top.indexOf(group), 1, ...group.sections)
        break
      }
      case "removeSpace": {
        const leaf = at(leaves, step.leaf)
        if (leaf === undefined) break
        await call("DELETE", `${world.at}/site-spaces/${(await leafIds()).get(leaf.space)}`)
        takeLeaf(leaf)
        break
      }
      case "deleteSpace": {
        const space = at(spaces, step.space)!
        // One that comes back from the bin is on no site.
        await call("DELETE", `/spaces/${space}`)
        await call("POST", `/spaces/${space}/restore`)
        const leaf = leaves.find((one) => one.space === space)
        if (leaf !== undefined) takeLeaf(leaf)
        break
      }
      case "setDefault": {
        const leaf = at(leaves, step.leaf)
        const section = at(sections, step.section)
        if (leaf !== undefined) {
          const home = sections.find(({ leaves }) => leaves.includes(leaf))
          const id = (await leafIds()).get(leaf.space)
          const answer =
            home === undefined
              ? await call("PATCH", world.at, { defaultSiteSpace: id })
              : await call("PATCH", `${world.at}/sections/${home.id}`, { defaultSiteSpace: id })
          expect(answer.status).toBe(200)
          if (home === undefined) model.rootDefault = leaf
          else home.default = leaf
        }
        if (section !== undefined) {
          await call("PATCH", world.at, { defaultSiteSection: section.id })
          model.default = section
        }
        break
      }
      case "publish": {
        published = step.published
        await call("POST", `${world.at}/${published ? "publish" : "unpublish"}`)
        break
      }
    }
    await compare(world, model, published)
  }
}

describe("a site is what the model says, whatever is done to it", () => {
  for (const { name, make, count } of [
    { ...memory, count: 60 },
    ...stores.map((store, index) => ({ ...store, count: index === 0 ? 15 : 6 }))
  ]) {
    it(`on ${name}`, { timeout: 300_000 }, async () => {
      const server = await startServer(await make())
      try {
        let stories = 0
        await fc.assert(
          fc.asyncProperty(fc.array(step, { maxLength: 14, size: "max" }), (steps) =>
            play(server, `story-${stories++}`, steps)
          ),
          { ...runs(count), examples: told.map((steps) => [[...steps]]) }
        )
      } finally {
        await server.close()
      }
    })
  }
})
