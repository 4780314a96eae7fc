/** The choice of a site, shared by all steps on sites. */
import type * as fc from "fast-check"
import { type ActorChoice, type Choice, chooseNth, nthOf } from "../definition/choices.ts"
import { asUserWho, type StepContext } from "../definition/Step.ts"
import { leavesOf, type Site } from "../model/SiteModel.ts"
import type { Item, Refusal } from "../model/WorkspaceModel.ts"

/** A site, looked up in its organization or in the other one. */
export type SiteChoice = Choice<"ofOrganization" | "elsewhere">
export const siteChoice: fc.Arbitrary<SiteChoice> = chooseNth({ ofOrganization: 12, elsewhere: 1 })

export interface OneSite {
  readonly site: SiteChoice
}

/** Resolves a site, and the organization in which the step looks it up; undefined if there are no sites. */
export const resolveSite = (from: StepContext, given: OneSite & ActorChoice) => {
  const { model, actors } = from
  const site = nthOf([...model.sites.values()], given.site.nth)
  if (site === undefined) return undefined
  const other = actors.organizations.find((organization) => organization !== site.organization)!
  const organization = given.site.which === "elsewhere" ? other : site.organization
  const isPermitted = (user: string) => model.tryIn(user, site.organization, "create") === undefined
  return { site, organization, context: asUserWho(from, given, isPermitted) }
}

/** The refusal of adding a space to a site. */
export const trySpace = (
  { model, user }: StepContext,
  site: Pick<Site, "organization"> & Partial<Site>,
  space: Item | undefined
): Refusal | undefined =>
  model.tryReach(user, space, "create", "change") ??
  (space!.organization === site.organization ? undefined : "NotFound") ??
  (site.root !== undefined && leavesOf(site as Site).some((leaf) => leaf.space === space!.id)
    ? "Conflict"
    : undefined)
