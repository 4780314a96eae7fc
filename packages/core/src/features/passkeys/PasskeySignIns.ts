/**
 * Sign-ins by passkeys.
 *
 * A library in the server verifies the responses of authenticators. This service is the part of a sign-in that needs the store and the
 * secrets of the workspace: the challenge, the passkey, and the session.
 */

import {
  type Authorization,
  addAuditDetails,
  Locks,
  noteOwnCall,
  Operations,
  type OperatorOperation,
  SystemGrant
} from "@lectern/access"
import {
  type Encryption,
  type Ids,
  now,
  type Records,
  type Signatures,
  type StorageUnavailable,
  Where
} from "@lectern/kernel"
import { type PasskeyRow, passkeys, recoveryCodes, usedChallenges } from "@lectern/kernel/tables"
import type { Conflict, Unauthenticated } from "@lectern/model/errors"
import { FinishPasskeySignIn, ResumePasskeySignIn } from "@lectern/model/passkeys"
import { UserId } from "@lectern/model/users"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { endVerifiedSessions } from "../sessions/endSessions.ts"
import type { StartedSession } from "../sessions/SignIns.ts"
import { makeSessionIssuer } from "../sessions/sessionIssuer.ts"
import { makeChallenges } from "./challenges.ts"
import { invalidPasskey, usePasskey } from "./passkeyUses.ts"
import { makeRelyingParty, type RelyingParty } from "./relyingParty.ts"

/** A sign-in that has started, by any passkey of the browser. */
export interface PasskeySignIn {
  /** The host name and the origin. */
  readonly party: RelyingParty
  /** The challenge to sign. */
  readonly challenge: string
}

/** The passkey that a response names, with which it is verified. */
export interface PasskeyToVerify {
  /** The host name and the origin. */
  readonly party: RelyingParty
  /** The stored passkey. */
  readonly passkey: Pick<PasskeyRow, "id" | "user" | "credential" | "publicKey" | "counter">
}

/** Operations of the server for sign-ins by passkeys. They act for no user: the user is not authenticated yet. */
export interface PasskeySignInsOperations {
  /** Whether browsers offer passkeys at the address of the current request. */
  readonly isAvailable: Effect.Effect<boolean>
  /** Starts a sign-in, which expires after 5 minutes. It stores nothing. Fails with `Conflict` if passkeys are off. */
  readonly begin: OperatorOperation<Record<never, never>, PasskeySignIn, Conflict>
  /**
   * Returns the passkey with which the response of a sign-in is verified. Fails with `Unauthenticated` if the challenge was not created
   * for a sign-in or has expired, if no passkey has the credential, or if it belongs to another user than the authenticator has stored.
   */
  readonly resume: OperatorOperation<
    { input: ResumePasskeySignIn },
    PasskeyToVerify,
    Conflict | Unauthenticated
  >
  /** Returns the passkey with which the response of a verification in a session is verified; its challenge is checked by `Passkeys.verify`. */
  readonly find: OperatorOperation<
    { input: ResumePasskeySignIn },
    PasskeyToVerify,
    Conflict | Unauthenticated
  >
  /**
   * Signs in the user of a passkey whose response was verified, once per challenge, and ends the former session of the browser. The
   * session has verified a second factor, because the authenticator verifies its user.
   */
  readonly finish: OperatorOperation<{ input: FinishPasskeySignIn }, StartedSession, Unauthenticated>
  /**
   * Removes the passkeys and the recovery codes of a user who has lost both, and ends the sessions that have verified one. Returns how
   * many passkeys were removed.
   */
  readonly reset: OperatorOperation<{ user: UserId }, number>
  /** Removes challenges that have expired. */
  readonly purge: Effect.Effect<void, StorageUnavailable>
}

