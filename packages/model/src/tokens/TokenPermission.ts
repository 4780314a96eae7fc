/** The permissions that an API token can be limited to: the actions of the policy. */
import * as Schema from "effect/Schema"
import {
  changeRequestActions,
  collectionActions,
  commentActions,
  memberActions,
  organizationActions,
  siteActions,
  spaceActions,
  teamActions
} from "../roles/Policy.ts"

/** The actions on each kind of resource. Content of spaces, change requests and revisions has two actions. */
const actionsByKind = {
  organization: Object.keys(organizationActions),
  member: Object.keys(memberActions),
  team: Object.keys(teamActions),
  collection: Object.keys(collectionActions),
  space: Object.keys(spaceActions),
  content: ["read", "edit"],
  changeRequest: Object.keys(changeRequestActions),
  comment: Object.keys(commentActions),
  site: Object.keys(siteActions),
  integration: ["view", "install", "administrate", "unpublish"],
  installation: ["view", "update", "install", "remove", "authenticate"]
} as const

/** All permissions: the kind of a resource and an action on it, as in `space.read`. */
export const tokenPermissions: ReadonlyArray<string> = Object.entries(actionsByKind).flatMap(
  ([kind, actions]) => actions.map((action) => `${kind}.${action}`)
)

/** A permission: the kind of a resource and an action on it, as in `space.read`. */
export const TokenPermission = Schema.Union([
  Schema.Literals(tokenPermissions),
  // The permissions of features of the host: see `defineActions`.
  Schema.String.check(
    Schema.isPattern(
      /^(organization|collection|space|site)\.[a-zA-Z][a-zA-Z0-9]{0,49}\.[a-zA-Z][a-zA-Z0-9]{0,49}$/
    )
  )
]).annotate({
  identifier: "TokenPermission",
  message: `must be one of the permissions ${tokenPermissions.join(", ")}`,
  description: "A permission: the kind of a resource and an action on it, as in `space.read`."
})
