/**
 * The verification of the responses of authenticators, with `@simplewebauthn/server`. The library is loaded by its first use, because
 * it takes longer to load than most servers take to start.
 */
import { type RelyingParty, Unauthenticated } from "@lectern/core"
import { AssertionResponse, type CreatePasskey, type RegistrationResponse } from "@lectern/model/passkeys"
import { Effect, Schema } from "effect"

const loadLibrary = Effect.promise(() => import("@simplewebauthn/server"))
const loadHelpers = Effect.promise(() => import("@simplewebauthn/server/helpers"))

/** One error for all causes, so that the sender of a forged response learns nothing about the check. */
export const invalidPasskey = new Unauthenticated({
  reason: "PasskeyInvalid",
  message: "The passkey was not accepted, or it took too long. Try again, or sign in another way."
})

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, "base64url"))

/** EdDSA, ES256 and RS256: the algorithms of authenticators in use. Others are experimental in Node. */
const algorithms = [-8, -7, -257]

/** The user whose passkey is created. */
export interface PasskeyOwner {
  readonly id: string
  readonly email: string
  readonly displayName: string
}

/** Returns the options with which a browser creates a discoverable credential. */
export const registrationOptions = Effect.fnUntraced(function* (
  party: RelyingParty,
  challenge: string,
  user: PasskeyOwner,
  existing: ReadonlyArray<string>
) {
  const { generateRegistrationOptions } = yield* loadLibrary
  return yield* Effect.promise(() =>
    generateRegistrationOptions({
      rpID: party.id,
      rpName: "Lectern",
      challenge: Uint8Array.from(Buffer.from(challenge)),
      userID: Uint8Array.from(Buffer.from(user.id)),
      userName: user.email,
      userDisplayName: user.displayName,
      attestationType: "none",
      supportedAlgorithmIDs: algorithms,
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      excludeCredentials: existing.map((id) => ({ id }))
    })
  )
})

/** Returns the options with which a browser signs a challenge: by one of the credentials, or by any of the host name without them. */
export const assertionOptions = Effect.fnUntraced(function* (
  party: RelyingParty,
  challenge: string,
  credentials: ReadonlyArray<string> = []
) {
  const { generateAuthenticationOptions } = yield* loadLibrary
  return yield* Effect.promise(() =>
    generateAuthenticationOptions({
      rpID: party.id,
      challenge: Uint8Array.from(Buffer.from(challenge)),
      userVerification: "required",
      ...(credentials.length === 0 ? {} : { allowCredentials: credentials.map((id) => ({ id })) })
    })
  )
})

/**
 * Whether a response was created in a frame of another website. Browsers that do not name the website still state that there is one; one
 * that is named decides, regardless of the flag.
 */
const isFramed = Effect.fnUntraced(function* (clientDataJSON: string) {
  const { decodeClientDataJSON } = yield* loadHelpers
  const { crossOrigin, ...others } = decodeClientDataJSON(clientDataJSON)
  return crossOrigin === true || "topOrigin" in others
})

/**
 * Whether an attestation has no certificates. None is requested, so that only a forged response has them. Their verification would
 * send requests to URLs in them.
 */
const isWithoutCertificates = Effect.fnUntraced(function* (attestation: string) {
  const { decodeAttestationObject } = yield* loadHelpers
  const decoded = decodeAttestationObject(bytesOf(attestation))
  const format = decoded.get("fmt")
  return format === "none" || (format === "packed" && decoded.get("attStmt").get("x5c") === undefined)
})

/** Runs a check of a response, which fails with `Unauthenticated` instead of throwing. */
const guard = <A>(check: Effect.Effect<A, Unauthenticated>): Effect.Effect<A, Unauthenticated> =>
  Effect.catchDefect(check, () => Effect.fail(invalidPasskey))

/** A credential that an authenticator has created. */
export type NewCredential = Pick<
  CreatePasskey,
  "credential" | "publicKey" | "counter" | "transports" | "synced"
>

