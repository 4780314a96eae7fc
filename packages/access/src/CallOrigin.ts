/** Where calls come from: the client of a request, and the context that a host adds. */

import type { OrganizationId } from "@lectern/model/organizations"
import { Context } from "effect"
import type { TokenIdentity } from "./CurrentUser.ts"

/** The use of an API token in an organization. */
export interface TokenUse {
  /** The organization that the token was used in. */
  readonly organization: OrganizationId
  /** The id of the token. */
  readonly token: TokenIdentity["id"]
  /** The id of the user of the token. */
  readonly user: string
}

/** The origin of a call, for its audit record. */
export interface Origin {
  /** The IP address of the client. */
  readonly address?: string | undefined
  /** The id of the HTTP request. */
  readonly requestId?: string
  /** The id of the session in the host application: not its secret, because administrators see it. */
  readonly session?: string
  /** The context that the host adds to audit records: at most 20 values, of which the first 500 characters are recorded. No secrets. */
  readonly context?: Readonly<Record<string, string>>
  /** Receives the use of an API token in an organization, after the membership of its user was loaded. */
  readonly onTokenUse?: (use: TokenUse) => void
}

/** The origin of the calls of a fiber; undefined by default. A server provides it for each request. */
export const CallOrigin = Context.Reference<Origin | undefined>("@lectern/core/CallOrigin", {
  defaultValue: () => undefined
})
