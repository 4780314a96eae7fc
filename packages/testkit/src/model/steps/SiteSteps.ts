/** Steps on sites: creation, visibility, publication, share links and visits. */
import assert from "node:assert/strict"
import * as fc from "fast-check"
import {
  type ActorChoice,
  type Choice,
  choose,
  chooseNth,
  nth,
  nthOf,
  resolveSpace,
  type SpaceChoice,
  spaceChoice
} from "../definition/choices.ts"
import { asUserWho, defineStep, type Feature, type StepContext } from "../definition/Step.ts"
import { type ShareLink, type Site, type SiteVisibility, visibilities } from "../state/SiteModel.ts"
import { newSpaceState } from "../state/SpaceState.ts"
import { addSpaceError, type OneSite, resolveSite, siteChoice } from "./SiteChoice.ts"
import { compareSite, compareSites, type ShownSite, type ShownStructure, siteError } from "./SiteCompare.ts"
import { structureSteps } from "./SiteStructureSteps.ts"

interface Creating {
  readonly organization: number
  readonly visibility: SiteVisibility
  readonly spaces: ReadonlyArray<SpaceChoice> | "new"
}

const create = async (from: StepContext, given: Creating & ActorChoice): Promise<void> => {
  const { actors, model } = from
  const organization = nthOf(actors.organizations, given.organization)!
  const isPermitted = (user: string) => model.membershipError(user, organization, "create") === undefined
  const context = asUserWho(from, given, isPermitted)
  const chosen =
    given.spaces === "new"
      ? []
      : [...new Set(given.spaces.flatMap((space) => resolveSpace(model, organization, space) ?? []))]
  const expectedError =
    model.membershipError(context.user, organization, "create") ??
    chosen.map((space) => addSpaceError(context, { organization }, space)).find((one) => one !== undefined)
  const { visibility } = given
  const spaces = given.spaces === "new" ? "new" : chosen.map(({ id }) => id)
  const value = await context.expect(
    ["sites", "create", [organization, { title: "Docs", visibility, spaces }]],
    expectedError
  )
  if (expectedError !== undefined) return
  const { id } = value as { id: string }
  const structure = (await context.expect(
    ["publishedSites", "getStructure", [organization, id, {}]],
    undefined
  )) as ShownStructure
  assert.equal(structure.type, "siteSpaces")
  const root = structure.structure.map((one) => ({ id: one.id, space: one.space!.id }))
  if (given.spaces === "new") {
    const { space } = structure.structure[0]!
    const state = { level: "inherit", editMode: "live", deletedAt: undefined, parent: null } as const
    model.addItem({ kind: "space", id: space!.id, organization, title: "Docs", ...state })
    model.spaceStates.set(space!.id, newSpaceState(space!.revision))
  }
  const site: Site = {
    ...{ id, organization, title: "Docs", visibility, published: false },
    ...{ root, rootDefault: root[0], topLevel: [], default: undefined, links: [] },
    trashed: new Map(),
    adaptiveSchema: undefined
  }
  assert.deepEqual(
    root.map(({ space }) => space),
    given.spaces === "new" ? root.map(({ space }) => space) : spaces
  )
  model.sites.set(id, site)
  compareSite(model, site, value as ShownSite)
}

/** Calls an operation that returns the site. `effect` are the fields of the model that it changes. */
const callSiteOperation = async (
  from: StepContext,
  given: OneSite & ActorChoice,
  method: "update" | "publish" | "unpublish",
  input: Partial<Site>,
  effect: Partial<Site>
): Promise<void> => {
  const chosen = resolveSite(from, given)
  if (chosen === undefined) return
  const { site, organization, context } = chosen
  const expectedError = siteError(context.model, context.user, site, organization, "create")
  const value = await context.expect(
    ["sites", method, [organization, site.id, ...(method === "update" ? [input] : [])]],
    expectedError
  )
  if (expectedError !== undefined) return
  Object.assign(site, effect)
  compareSite(context.model, site, value as ShownSite)
}

const remove = async (from: StepContext, given: OneSite & ActorChoice): Promise<void> => {
  const chosen = resolveSite(from, given)
  if (chosen === undefined) return
  const { site, organization, context } = chosen
  const expectedError = siteError(context.model, context.user, site, organization, "admin")
  await context.expect(["sites", "remove", [organization, site.id]], expectedError)
  if (expectedError !== undefined) return
  context.model.removeSite(site.id)
}

interface LinkChange extends OneSite {
  readonly link: number
  readonly change: "rename" | "activate" | "deactivate"
}

const linkInputs = {
  rename: { name: "For you" },
  activate: { active: true },
  deactivate: { active: false }
} as const

interface ShownLink {
  readonly id: string
  readonly urls: { readonly published: string }
}

const createLink = async (from: StepContext, given: OneSite & ActorChoice): Promise<void> => {
  const chosen = resolveSite(from, given)
  if (chosen === undefined) return
  const { site, organization, context } = chosen
  const expectedError = siteError(context.model, context.user, site, organization, "create")
  const input = { name: "For friends" }
  const value = await context.expect(["shareLinks", "create", [organization, site.id, input]], expectedError)
  if (expectedError !== undefined) return
  const { id, urls } = value as ShownLink
  const key = decodeURIComponent(urls.published.split("/").at(-2)!)
  site.links.push({ id, key, name: input.name, active: true })
}

