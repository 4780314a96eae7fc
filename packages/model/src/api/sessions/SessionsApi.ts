import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { pageOf, Session, SessionId } from "../../index.ts"
import { changing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"

const path = "/user/sessions" as const

/** The group of operations on the caller's sessions. */
export const SessionsApi = HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.get("listSessions", path, {
      query: page,
      success: pageOf(Session),
      error: reading
    }).annotateMerge(
      describe(
        "List sessions",
        "Returns the caller's sessions in browsers that have not ended, newest first, with their devices and their last use."
      )
    ),
    HttpApiEndpoint.delete("signOutEverywhere", path, {
      success: HttpApiSchema.Empty(204),
      error: changing
    }).annotateMerge(
      describe(
        "Sign out everywhere",
        "Ends all sessions of the caller, including the one that authenticates the request, and the programs of others that the caller has authorized, with immediate effect. API tokens remain valid."
      )
    ),
    HttpApiEndpoint.delete("signOut", `${path}/current`, {
      success: HttpApiSchema.Empty(204),
      error: changing
    }).annotateMerge(
      describe(
        "Sign out",
        "Ends the session that authenticates the request, and removes its cookie. Changes nothing for a request that an API token authenticates."
      )
    ),
    HttpApiEndpoint.delete("revokeSession", `${path}/:sessionId`, {
      params: { sessionId: SessionId },
      success: HttpApiSchema.Empty(204),
      error: changing
    }).annotateMerge(describe("Revoke a session", "Ends a session of the caller, with immediate effect."))
  )
  .annotateMerge(describeGroup("Sessions", "The sign-ins of the caller in browsers."))
