/** URLs whose signature authorizes a request for an hour, without a token. */

import { Signatures, type StorageUnavailable } from "@lectern/kernel"
import { Gone } from "@lectern/model/errors"
import { Clock, Effect } from "effect"
import type { Granted } from "./grants/Grant.ts"
import type { SystemGrant } from "./grants/SystemGrant.ts"

/** How long signed URLs are valid, in seconds: 1 hour. */
export const signedUrlSeconds = 60 * 60

/**
 * Creates the check of the URLs of a kind of resource, which the error names. It fails with `Gone` if the URL has expired. The
 * grant reports whether the signature is valid: a forged URL is indistinguishable from the URL of missing content.
 */
export const makeSignedUrlCheck = (resource: string, { grant }: SystemGrant) =>
  Effect.map(Signatures, ({ verify }) =>
    /** Checks a URL with these signed parts, which expires at this time, in seconds since 1970. */
    Effect.fnUntraced(function* (
      parts: ReadonlyArray<string>,
      expires: number,
      signature: string
    ): Effect.fn.Return<{ readonly isSigned: boolean } & Granted, Gone | StorageUnavailable> {
      if (!(yield* verify(signature, ...parts))) return { isSigned: false, grant }
      if ((yield* Clock.currentTimeMillis) < expires * 1000) return { isSigned: true, grant }
      return yield* new Gone({
        reason: "AddressExpired",
        message: `The URL of this ${resource} has expired: it was valid for an hour. Request a new one.`
      })
    })
  )
