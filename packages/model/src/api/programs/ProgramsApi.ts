import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { AuthorizedProgram, AuthorizedProgramId, pageOf } from "../../index.ts"
import { changing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"

const path = "/user/programs" as const

/** The group of operations on the programs of others that the caller has authorized. */
export const ProgramsApi = HttpApiGroup.make("programs")
  .add(
    HttpApiEndpoint.get("listAuthorizedPrograms", path, {
      query: page,
      success: pageOf(AuthorizedProgram),
      error: reading
    }).annotateMerge(
      describe(
        "List authorized programs",
        "Returns the programs of others that the caller has authorized by OAuth and whose authorization has not ended, newest first. A caller who is limited to an organization sees only the authorizations that are limited to it."
      )
    ),
    HttpApiEndpoint.delete("revokeAuthorizedProgram", `${path}/:programId`, {
      params: { programId: AuthorizedProgramId },
      success: HttpApiSchema.Empty(204),
      error: changing
    }).annotateMerge(
      describe(
        "Revoke an authorized program",
        "Ends an authorization of a program permanently, with its access and refresh tokens, with immediate effect."
      )
    )
  )
  .annotateMerge(describeGroup("Programs", "The programs of others that act for the caller."))
