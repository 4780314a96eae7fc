/** Compares the sites of a workspace with the model. */
import assert from "node:assert/strict"
import { Policy, type Role } from "@lectern/core"
import { nthOf } from "../definition/choices.ts"
import { errorTagOf, type Observer, selectFocused } from "../definition/Step.ts"
import {
  groupsOf,
  isFlat,
  isGroup,
  publishedSitesWith,
  type Section,
  type Site,
  type SiteSpace,
  sectionsOf,
  siteSpacesOf
} from "../state/SiteModel.ts"
import { type ErrorTag, hasRole, type WorkspaceModel } from "../state/WorkspaceModel.ts"
import { compareItem, readAllPages } from "./TreeCompare.ts"

/** The resource of a site, as the workspace returns it. */
export interface ShownSite {
  readonly id: string
  readonly title: string
  readonly visibility: string
  readonly published: boolean
  readonly siteSpaces: number
  readonly features: ReadonlyArray<unknown>
  readonly permissions: unknown
  readonly urls: { readonly published?: string }
}

interface ShownSiteSpace {
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
  readonly siteSpaces: ReadonlyArray<ShownSiteSpace>
  readonly sections?: ReadonlyArray<ShownSection>
}

interface ShownRole {
  readonly permission: Role
  readonly origin: { readonly type: string }
  readonly user: { readonly id: string }
}

/** The structure of a site, as the workspace returns it. */
export interface ShownStructure {
  readonly type: "sections" | "siteSpaces"
  readonly structure: ReadonlyArray<
    ShownSection & { readonly space?: { readonly id: string; readonly revision: string } }
  >
}

/** Predicts the error of an action on a site that requires a role on it. */
export const siteError = (
  model: WorkspaceModel,
  user: string,
  site: Site,
  organization: string,
  needed: Role
): ErrorTag | undefined => {
  const role = model.roleOnSite(user, site)
  if (!hasRole(role, "read") || site.organization !== organization) return "NotFound"
  return hasRole(role, needed) ? undefined : "Forbidden"
}

/** Compares the resource of a site with the model. */
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
      siteSpaces: siteSpacesOf(site).length,
      hasSections: sectionsOf(site).length > 0,
      hasAddress: site.published
    }
  )
}

const expectedSiteSpace = (siteSpace: SiteSpace, standing: SiteSpace | undefined) => [
  siteSpace.id,
  siteSpace.space,
  siteSpace === standing
]
const shownSiteSpace = ({ id, space, default: standing }: ShownSiteSpace) => [id, space.id, standing]

/** Compares the structure of a site with the model: sections, groups, spaces, their order and defaults. */
const compareStructure = (site: Site, { type, structure }: ShownStructure): void => {
  const expectedSection = (section: Section) => ({
    id: section.id,
    default: section === site.default,
    siteSpaces: section.siteSpaces.map((siteSpace) => expectedSiteSpace(siteSpace, section.default))
  })
  const shownSection = (section: ShownSection) => ({
    id: section.id,
    default: section.default,
    siteSpaces: section.siteSpaces.map(shownSiteSpace)
  })
  assert.equal(type, isFlat(site) ? "siteSpaces" : "sections")
  assert.deepEqual(
    type === "siteSpaces"
      ? (structure as unknown as ReadonlyArray<ShownSiteSpace>).map(shownSiteSpace)
      : structure.map((one) =>
          one.object === "site-section-group"
            ? { group: one.id, sections: one.sections!.map(shownSection) }
            : shownSection(one)
        ),
    isFlat(site)
      ? site.root.map((siteSpace) => expectedSiteSpace(siteSpace, site.rootDefault))
      : site.topLevel.map((one) =>
          isGroup(one)
            ? { group: one.group, sections: one.sections.map(expectedSection) }
            : expectedSection(one)
        )
  )
}

/** Returns the lists of site-spaces of a structure: the list of the root, or the lists of the sections with their ids. */
export const siteSpaceLists = ({ type, structure }: ShownStructure) =>
  type === "siteSpaces"
    ? [{ section: undefined, siteSpaces: structure as unknown as ReadonlyArray<ShownSiteSpace> }]
    : structure
        .flatMap((one) => one.sections ?? (one.object === "site-section" ? [one] : []))
        .map((section) => ({ section: section.id, siteSpaces: section.siteSpaces }))

/** Compares the URLs of a site: paths are unique among siblings, and published URLs are unique on the site. */
const compareAddresses = (
  { model, user }: Observer,
  site: Site,
  sections: ReadonlyArray<ShownSection>,
  siteSpaces: ReadonlyArray<ShownSiteSpace>
): void => {
  const areUnique = (texts: ReadonlyArray<string | undefined>) => new Set(texts).size === texts.length
  assert.ok(areUnique(sections.map(({ path }) => path)), "paths of sections must be unique")
  for (const inside of Map.groupBy(siteSpaces, ({ section }) => section).values()) {
    assert.ok(areUnique(inside.map(({ path }) => path)), "paths of site-spaces must be unique")
  }
  const addresses = siteSpaces.map(({ urls }) => urls.published)
  if (site.published) assert.ok(areUnique(addresses), "URLs of site-spaces must be unique")
  else assert.ok(addresses.every((address) => address === undefined))
  for (const { space, urls } of siteSpaces) {
    // Members who cannot see the space see no other site that it is on.
    const isHidden = model.roleOn(user, model.items.get(space.id)!) === null
    const where = publishedSitesWith(isHidden ? [site] : model.sites.values(), space.id)
    // The URL of a space is on its most public site. It is not specified on which of several equally public ones.
    const isHere = where[0] === site && where[1]?.visibility !== site.visibility
    if (isHere) assert.equal(space.urls.published, urls.published, "the published URL of a space")
    else assert.equal(space.urls.published === undefined, where.length === 0)
  }
}