/** Returns the credential in the response of an authenticator. Fails with `Unauthenticated` if the response is not valid. */
export const verifyRegistration = (
  { id: rpId, origin }: RelyingParty,
  { id, rawId, type, response }: RegistrationResponse,
  challenge: string
): Effect.Effect<NewCredential, Unauthenticated> =>
  guard(
    Effect.gen(function* () {
      const { verifyRegistrationResponse } = yield* loadLibrary
      const { clientDataJSON, attestationObject, transports = [] } = response
      if ((yield* isFramed(clientDataJSON)) || !(yield* isWithoutCertificates(attestationObject))) {
        return yield* invalidPasskey
      }
      const { registrationInfo } = yield* Effect.promise(() =>
        verifyRegistrationResponse({
          response: {
            id,
            rawId,
            type,
            response: { clientDataJSON, attestationObject },
            clientExtensionResults: {}
          },
          expectedChallenge: challenge,
          expectedOrigin: origin,
          expectedRPID: rpId,
          requireUserVerification: true,
          supportedAlgorithmIDs: algorithms
        })
      )
      if (registrationInfo === undefined) return yield* invalidPasskey
      const { credential, credentialBackedUp } = registrationInfo
      return {
        credential: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString("base64url"),
        counter: credential.counter,
        transports,
        synced: credentialBackedUp
      }
    })
  )

/** The stored part of a passkey with which its responses are verified. */
export interface StoredCredential {
  readonly credential: string
  readonly publicKey: string
  readonly counter: number
}

/** Returns the new counter of a passkey that has signed a challenge. Fails with `Unauthenticated` if the response is not valid. */
export const verifyAssertion = (
  { id: rpId, origin }: RelyingParty,
  { id, rawId, type, response }: AssertionResponse,
  passkey: StoredCredential,
  challenge: string
): Effect.Effect<{ readonly counter: number; readonly synced: boolean }, Unauthenticated> =>
  guard(
    Effect.gen(function* () {
      const { verifyAuthenticationResponse } = yield* loadLibrary
      const { clientDataJSON, authenticatorData, signature } = response
      if (yield* isFramed(clientDataJSON)) return yield* invalidPasskey
      const { verified, authenticationInfo } = yield* Effect.promise(() =>
        verifyAuthenticationResponse({
          response: {
            id,
            rawId,
            type,
            response: { clientDataJSON, authenticatorData, signature },
            clientExtensionResults: {}
          },
          expectedChallenge: challenge,
          expectedOrigin: origin,
          expectedRPID: rpId,
          credential: {
            id: passkey.credential,
            publicKey: bytesOf(passkey.publicKey),
            counter: passkey.counter
          },
          requireUserVerification: true
        })
      )
      if (!verified) return yield* invalidPasskey
      return { counter: authenticationInfo.newCounter, synced: authenticationInfo.credentialBackedUp }
    })
  )

/** The body that a page sends after an authenticator has signed a challenge. */
export const SignedChallenge = Schema.Struct({
  /** The path that the person continues to. */
  returnTo: Schema.String.check(Schema.isMaxLength(2_000)),
  /** The response of the authenticator. */
  response: AssertionResponse
})

/** Returns the challenge that a response states; fails with `Unauthenticated` if it cannot be decoded. */
export const challengeOf = (clientDataJSON: string): Effect.Effect<string, Unauthenticated> =>
  Effect.suspend(() => {
    try {
      const data: unknown = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString())
      const challenge: unknown = data instanceof Object ? Reflect.get(data, "challenge") : undefined
      if (typeof challenge === "string") return Effect.succeed(challenge)
    } catch {
      // Not JSON.
    }
    return Effect.fail(invalidPasskey)
  })

/** Returns the id of the user that an authenticator has stored with a discoverable credential; undefined without one. */
export const userHandleOf = ({ response: { userHandle } }: AssertionResponse): string | undefined =>
  userHandle === undefined ? undefined : Buffer.from(userHandle, "base64url").toString()
