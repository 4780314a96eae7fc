/** What users do with sites as wholes: who sees them, and by which links. */
import assert from "node:assert/strict"
import * as fc from "fast-check"
import { at, type By, type Feature, forOneWho, kind, pick, type Stage, spaceIn } from "../Feature.ts"
import { leavesOf, type ShareLink, type Site, type SiteVisibility, visibilities } from "../model/SiteModel.ts"
import type { Item, Refusal } from "../model/WorkspaceModel.ts"
import { begin } from "../model/Writing.ts"
import { compareSite, compareSites, type ShownSite, type ShownStructure, trySite } from "./SiteCompare.ts"
import { structureKinds } from "./SiteStructureSteps.ts"

export interface OneSite {
  readonly site: number
}

/** The site that a number picks, and the organization that it is looked for in: now and then another one. */
export const chooseSite = (from: Stage, given: OneSite & By) => {
  const { model, cast } = from
  const site = at([...model.sites.values()], given.site)
  if (site === undefined) return undefined
  const elsewhere = cast.organizations.find((one) => one !== site.organization)!
  const organization = given.site % 13 === 0 ? elsewhere : site.organization
  const isAble = (user: string) => model.tryIn(user, site.organization, "create") === undefined
  return { site, organization, stage: forOneWho(from, given, isAble) }
}

/** How putting a space on a site ends. */
export const trySpace = (
  { model, user }: Stage,
  site: Pick<Site, "organization"> & Partial<Site>,
  space: Item | undefined
): Refusal | undefined =>
  model.tryReach(user, space, "create", "change") ??
  (space!.organization === site.organization ? undefined : "NotFound") ??
  (site.root !== undefined && leavesOf(site as Site).some((leaf) => leaf.space === space!.id)
    ? "Conflict"
    : undefined)

interface Creating {
  readonly organization: number
  readonly visibility: SiteVisibility
  readonly spaces: ReadonlyArray<number> | "new"
}

const create = async (from: Stage, given: Creating & By): Promise<void> => {
  const { cast, model } = from
  const organization = at(cast.organizations, given.organization)!
  const isAble = (user: string) => model.tryIn(user, organization, "create") === undefined
  const stage = forOneWho(from, given, isAble)
  const chosen =
    given.spaces === "new"
      ? []
      : [...new Set(given.spaces.flatMap((n) => spaceIn(model, organization, n) ?? []))]
  const refusal =
    model.tryIn(stage.user, organization, "create") ??
    chosen.map((space) => trySpace(stage, { organization }, space)).find((one) => one !== undefined)
  const { visibility } = given
  const spaces = given.spaces === "new" ? "new" : chosen.map(({ id }) => id)
  const value = await stage.expect(
    ["sites", "create", [organization, { title: "Docs", visibility, spaces }]],
    refusal
  )
  if (refusal !== undefined) return
  const { id } = value as { id: string }
  const structure = (await stage.expect(
    ["publishedSites", "structure", [organization, id, {}]],
    undefined
  )) as ShownStructure
  assert.equal(structure.type, "siteSpaces")
  const root = structure.structure.map((one) => ({ id: one.id, space: one.space!.id }))
  if (given.spaces === "new") {
    const { space } = structure.structure[0]!
    const state = { level: "inherit", editMode: "live", deletedAt: undefined, parent: null } as const
    model.add({ kind: "space", id: space!.id, organization, title: "Docs", ...state })
    model.writings.set(space!.id, begin(space!.revision))
  }
  const site: Site = {
    ...{ id, organization, title: "Docs", visibility, published: false },
    ...{ root, rootDefault: root[0], top: [], default: undefined, links: [] }
  }
  assert.deepEqual(
    root.map(({ space }) => space),
    given.spaces === "new" ? root.map(({ space }) => space) : spaces
  )
  model.sites.set(id, site)
  compareSite(model, site, value as ShownSite)
}

/** Does something to a site that answers with it. */
const change = async (
  from: Stage,
  given: OneSite & By,
  method: "update" | "publish" | "unpublish",
  input: Partial<Site>,
  effect: Partial<Site>
): Promise<void> => {
  const chosen = chooseSite(from, given)
  if (chosen === undefined) return
  const { site, organization, stage } = chosen
  const refusal = trySite(stage.model, stage.user, site, organization, "create")
  const value = await stage.expect(
    ["sites", method, [organization, site.id, ...(method === "update" ? [input] : [])]],
    refusal
  )
  if (refusal !== undefined) return
  Object.assign(site, effect)
  compareSite(stage.model, site, value as ShownSite)
}

