/** Comparing the sites that a workspace shows with what the model knows. */
import assert from "node:assert/strict"
import type { Role } from "@lectern/core"
import { nthOf } from "../definition/choices.ts"
import { inFocus, type Observer, refusalOf } from "../definition/Step.ts"
import {
  groupsOf,
  isFlat,
  isGroup,
  type Leaf,
  leavesOf,
  publishedOn,
  type Section,
  type Site,
  sectionsOf
} from "../model/SiteModel.ts"
import { atLeast, type Refusal, type WorkspaceModel } from "../model/WorkspaceModel.ts"
import { compareItem, readAll } from "./TreeCompare.ts"

/** A site as it is shown. */
export interface ShownSite {
  readonly id: string
  readonly title: string
  readonly visibility: string
  readonly published: boolean
  readonly siteSpaces: number
  readonly features: ReadonlyArray<unknown>
  readonly urls: { readonly published?: string }
}

interface ShownLeaf {
  readonly id: string
  readonly path: string
  readonly section?: string
  readonly default: boolean
  readonly space: { readonly id: string; readonly urls: { readonly published?: string } }
  readonly urls: { readonly published?: string }
}

interface ShownSection {
  readonly id: string
  readonly object: string
  readonly path: string
  readonly default: boolean
  readonly siteSpaces: ReadonlyArray<ShownLeaf>
  readonly sections?: ReadonlyArray<ShownSection>
}

/** The whole of a site, as it is shown. */
export interface ShownStructure {
  readonly type: "sections" | "siteSpaces"
  readonly structure: ReadonlyArray<
    ShownSection & { readonly space?: { readonly id: string; readonly revision: string } }
  >
}

/** How getting at a site ends, for what needs a role in its organization. Guests see none. */
export const trySite = (
  model: WorkspaceModel,
  user: string,
  site: Site,
  organization: string,
  needed: Role
): Refusal | undefined => {
  const role = model.roleIn(user, organization)
  if (role === undefined || !atLeast(role, "read") || site.organization !== organization) return "NotFound"
  return atLeast(role, needed) ? undefined : "Forbidden"
}

/** What a site says of itself. */
export const compareSite = (model: WorkspaceModel, site: Site, shown: ShownSite): void => {
  assert.ok(model.sites.has(shown.id))
  assert.deepEqual(
    {
      id: shown.id,
      title: shown.title,
      visibility: shown.visibility,
      published: shown.published,
      siteSpaces: shown.siteSpaces,
      hasSections: shown.features.length > 0,
      hasAddress: shown.urls.published !== undefined
    },
    {
      id: site.id,
      title: site.title,
      visibility: site.visibility,
      published: site.published,
      siteSpaces: leavesOf(site).length,
      hasSections: sectionsOf(site).length > 0,
      hasAddress: site.published
    }
  )
}

const leafIs = (leaf: Leaf, standing: Leaf | undefined) => [leaf.id, leaf.space, leaf === standing]
const leafOf = ({ id, space, default: standing }: ShownLeaf) => [id, space.id, standing]

/** What stands where. */
const compareStructure = (site: Site, { type, structure }: ShownStructure): void => {
  const sectionIs = (section: Section) => ({
    id: section.id,
    default: section === site.default,
    siteSpaces: section.leaves.map((leaf) => leafIs(leaf, section.default))
  })
  const sectionOf = (section: ShownSection) => ({
    id: section.id,
    default: section.default,
    siteSpaces: section.siteSpaces.map(leafOf)
  })
  assert.equal(type, isFlat(site) ? "siteSpaces" : "sections")
  assert.deepEqual(
    type === "siteSpaces"
      ? (structure as unknown as ReadonlyArray<ShownLeaf>).map(leafOf)
      : structure.map((one) =>
          one.object === "site-section-group"
            ? { group: one.id, sections: one.sections!.map(sectionOf) }
            : sectionOf(one)
        ),
    isFlat(site)
      ? site.root.map((leaf) => leafIs(leaf, site.rootDefault))
      : site.top.map((one) =>
          isGroup(one) ? { group: one.group, sections: one.sections.map(sectionIs) } : sectionIs(one)
        )
  )
}

