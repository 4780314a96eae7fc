/** The host name that passkeys are bound to, and the origin of the pages that use them. */

import { Conflict } from "@lectern/model/errors"
import { Effect } from "effect"
import { makeSignInLinkBase } from "../sessions/signInLinkBase.ts"

/** The relying party of the Web Authentication specification. */
export interface RelyingParty {
  /** The host name. A passkey that was added at one is not offered at another. */
  readonly id: string
  /** The origin that the responses of browsers must name. */
  readonly origin: string
}

/** Why browsers offer no passkeys at an address. */
export type PasskeyObstacle = "ipAddress" | "insecure"

const isIpAddress = (host: string): boolean => host.startsWith("[") || /^\d{1,3}(\.\d{1,3}){3}$/.test(host)

/** Returns the relying party of a base URL, or the obstacle to passkeys. */
export const relyingPartyOf = (baseUrl: string): RelyingParty | PasskeyObstacle => {
  const { hostname, origin, protocol } = new URL(baseUrl)
  if (isIpAddress(hostname)) return "ipAddress"
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost")
  return protocol === "https:" || isLocal ? { id: hostname, origin } : "insecure"
}

const unavailable = {
  ipAddress: new Conflict({
    reason: "PasskeysUnavailable",
    message:
      "Passkeys are bound to a host name, and this server is opened by an IP address. Open it by its host name, which LECTERN_PUBLIC_URL states."
  }),
  insecure: new Conflict({
    reason: "PasskeysUnavailable",
    message: "Browsers offer passkeys only over https. Set LECTERN_PUBLIC_URL to an https URL."
  })
}

/** Creates the effects that return the relying party of the current request, or fail with `Conflict` if passkeys are not possible. */
export const makeRelyingParty = Effect.map(makeSignInLinkBase, (base) => {
  const find = Effect.map(base, relyingPartyOf)
  return {
    find,
    require: Effect.flatMap(find, (party) =>
      typeof party === "string" ? Effect.fail(unavailable[party]) : Effect.succeed(party)
    )
  }
})
