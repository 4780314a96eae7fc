/** Rules for calls on members, grants and sites. */
import type { RoleOrGuest } from "@lectern/core"
import type { Site, SiteVisibility } from "../../model/state/SiteModel.ts"
import type { ErrorTag } from "../../model/state/WorkspaceModel.ts"
import { siteError } from "../../model/steps/SiteCompare.ts"
import { changesNothing, idOfResult, itemOf, type ModelCall, type ModelRule } from "./ModelRule.ts"

const createOrganization: ModelRule = ({ model, parameters: { administrator = "" } }) => ({
  error: undefined,
  apply: (result) => {
    const id = typeof result === "string" ? result : idOfResult(result)
    model.members.set(id, new Map<string, RoleOrGuest>([[administrator, "admin"]]))
  }
})

const setMember: ModelRule = ({ model, parameters: { organization = "", user = "", input = {} } }) => ({
  error: undefined,
  apply: () => model.members.get(organization)!.set(user, input.role ?? null)
})

const updateMember: ModelRule = ({ model, user: caller, parameters }) => {
  const { organization = "", user = "", input = {} } = parameters
  const role = input.role ?? null
  const isMember = model.roleIn(user, organization) !== undefined
  const isHidden =
    !isMember || (caller !== user && model.membershipError(caller, organization, "read") !== undefined)
  return {
    error:
      model.membershipError(caller, organization, null) ??
      (isHidden ? "NotFound" : undefined) ??
      model.membershipError(caller, organization, "admin") ??
      (role !== "admin" && model.isLastAdministrator(user, organization) ? "Conflict" : undefined),
    apply: () => model.members.get(organization)!.set(user, role)
  }
}

/** Returns the space that a call shares, and the access of the caller to it. */
const sharedSpace = ({ model, user, parameters: { content } }: ModelCall) => {
  const item = itemOf(model, "space", content?.space)
  return { item, error: model.accessError(user, item, "admin", "change") }
}

const share: ModelRule = (call) => {
  const { model, parameters } = call
  const { item, error } = sharedSpace(call)
  const other = parameters.user ?? ""
  const isMember = item !== undefined && model.roleIn(other, item.organization) !== undefined
  const withoutOthers = () => model.grants.filter(({ target, user }) => target !== item!.id || user !== other)
  return {
    error: error ?? (isMember ? undefined : "NotFound"),
    apply: () => {
      const role = parameters.input?.role
      model.grants = withoutOthers().concat(
        role === undefined ? [] : [{ target: item!.id, user: other, role }]
      )
    }
  }
}

const removeShare: ModelRule = (call) => {
  const { model, parameters } = call
  const { item, error } = sharedSpace(call)
  return {
    error: error ?? "unpredicted",
    apply: () => {
      model.grants = model.grants.filter(
        ({ target, user }) => target !== item!.id || user !== parameters.user
      )
    }
  }
}

const createSite: ModelRule = ({ model, user, parameters: { organization = "", input = {} } }) => {
  const { title = "", visibility, spaces = [] } = input
  const spaceErrors = spaces.map((id): ErrorTag | undefined => {
    const item = itemOf(model, "space", id)
    const foreign = item?.organization === organization ? undefined : "NotFound"
    return model.accessError(user, item, "create", "change") ?? foreign
  })
  return {
    error:
      model.membershipError(user, organization, "create") ?? spaceErrors.find((error) => error !== undefined),
    apply: (result) => {
      const id = idOfResult(result)
      const site: Site = {
        ...{ id, organization, title, visibility: visibility as SiteVisibility, published: false },
        ...{ root: [], rootDefault: undefined, topLevel: [], default: undefined, links: [] },
        trashed: new Map(),
        adaptiveSchema: undefined
      }
      model.sites.set(id, site)
    }
  }
}

/** Returns the rule of a command on a site. `needed` is the role that it requires. */
const onSite =
  (needed: "create" | "admin", change: (site: Site, call: ModelCall) => void): ModelRule =>
  (call) => {
    const { model, user, parameters } = call
    const { organization = "" } = parameters
    const site = model.sites.get(parameters.site ?? "")
    const outside = model.membershipError(user, organization, null)
    return {
      error:
        site === undefined ? (outside ?? "NotFound") : siteError(model, user, site, organization, needed),
      apply: () => change(site!, call)
    }
  }

/** The rules by operation. */
export const peopleRules: Readonly<Record<string, ModelRule>> = {
  "Administration.createOrganization": createOrganization,
  "Administration.setMember": setMember,
  "Members.update": updateMember,
  "Permissions.updateUser": share,
  "Permissions.removeUser": removeShare,
  "Sites.create": createSite,
  "Sites.update": onSite("create", (site, { parameters: { input } }) => {
    if (input?.title !== undefined) site.title = input.title
    if (input?.visibility !== undefined) site.visibility = input.visibility as SiteVisibility
  }),
  "Sites.publish": onSite("create", (site) => {
    site.published = true
  }),
  "Sites.unpublish": onSite("create", (site) => {
    site.published = false
  }),
  "Sites.remove": onSite("admin", (site, { model }) => model.removeSite(site.id)),
  "ShareLinks.create": onSite("create", changesNothing),
  "SiteSettings.updateAdaptiveSchema": onSite("create", changesNothing)
}