const remove = async (from: Stage, given: OneSite & By): Promise<void> => {
  const chosen = chooseSite(from, given)
  if (chosen === undefined) return
  const { site, organization, stage } = chosen
  const refusal = trySite(stage.model, stage.user, site, organization, "admin")
  await stage.expect(["sites", "remove", [organization, site.id]], refusal)
  if (refusal === undefined) stage.model.sites.delete(site.id)
}

interface Linking extends OneSite {
  readonly link: number
  readonly active: boolean | undefined
}

interface ShownLink {
  readonly id: string
  readonly urls: { readonly published: string }
}

/** Makes a share link, or changes one, or takes one away. */
const link = async (
  from: Stage,
  given: Linking & By,
  what: "create" | "update" | "remove"
): Promise<void> => {
  const chosen = chooseSite(from, given)
  if (chosen === undefined) return
  const { site, organization, stage } = chosen
  const refusal = trySite(stage.model, stage.user, site, organization, "create")
  const one = at(site.links, given.link)
  if (what === "create") {
    const value = await stage.expect(
      ["shareLinks", "create", [organization, site.id, { name: "For friends" }]],
      refusal
    )
    if (refusal !== undefined) return
    const { id, urls } = value as ShownLink
    const key = decodeURIComponent(urls.published.split("/").at(-2)!)
    site.links.push({ id, key, name: "For friends", active: true })
    return
  }
  const args = [organization, site.id, one?.id ?? "nothing"]
  const missing = refusal ?? (one === undefined ? "NotFound" : undefined)
  const input = given.active === undefined ? { name: "For you" } : { active: given.active }
  await stage.expect(["shareLinks", what, what === "update" ? [...args, input] : args], missing)
  if (missing !== undefined) return
  if (what === "update") Object.assign(one as ShareLink, input)
  else site.links.splice(site.links.indexOf(one!), 1)
}

/** Looks at a site as somebody does who has the key of one of its links, or of another one. */
const visit = async (from: Stage, given: OneSite & { readonly link: number } & By): Promise<void> => {
  const chosen = chooseSite(from, given)
  if (chosen === undefined) return
  const { site, organization, stage } = chosen
  const links = [...stage.model.sites.values()].flatMap(({ links }) => links)
  const one = given.link % 4 === 0 ? at(links, given.link) : at(site.links, given.link)
  const opens = one?.active === true && site.links.includes(one)
  const isFor =
    site.published && (site.visibility === "share-link" ? opens : site.visibility !== "visitor-auth")
  const refusal =
    trySite(stage.model, stage.user, site, organization, "read") ?? (isFor ? undefined : "NotFound")
  const query = one === undefined ? {} : { shareKey: one.key }
  const value = await stage.expect(["publishedSites", "get", [organization, site.id, query]], refusal)
  if (refusal !== undefined) return
  const shown = value as { readonly site: ShownSite; readonly structure: ShownStructure }
  compareSite(stage.model, site, shown.site)
  const hasKey = shown.site.urls.published?.includes(one?.key ?? "/")
  assert.equal(hasKey, site.visibility === "share-link" || one === undefined)
}

const site = pick
const visibility = fc.constantFrom<SiteVisibility>(...visibilities, "share-link")

/** Sites, and how they are put together. */
export const sites: Feature = {
  kinds: {
    createSite: kind<Creating>(
      3,
      {
        organization: pick,
        visibility,
        spaces: fc.oneof(fc.array(pick, { maxLength: 3 }), fc.constant("new" as const))
      },
      create
    ),
    updateSite: kind<OneSite & { visibility: SiteVisibility }>(2, { site, visibility }, (stage, given) => {
      const { visibility } = given
      return change(stage, given, "update", { visibility }, { visibility })
    }),
    publish: kind<OneSite & { published: boolean }>(3, { site, published: fc.boolean() }, (stage, given) => {
      const { published } = given
      return change(stage, given, published ? "publish" : "unpublish", {}, { published })
    }),
    removeSite: kind<OneSite>(1, { site }, remove),
    createLink: kind<OneSite>(2, { site }, (stage, given) =>
      link(stage, { ...given, link: 0, active: undefined }, "create")
    ),
    updateLink: kind<Linking>(
      1,
      { site, link: pick, active: fc.option(fc.boolean(), { nil: undefined }) },
      (stage, given) => link(stage, given, "update")
    ),
    removeLink: kind<OneSite & { link: number }>(1, { site, link: pick }, (stage, given) =>
      link(stage, { ...given, active: undefined }, "remove")
    ),
    visit: kind<OneSite & { link: number }>(2, { site, link: pick }, visit),
    ...structureKinds
  },
  compare: compareSites
}
