/** The status that the policy predicts for a caller, derived from its tables and not from the server. */
import { Policy, type Role, type RoleOrGuest, roles } from "@lectern/core"
import type { Operation, RuleName } from "@lectern/harness/operations"
import { operationsOfEveryScope } from "./operationsOfScopes.ts"
import type { Placement } from "./placements.ts"

/** The properties of a caller that the policy depends on. */
export interface PlacedCaller {
  readonly member: Placement["member"]
  readonly team: "owner" | "member" | "none"
  readonly isPublisher: boolean
  readonly installation: Placement["installation"]
  /** The role of the caller on an item or the site, by the model of the harness. */
  readonly roleOn: (item: "space" | "collection" | "parent" | "site") => RoleOrGuest
}

/** 404 if the caller cannot see the resource, 403 if their role is too low. */
export type Status = 200 | 403 | 404

const isAtLeast = (role: RoleOrGuest, required: Role): boolean =>
  role !== null && roles.indexOf(role) >= roles.indexOf(required)

const onContent = (role: RoleOrGuest, required: Role | null): Status => {
  if (!isAtLeast(role, "read")) return 404
  return required !== null && isAtLeast(role, required) ? 200 : 403
}

/** The role that an action requires, from a table of the policy. */
const requirementOf = <P extends object>(table: P, action: string): P[keyof P] => {
  if (!(action in table)) throw new Error(`The policy has no action ${action}.`)
  return table[action as keyof P]
}

/** The status that one rule predicts. */
export const statusByRule = (rule: RuleName, caller: PlacedCaller): Status => {
  const [noun, action = ""] = rule.split(".") as [string, string | undefined]
  const { member, team, roleOn, isPublisher } = caller
  // The organization of the scene owns the integration, unless the caller's own organization does.
  const owns = isPublisher || member === "admin"
  const inOrganization = (required: RoleOrGuest): Status => {
    if (member === "outsider") return 404
    return required === null || isAtLeast(member, required) ? 200 : 403
  }
  switch (noun) {
    case "anybody":
      return 200
    case "token":
      // The token of the scene belongs to its owner.
      return 404
    case "organization":
      return inOrganization(requirementOf(Policy.organizationActions, action))
    case "member":
    case "user":
      // For a caller who cannot list members, a member is indistinguishable from a missing one.
      if (inOrganization(Policy.organizationActions.listMembers) !== 200) return 404
      if (noun === "user") return action === "view" ? 200 : 403
      return inOrganization(requirementOf(Policy.memberActions, action).other)
    case "team":
      if (inOrganization(Policy.teamActions.view[team]) !== 200) return 404
      return inOrganization(requirementOf(Policy.teamActions, action)[team])
    // The integration of the scene is public, so every user can see it.
    case "integration":
      return owns ? 200 : 403
    case "installation":
      if (!owns) return 404
      return action !== "install" || member === "admin" ? 200 : 403
    case "upload":
      // A guest can upload only for content that is shared with them.
      return member !== null ||
        (["space", "collection", "parent", "site"] as const).some((item) => roleOn(item) !== null)
        ? 200
        : 403
    case "site":
      return onContent(roleOn("site"), requirementOf(Policy.siteActions, action))
    case "siteSpace": {
      // The space of the site has the default level of the organization. A role on the site does not apply to its spaces.
      const role = member === "outsider" ? null : member
      if (action === "export") return isAtLeast(role, "read") ? 200 : 403
      return onContent(role, action === "view" ? Policy.spaceActions.view : Policy.spaceActions.duplicate)
    }
    case "space":
      return onContent(roleOn("space"), requirementOf(Policy.spaceActions, action))
    case "trash":
      return isAtLeast(roleOn("space"), Policy.spaceActions.restore) ? 200 : 404
    case "collection":
      return onContent(roleOn("collection"), requirementOf(Policy.collectionActions, action))
    case "parent":
      // The response of the space contains its parent, so that 403 discloses nothing new.
      return isAtLeast(roleOn("parent"), requirementOf(Policy.collectionActions, action)) ? 200 : 403
    case "changeRequest":
      return onContent(roleOn("space"), requirementOf(Policy.changeRequestActions, action).other)
    case "comment":
      return onContent(roleOn("space"), requirementOf(Policy.commentActions, action).other)
    default:
      throw new Error(
        `The rule ${rule} has no status: add a case to support/authorization/expectedStatus.ts.`
      )
  }
}

/** The rules of an operation. */
export const rulesOf = ({ rule }: Operation): ReadonlyArray<RuleName> =>
  typeof rule === "string" ? [rule] : rule

/** The rules on content that a token of an installation on other content cannot see. */
const contentRules = /^(?:space|trash|changeRequest|comment|collection|site)\./

/** The path of the part of an installation on a space or a site, which exists only for selected content. */
const partOfInstallation = /\/installations\/:installationId\/(?:spaces|sites)\/:/

/** Whether a caller has no token of an installation, or one with a scope that admits the operation. */
export const isInScopes = ({ id }: Operation, { installation }: PlacedCaller): boolean =>
  installation === undefined || operationsOfEveryScope.has(id)

/** Returns the status that the rules of an operation predict: 403 for a token without a scope that admits it. */
export const statusOf = (
  operation: Operation,
  caller: PlacedCaller,
  rules: ReadonlyArray<RuleName> = rulesOf(operation)
): Status => {
  if (!isInScopes(operation, caller)) return 403
  const isOnContent = rules.some((rule) => contentRules.test(rule)) || partOfInstallation.test(operation.path)
  return caller.installation === "of other content" && isOnContent ? 404 : statusByRules(rules, caller)
}

/** The status that several rules predict: the first rule that is not met determines it. */
export const statusByRules = (rules: ReadonlyArray<RuleName>, caller: PlacedCaller): Status =>
  rules.map((rule) => statusByRule(rule, caller)).find((status) => status !== 200) ?? 200