/** Compares the members who see a site, and their roles on it. */
const compareRoles = async ({ api, model, user }: Observer, site: Site): Promise<void> => {
  const { organization, id } = site
  const isGuest = model.roleIn(user, organization) === null
  const expectedError =
    siteError(model, user, site, organization, "read") ?? (isGuest ? "Forbidden" : undefined)
  const shown = await readAllPages<ShownRole>(api, user, (page) => [
    "sitePermissions",
    "listEffective",
    [organization, id, page]
  ])
  if (expectedError !== undefined) {
    assert.equal(shown, expectedError)
    return
  }
  assert.ok(typeof shown !== "string", `Listing the members of a site failed with ${String(shown)}.`)
  assert.deepEqual(
    shown.map(({ permission, origin, user }) => [user.id, permission, origin.type]),
    [...model.members.get(organization)!].reverse().flatMap(([member, own]) => {
      const role = model.roleOnSite(member, site)
      return role === null ? [] : [[member, role, role === own ? "organization" : "site"]]
    })
  )
}

/** Compares a site with all of its parts. */
const compareWholeSite = async (observer: Observer, site: Site): Promise<void> => {
  const { api, model, user } = observer
  const { organization, id } = site
  await compareRoles(observer, site)
  const expectedError = siteError(model, user, site, organization, "read")
  const outcome = await api.call(user, ["publishedSites", "getStructure", [organization, id, {}]])
  assert.equal(errorTagOf(outcome), expectedError)
  if (!outcome.ok) return
  compareStructure(site, outcome.value as ShownStructure)

  const read = async <A>(service: "siteSections" | "siteSpaces" | "siteSectionGroups", filter = {}) => {
    const list = await readAllPages<A>(api, user, (page) => [
      service,
      "list",
      [organization, id, { ...page, ...filter }]
    ])
    assert.ok(typeof list !== "string", `Listing ${service} failed with ${String(list)}.`)
    return list
  }
  const sections = await read<ShownSection>("siteSections")
  assert.deepEqual(
    sections.map(({ id }) => id),
    sectionsOf(site).map(({ id }) => id)
  )
  const siteSpaces = await read<ShownSiteSpace>("siteSpaces")
  assert.deepEqual(
    siteSpaces.map(({ id }) => id),
    siteSpacesOf(site).map(({ id }) => id)
  )
  for (const { space } of siteSpaces) compareItem(model, user, space, site)
  const groups = await read<{ id: string }>("siteSectionGroups")
  assert.deepEqual(
    groups.map(({ id }) => id),
    groupsOf(site).map(({ group }) => group)
  )
  const defaults = await read<ShownSiteSpace>("siteSpaces", { default: true })
  const expectedDefault = site.default === undefined ? site.rootDefault : site.default.default
  assert.deepEqual(
    defaults.map(({ id }) => id),
    expectedDefault === undefined ? [] : [expectedDefault.id]
  )
  compareAddresses(observer, site, sections, siteSpaces)

  const links = await readAllPages<{ id: string; name: string; active: boolean }>(api, user, (page) => [
    "shareLinks",
    "list",
    [organization, id, page]
  ])
  const closed = siteError(model, user, site, organization, "create")
  if (closed !== undefined) assert.equal(links, closed)
  else {
    assert.ok(typeof links !== "string")
    assert.deepEqual(
      links.map(({ id, name, active }) => ({ id, name, active })),
      site.links.map(({ id, name, active }) => ({ id, name, active })).toReversed()
    )
  }
}

/** Compares the lists of sites of each organization under every filter, and sites with all of their parts. */
export const compareSites = async (observer: Observer): Promise<void> => {
  const { api, model, user, focus = 0 } = observer
  const all = [...model.sites.values()]
  const space = nthOf(
    all.flatMap((site) => siteSpacesOf(site).map((siteSpace) => siteSpace.space)),
    focus
  )
  for (const organization of model.members.keys()) {
    const expectedError = model.membershipError(user, organization, null)
    for (const filter of [
      {},
      { published: nthOf([true, false], focus) },
      ...(space === undefined ? [] : [{ space }])
    ]) {
      const found = await readAllPages<ShownSite>(api, user, (page) => [
        "sites",
        "list",
        [organization, { ...page, ...filter }]
      ])
      if (expectedError !== undefined) {
        assert.equal(found, expectedError)
        continue
      }
      assert.ok(typeof found !== "string", `Listing sites failed with ${String(found)}.`)
      const expected = all.filter(
        (site) =>
          site.organization === organization &&
          model.roleOnSite(user, site) !== null &&
          (!("published" in filter) || site.published === filter.published) &&
          (!("space" in filter) || siteSpacesOf(site).some((siteSpace) => siteSpace.space === filter.space))
      )
      assert.deepEqual(
        found.map(({ id }) => id),
        expected.map(({ id }) => id).toReversed()
      )
      for (const shown of found) {
        const site = model.sites.get(shown.id)!
        compareSite(model, site, shown)
        assert.deepEqual(
          shown.permissions,
          Policy.sitePermissions(model.roleOnSite(user, site), model.roleIn(user, site.organization) ?? null)
        )
      }
    }
  }
  for (const site of selectFocused(all, observer.focus)) await compareWholeSite(observer, site)
}
