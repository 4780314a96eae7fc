import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { OwnData, UpdateUser, User, UserId } from "../../index.ts"
import { editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"

const user = { userId: UserId }

/** The group of operations on accounts. */
export const UsersApi = HttpApiGroup.make("users")
  .add(
    HttpApiEndpoint.get("getAuthenticatedUser", "/user", { success: User, error: reading }).annotateMerge(
      describe("Get the authenticated user", "Returns the authenticated user.")
    ),
    HttpApiEndpoint.get("exportOwnData", "/user/data", { success: OwnData, error: reading }).annotateMerge(
      describe(
        "Export the data of the authenticated user",
        "Returns everything that the server stores about the caller, at most 10,000 entries of each kind. Requires a sign-in in the last 10 minutes, or an API token without limits."
      )
    ),
    HttpApiEndpoint.get("getUserById", "/users/:userId", {
      params: user,
      success: User,
      error: reading
    }).annotateMerge(
      describe(
        "Get a user",
        "Returns the caller, or a user who shares an organization with the caller whose members the caller can list."
      )
    ),
    HttpApiEndpoint.patch("updateUserById", "/users/:userId", {
      params: user,
      payload: UpdateUser,
      success: User,
      error: editing
    }).annotateMerge(describe("Update a user", "Updates the caller's own account."))
  )
  .annotateMerge(describeGroup("Users", "The accounts of users."))
