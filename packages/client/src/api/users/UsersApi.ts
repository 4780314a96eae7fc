/** The operations on accounts. */
import { UpdateUser, User, UserId } from "@lectern/core/model"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"

const user = { userId: UserId }

/** The group of operations on accounts. */
export const UsersApi = HttpApiGroup.make("users")
  .add(
    HttpApiEndpoint.get("getAuthenticatedUser", "/user", { success: User, error: reading }).annotateMerge(
      describe("Get the caller", "The user whose API token the request carries.")
    ),
    HttpApiEndpoint.get("getUserById", "/users/:userId", {
      params: user,
      success: User,
      error: reading
    }).annotateMerge(
      describe(
        "Get a user",
        "The caller, or somebody who is in an organization with them that shows its members."
      )
    ),
    HttpApiEndpoint.patch("updateUserById", "/users/:userId", {
      params: user,
      payload: UpdateUser,
      success: User,
      error: editing
    }).annotateMerge(describe("Update a user", "Changes what is given of the caller's own account."))
  )
  .annotateMerge(describeGroup("Users", "The people who have accounts."))
