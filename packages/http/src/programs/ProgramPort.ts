/** The port of the authorization of programs of others. A host that serves only the handlers of the API does not need it. */
import type {
  Authenticator,
  OidcLogins,
  ProgramGrants,
  Programs,
  PublishedContent,
  Records,
  SignIns,
  Users
} from "@lectern/core"
import type { Effect } from "effect"
import type { ApiRequest } from "../server/messages/Message.ts"
import type { Route } from "../server/routes/Route.ts"

/** An authorization server, by which people authorize programs of others (OAuth 2.1). */
export interface ProgramAuthorization {
  /** Serves its endpoints, pages and metadata. */
  readonly route: Route
  /**
   * Returns the header `WWW-Authenticate` of a request to a resource without valid credentials, which names the metadata of the resource
   * (RFC 9728). `path` is the path of the resource below the URL of the workspace.
   */
  readonly challengeOf: (request: ApiRequest, path: string) => string
  /** Returns the URL of a resource, for which a program must have received its token. */
  readonly resourceOf: (request: ApiRequest, path: string) => string
}

/** The services of a workspace that an authorization server uses. */
export type ProgramServices =
  | Authenticator
  | OidcLogins
  | ProgramGrants
  | Programs
  | PublishedContent
  | Records
  | SignIns
  | Users

/** Creates an authorization server in a workspace. */
export type MakeProgramAuthorization = Effect.Effect<ProgramAuthorization, never, ProgramServices>