const makePasskeySignIns = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const { grant, records } = yield* SystemGrant.make(
    "Signs people in by passkeys, before they are authenticated."
  )
  const challenges = yield* makeChallenges
  const party = yield* makeRelyingParty
  const { start } = yield* makeSessionIssuer

  const allowPages: Authorization<unknown, Record<never, never>, never, never> = {
    rule: allow.operator("the sign-in pages of the server, before the user is authenticated").rule,
    check: () => Effect.succeed({ grant })
  }

  const findPasskey = Effect.fnUntraced(function* ({ credential, userHandle }: ResumePasskeySignIn) {
    const passkey = yield* records.first(passkeys, {
      where: Where.eq<PasskeyRow, "credential">("credential", credential)
    })
    if (passkey === undefined || (userHandle !== undefined && userHandle !== passkey.user)) {
      return yield* invalidPasskey
    }
    return { party: yield* party.require, passkey }
  })

  return {
    isAvailable: Effect.map(party.find, (found) => typeof found !== "string"),

    begin: query("PasskeySignIns.begin", { parameters: {}, authorize: allowPages }, function* () {
      return { party: yield* party.require, challenge: yield* challenges.create("signIn") }
    }),

    resume: query(
      "PasskeySignIns.resume",
      { parameters: { input: ResumePasskeySignIn }, authorize: allowPages },
      function* ({ input }) {
        if (!(yield* challenges.verify("signIn", input.challenge))) return yield* invalidPasskey
        // A discoverable credential names its user: without one, the response is not of a sign-in that was started here.
        if (input.userHandle === undefined) return yield* invalidPasskey
        return yield* findPasskey(input)
      }
    ),

    find: query(
      "PasskeySignIns.find",
      { parameters: { input: ResumePasskeySignIn }, authorize: allowPages },
      function* ({ input }) {
        return yield* findPasskey(input)
      }
    ),

    finish: command(
      "PasskeySignIns.finish",
      {
        parameters: { input: FinishPasskeySignIn },
        authorize: allowPages,
        locks: ({ input }) => Locks.memberships(input.user)
      },
      function* ({ input }, { records }) {
        if (!(yield* challenges.verify("signIn", input.challenge))) return yield* invalidPasskey
        if (!(yield* challenges.use(records, input.challenge))) return yield* invalidPasskey
        const passkey = yield* usePasskey(records, input)
        if (passkey.user !== input.user) return yield* invalidPasskey
        const { row, secret } = yield* start(records, {
          user: passkey.user,
          method: "passkey",
          client: input.client,
          verifiedAt: yield* now
        })
        yield* addAuditDetails({
          organization: null,
          actor: row.user,
          resources: [`session:${row.id}`, `passkey:${passkey.id}`]
        })
        yield* noteOwnCall(records, row.user)
        return { id: row.id, user: row.user, secret, expiresAt: row.expiresAt }
      }
    ),

    reset: command(
      "PasskeySignIns.reset",
      {
        parameters: { user: UserId },
        authorize: allow.operator("the second factors of all accounts"),
        locks: ({ user }) => Locks.memberships(user)
      },
      function* ({ user }, { records }) {
        yield* noteOwnCall(records, user)
        yield* records.remove(recoveryCodes, Where.eq("user", user))
        yield* endVerifiedSessions(records, user)
        return yield* records.remove(passkeys, Where.eq("user", user))
      }
    ),

    purge: Effect.gen(function* () {
      yield* records.remove(usedChallenges, Where.lt("expiresAt", yield* now))
    })
  } satisfies PasskeySignInsOperations
})

/** Signs people in by passkeys: see {@link PasskeySignInsOperations}. */
export class PasskeySignIns extends Context.Service<PasskeySignIns, PasskeySignInsOperations>()(
  "@lectern/core/PasskeySignIns"
) {
  static readonly layer: Layer.Layer<
    PasskeySignIns,
    never,
    Records | Operations | Ids | Signatures | Encryption
  > = Layer.effect(PasskeySignIns, makePasskeySignIns).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
