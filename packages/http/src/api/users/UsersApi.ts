/** The operations on accounts. */
import { User } from "@lectern/core"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { describe, describeGroup } from "../describe.ts"
import { reading } from "../errors.ts"

/** The group of operations on accounts. */
export const UsersApi = HttpApiGroup.make("users")
  .add(
    HttpApiEndpoint.get("getAuthenticatedUser", "/user", { success: User, error: reading }).annotateMerge(
      describe("Get the caller", "The user whose API token the request carries.")
    )
  )
  .annotateMerge(describeGroup("Users", "The people who have accounts."))