/** Resolves a link of a site; undefined if there are no sites, a missing link if the site has no links. */
const resolveLink = (from: StepContext, given: OneSite & { readonly link: number } & ActorChoice) => {
  const chosen = resolveSite(from, given)
  if (chosen === undefined) return undefined
  const { site, organization, context } = chosen
  const link = nthOf(site.links, given.link)
  const expectedError =
    siteError(context.model, context.user, site, organization, "create") ??
    (link === undefined ? "NotFound" : undefined)
  return { site, link, context, expectedError, args: [organization, site.id, link?.id ?? "nothing"] }
}

const updateLink = async (from: StepContext, given: LinkChange & ActorChoice): Promise<void> => {
  const chosen = resolveLink(from, given)
  if (chosen === undefined) return
  const { link, context, expectedError, args } = chosen
  const input = linkInputs[given.change]
  await context.expect(["shareLinks", "update", [...args, input]], expectedError)
  if (expectedError === undefined) Object.assign(link as ShareLink, input)
}

const removeLink = async (
  from: StepContext,
  given: OneSite & { readonly link: number } & ActorChoice
): Promise<void> => {
  const chosen = resolveLink(from, given)
  if (chosen === undefined) return
  const { site, link, context, expectedError, args } = chosen
  await context.expect(["shareLinks", "remove", args], expectedError)
  if (expectedError === undefined) site.links.splice(site.links.indexOf(link!), 1)
}

/** The share link whose key a visitor has: one of the site, or one of any site. */
type KeyChoice = Choice<"ofSite" | "ofAnySite">

/** Reads the published site with the key of a share link, if there is one. */
const visit = async (
  from: StepContext,
  given: OneSite & { readonly key: KeyChoice } & ActorChoice
): Promise<void> => {
  const chosen = resolveSite(from, given)
  if (chosen === undefined) return
  const { site, organization, context } = chosen
  const everyLink = [...context.model.sites.values()].flatMap(({ links }) => links)
  const one = nthOf(given.key.which === "ofSite" ? site.links : everyLink, given.key.nth)
  const isValidKey = one?.active === true && site.links.includes(one)
  const isReadable =
    site.published && (site.visibility === "share-link" ? isValidKey : site.visibility !== "visitor-auth")
  // A user who cannot view the site is admitted like any visitor.
  const expectedError =
    isReadable && site.organization === organization
      ? undefined
      : (siteError(context.model, context.user, site, organization, "read") ??
        (isReadable ? undefined : "NotFound"))
  const query = one === undefined ? {} : { shareKey: one.key }
  const value = await context.expect(["publishedSites", "get", [organization, site.id, query]], expectedError)
  if (expectedError !== undefined) return
  const shown = value as { readonly site: ShownSite; readonly structure: ShownStructure }
  compareSite(context.model, site, shown.site)
  const hasKey = shown.site.urls.published?.includes(one?.key ?? "/")
  assert.equal(hasKey, site.visibility === "share-link" || one === undefined)
}

const visibility = fc.constantFrom<SiteVisibility>(...visibilities, "share-link")

/** The feature of sites, including their structure. */
export const sites: Feature = {
  steps: {
    createSite: defineStep<Creating>({
      weight: 3,
      choices: {
        organization: nth,
        visibility,
        spaces: fc.oneof(fc.array(spaceChoice, { maxLength: 3 }), fc.constant("new" as const))
      },
      run: create
    }),
    updateSite: defineStep<OneSite & { visibility: SiteVisibility }>({
      weight: 2,
      choices: { site: siteChoice, visibility },
      run: (context, given) => {
        const { visibility } = given
        return callSiteOperation(context, given, "update", { visibility }, { visibility })
      }
    }),
    publish: defineStep<OneSite & { operation: "publish" | "unpublish" }>({
      weight: 3,
      choices: { site: siteChoice, operation: choose({ publish: 1, unpublish: 1 }) },
      run: (context, given) =>
        callSiteOperation(context, given, given.operation, {}, { published: given.operation === "publish" })
    }),
    removeSite: defineStep<OneSite>({ weight: 1, choices: { site: siteChoice }, run: remove }),
    createLink: defineStep<OneSite>({ weight: 2, choices: { site: siteChoice }, run: createLink }),
    updateLink: defineStep<LinkChange>({
      weight: 1,
      choices: {
        site: siteChoice,
        link: nth,
        change: choose({ rename: 2, activate: 5, deactivate: 5 })
      },
      run: updateLink
    }),
    removeLink: defineStep<OneSite & { link: number }>({
      weight: 1,
      choices: { site: siteChoice, link: nth },
      run: removeLink
    }),
    visit: defineStep<OneSite & { key: KeyChoice }>({
      weight: 2,
      choices: { site: siteChoice, key: chooseNth({ ofSite: 3, ofAnySite: 1 }) },
      run: visit
    }),
    ...structureSteps
  },
  compare: compareSites
}