/** Paths are unique beside each other, and every address is one of its own while the site is published. */
const compareAddresses = (
  model: WorkspaceModel,
  site: Site,
  sections: ReadonlyArray<ShownSection>,
  leaves: ReadonlyArray<ShownLeaf>
): void => {
  const areUnique = (texts: ReadonlyArray<string | undefined>) => new Set(texts).size === texts.length
  assert.ok(areUnique(sections.map(({ path }) => path)), "paths of sections")
  for (const inside of Map.groupBy(leaves, ({ section }) => section).values()) {
    assert.ok(areUnique(inside.map(({ path }) => path)), "paths of site-spaces")
  }
  const addresses = leaves.map(({ urls }) => urls.published)
  if (site.published) assert.ok(areUnique(addresses), "addresses of site-spaces")
  else assert.ok(addresses.every((address) => address === undefined))
  for (const { space, urls } of leaves) {
    const where = publishedOn(model.sites.values(), space.id)
    // Of sites that are equally open it is at any of them.
    const isHere = where[0] === site && where[1]?.visibility !== site.visibility
    if (isHere) assert.equal(space.urls.published, urls.published, "the address of a space")
    else assert.equal(space.urls.published === undefined, where.length === 0)
  }
}

/** A site with all that it is made of. */
const compareWhole = async ({ api, model, user }: Observer, site: Site): Promise<void> => {
  const { organization, id } = site
  const refusal = trySite(model, user, site, organization, "read")
  const outcome = await api.call(user, ["publishedSites", "getStructure", [organization, id, {}]])
  assert.equal(refusalOf(outcome), refusal)
  if (!outcome.ok) return
  compareStructure(site, outcome.value as ShownStructure)

  const read = async <A>(service: "siteSections" | "siteSpaces" | "siteSectionGroups", filter = {}) => {
    const list = await readAll<A>(api, user, (page) => [
      service,
      "list",
      [organization, id, { ...page, ...filter }]
    ])
    assert.ok(typeof list !== "string", `listing failed with ${String(list)}`)
    return list
  }
  const sections = await read<ShownSection>("siteSections")
  assert.deepEqual(
    sections.map(({ id }) => id),
    sectionsOf(site).map(({ id }) => id)
  )
  const leaves = await read<ShownLeaf>("siteSpaces")
  assert.deepEqual(
    leaves.map(({ id }) => id),
    leavesOf(site).map(({ id }) => id)
  )
  for (const { space } of leaves) compareItem(model, user, space)
  const groups = await read<{ id: string }>("siteSectionGroups")
  assert.deepEqual(
    groups.map(({ id }) => id),
    groupsOf(site).map(({ group }) => group)
  )
  const opening = await read<ShownLeaf>("siteSpaces", { default: true })
  const standing = site.default === undefined ? site.rootDefault : site.default.default
  assert.deepEqual(
    opening.map(({ id }) => id),
    standing === undefined ? [] : [standing.id]
  )
  compareAddresses(model, site, sections, leaves)

  const links = await readAll<{ id: string; name: string; active: boolean }>(api, user, (page) => [
    "shareLinks",
    "list",
    [organization, id, page]
  ])
  const closed = trySite(model, user, site, organization, "create")
  if (closed !== undefined) assert.equal(links, closed)
  else {
    assert.ok(typeof links !== "string")
    assert.deepEqual(
      links.map(({ id, name, active }) => ({ id, name, active })),
      site.links.map(({ id, name, active }) => ({ id, name, active })).toReversed()
    )
  }
}

/** The sites of each organization, also those that a space is on, or that are published, and one of them as a whole. */
export const compareSites = async (observer: Observer): Promise<void> => {
  const { api, model, user, focus = 0 } = observer
  const all = [...model.sites.values()]
  const space = nthOf(
    all.flatMap((site) => leavesOf(site).map((leaf) => leaf.space)),
    focus
  )
  for (const organization of model.members.keys()) {
    const refusal = model.tryIn(user, organization, "read")
    for (const filter of [
      {},
      { published: nthOf([true, false], focus) },
      ...(space === undefined ? [] : [{ space }])
    ]) {
      const found = await readAll<ShownSite>(api, user, (page) => [
        "sites",
        "list",
        [organization, { ...page, ...filter }]
      ])
      if (refusal !== undefined) {
        assert.equal(found, refusal)
        continue
      }
      assert.ok(typeof found !== "string", `listing failed with ${String(found)}`)
      const expected = all.filter(
        (site) =>
          site.organization === organization &&
          (!("published" in filter) || site.published === filter.published) &&
          (!("space" in filter) || leavesOf(site).some((leaf) => leaf.space === filter.space))
      )
      assert.deepEqual(
        found.map(({ id }) => id),
        expected.map(({ id }) => id).toReversed()
      )
      for (const shown of found) compareSite(model, model.sites.get(shown.id)!, shown)
    }
  }
  for (const site of inFocus(all, observer.focus)) await compareWhole(observer, site)
}
