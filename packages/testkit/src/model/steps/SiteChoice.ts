/** The choice of a site, which all steps on sites share. */
import type * as fc from "fast-check"
import { type ActorChoice, type Choice, chooseNth, nthOf } from "../definition/choices.ts"
import { asUserWho, type StepContext } from "../definition/Step.ts"
import { type Site, siteSpacesOf } from "../state/SiteModel.ts"
import { type ErrorTag, hasRole, type Item } from "../state/WorkspaceModel.ts"

/** The choice of a site, looked up in its organization or in the other one. */
export type SiteChoice = Choice<"ofOrganization" | "elsewhere">
/** Generates a choice of a site. */
export const siteChoice: fc.Arbitrary<SiteChoice> = chooseNth({ ofOrganization: 12, elsewhere: 1 })

/** The choices of a step on a site. */
export interface OneSite {
  readonly site: SiteChoice
}

/** Resolves a site, and the organization in which the step looks it up; undefined if there are no sites. */
export const resolveSite = (from: StepContext, given: OneSite & ActorChoice) => {
  const { model, actors } = from
  const site = nthOf([...model.sites.values()], given.site.nth)
  if (site === undefined) return undefined
  const other = actors.organizations.find((organization) => organization !== site.organization) ?? "nothing"
  const organization = given.site.which === "elsewhere" ? other : site.organization
  const isPermitted = (user: string) => hasRole(model.roleOnSite(user, site), "create")
  return { site, organization, context: asUserWho(from, given, isPermitted) }
}

/** Predicts the error of adding a space to a site. */
export const addSpaceError = (
  { model, user }: StepContext,
  site: Pick<Site, "organization"> & Partial<Site>,
  space: Item | undefined
): ErrorTag | undefined =>
  model.accessError(user, space, "create", "change") ??
  (space!.organization === site.organization ? undefined : "NotFound") ??
  (site.root !== undefined && siteSpacesOf(site as Site).some((siteSpace) => siteSpace.space === space!.id)
    ? "Conflict"
    : undefined)
