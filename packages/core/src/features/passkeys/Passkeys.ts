/** Operations on the passkeys and the recovery codes of the caller. */

import {
  type AccessError,
  addAuditDetails,
  type Command,
  type Identity,
  Locks,
  noteOwnCall,
  Operations,
  type Query
} from "@lectern/access"
import { Ids, now, type Signatures, Where } from "@lectern/kernel"
import {
  describeDevice,
  type MemberRow,
  members,
  type PasskeyRow,
  passkeys,
  type RecoveryCodeRow,
  recoveryCodes,
  type SessionRow,
  sessions,
  type UserRow,
  users
} from "@lectern/kernel/tables"
import { Conflict, NotFound, type Unauthenticated } from "@lectern/model/errors"
import {
  CreatePasskey,
  type Passkey,
  PasskeyId,
  ResumePasskeyRegistration,
  type SecondFactor,
  UpdatePasskey,
  UseRecoveryCode,
  VerifyPasskey
} from "@lectern/model/passkeys"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { endVerifiedSessions } from "../sessions/endSessions.ts"
import { makeChallenges } from "./challenges.ts"
import { makePasskeyAccess } from "./passkeyAccess.ts"
import { maximumPasskeys, passkeysOf, presentPasskey } from "./passkeyRules.ts"
import { invalidPasskey, usePasskey } from "./passkeyUses.ts"
import { generateRecoveryCodes, recoveryDigest } from "./recoveryCodes.ts"
import { countFailure, requireAttempt } from "./recoveryLimits.ts"
import { makeRelyingParty, type RelyingParty } from "./relyingParty.ts"

/** A new credential that a browser creates. */
export interface PasskeyRegistration {
  /** The host name and the origin. */
  readonly party: RelyingParty
  /** The challenge to sign. */
  readonly challenge: string
  /** The user, whom the authenticator names. */
  readonly user: Pick<UserRow, "id" | "email" | "displayName">
  /** The ids of the credentials that the user has. */
  readonly credentials: ReadonlyArray<string>
}

/** A challenge that a passkey of the user signs. */
export interface PasskeyVerification {
  /** The host name and the origin. */
  readonly party: RelyingParty
  /** The challenge to sign. */
  readonly challenge: string
  /** The ids of the credentials of the user. */
  readonly credentials: ReadonlyArray<string>
}

/**
 * Operations on the passkeys and the recovery codes of the `CurrentUser`. They require a session that opens the whole account: they fail
 * with `Forbidden` for API tokens, and for sessions of an identity provider of an organization.
 */
export interface PasskeysOperations {
  /** Returns the passkeys of the caller, and how many recovery codes are left. */
  readonly get: Query<Record<never, never>, SecondFactor, AccessError>
  /**
   * Starts to add a passkey. Requires a sign-in in the last 10 minutes, and a verified second factor if the caller has a passkey. Fails
   * with `Conflict` if passkeys are off, or if the caller has 20.
   */
  readonly beginRegistration: Query<Record<never, never>, PasskeyRegistration, AccessError | Conflict>
  /** Returns the relying party of a challenge that was created for the session. Fails with `Unauthenticated` for another challenge. */
  readonly resumeRegistration: Query<
    { input: ResumePasskeyRegistration },
    RelyingParty,
    AccessError | Conflict | Unauthenticated
  >
  /**
   * Adds the passkey of a verified response, once per challenge, with the requirements of `beginRegistration`. The session has then
   * verified a second factor.
   */
  readonly register: Command<{ input: CreatePasskey }, Passkey, AccessError | Conflict | Unauthenticated>
  /** Changes the name of a passkey. Requires a verified second factor. Fails with `NotFound` if the caller has no such passkey. */
  readonly rename: Command<{ passkey: PasskeyId; input: UpdatePasskey }, Passkey, AccessError>
  /**
   * Removes a passkey, with the requirements of `beginRegistration`. It ends the other sessions that have verified a second factor. The
   * recovery codes end with the last passkey, and the session has verified no second factor anymore. Fails with `NotFound` if the caller has no such passkey.
   */
  readonly remove: Command<{ passkey: PasskeyId }, void, AccessError>
  /**
   * Replaces the recovery codes, and returns the new ones, which are not returned again. Requires a sign-in in the last 10 minutes and
   * a verified second factor. Fails with `Conflict` if the caller has no passkey.
   */
  readonly createRecoveryCodes: Command<Record<never, never>, ReadonlyArray<string>, AccessError | Conflict>
  /** Starts to verify a second factor in the session. Fails with `Conflict` if passkeys are off, or if the caller has no passkey. */
  readonly beginVerification: Query<Record<never, never>, PasskeyVerification, AccessError | Conflict>
  /** Verifies a second factor in the session by a verified response. Fails with `Unauthenticated` for a repeated one. */
  readonly verify: Command<{ input: VerifyPasskey }, void, AccessError | Unauthenticated>
  /**
   * Verifies a second factor in the session by a recovery code, which is used up. Returns the number of the codes that are left;
   * undefined for an unknown code. Fails with `Unauthenticated` after 10 wrong codes in an hour.
   */
  readonly useRecoveryCode: Command<
    { input: UseRecoveryCode },
    number | undefined,
    AccessError | Unauthenticated
  >
}

const noPasskey = new Conflict({
  reason: "SecondFactorMissing",
  message: "The account has no passkey. Add one first."
})

/** Excludes the other changes of the same account: how many passkeys, codes and wrong codes there are decides. */
const locksOfAccount = (_: unknown, caller: Identity["id"] | undefined) =>
  caller === undefined ? Locks.none : Locks.account({ user: caller })

const requireRoom = (existing: ReadonlyArray<PasskeyRow>) =>
  existing.length < maximumPasskeys
    ? Effect.void
    : Effect.fail(
        new Conflict({
          reason: "LimitReached",
          message: `An account has at most ${maximumPasskeys} passkeys. Remove one first.`
        })
      )

const own = (user: Identity, passkey: PasskeyId): Where.Where<PasskeyRow> =>
  Where.and<PasskeyRow>(Where.eq("id", passkey), Where.eq("user", user.id))

const makeRegistration = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const ids = yield* Ids
  const challenges = yield* makeChallenges
  const party = yield* makeRelyingParty
  const { allowManaging } = yield* makePasskeyAccess

  return {
    beginRegistration: query(
      "Passkeys.beginRegistration",
      { parameters: {}, authorize: allowManaging },
      function* (_, { records, user, signIn, existing }) {
        yield* requireRoom(existing)
        const account = yield* records.get(users, { id: user.id })
        if (account === undefined) return yield* NotFound.of("user")
        const { id, email, displayName } = account
        return {
          party: yield* party.require,
          challenge: yield* challenges.create(`register ${signIn.id}`),
          user: { id, email, displayName },
          credentials: existing.map(({ credential }) => credential)
        }
      }
    ),

    resumeRegistration: query(
      "Passkeys.resumeRegistration",
      { parameters: { input: ResumePasskeyRegistration }, authorize: allowManaging },
      function* ({ input: { challenge } }, { signIn }) {
        if (!(yield* challenges.verify(`register ${signIn.id}`, challenge))) return yield* invalidPasskey
        return yield* party.require
      }
    ),

    register: command(
      "Passkeys.register",
      { parameters: { input: CreatePasskey }, authorize: allowManaging, locks: locksOfAccount },
      function* ({ input }, { records, user, signIn, existing }) {
        yield* requireRoom(existing)
        if (!(yield* challenges.verify(`register ${signIn.id}`, input.challenge)))
          return yield* invalidPasskey
        if (!(yield* challenges.use(records, input.challenge))) return yield* invalidPasskey
        const at = yield* now
        const row: PasskeyRow = {
          id: PasskeyId.make(yield* ids.next),
          user: user.id,
          credential: input.credential,
          publicKey: input.publicKey,
          counter: input.counter,
          transports: input.transports,
          isSynced: input.synced,
          host: input.host,
          name: input.name ?? describeDevice(input.userAgent ?? "") ?? "Passkey",
          createdAt: at,
          lastUsedAt: null
        }
        // Another account with the credential would be found by it.
        yield* records
          .tryInsert(passkeys, row)
          .pipe(Effect.catchTag("UniqueViolation", () => Effect.fail(invalidPasskey)))
        yield* records.update(sessions, Where.eq("id", signIn.id), { verifiedAt: at, rotationDue: true })
        yield* noteOwnCall(records, user.id)
        yield* addAuditDetails({ resources: [`passkey:${row.id}`] })
        return presentPasskey(row)
      }
    )
  }
})

const makeManagement = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const party = yield* makeRelyingParty
  const { allowSession, allowVerified, allowManaging } = yield* makePasskeyAccess

  const codes = yield* Effect.map(SecureRandom.SecureRandom, (random) =>
    Effect.provideService(generateRecoveryCodes, SecureRandom.SecureRandom, random)
  )

  return {
    get: query(
      "Passkeys.get",
      { parameters: {}, authorize: allowSession },
      function* (_, { records, user, signIn }) {
        const found = yield* party.find
        const left = yield* records.count(recoveryCodes, Where.eq<RecoveryCodeRow, "user">("user", user.id))
        const requiring = yield* records.first(members, {
          select: ["id"],
          where: Where.and<MemberRow>(Where.eq("user", user.id), Where.eq("secondFactor", true))
        })
        return {
          ...(typeof found === "string" ? { unavailable: found } : { host: found.id }),
          passkeys: (yield* passkeysOf(records, user.id)).map(presentPasskey),
          recoveryCodes: left,
          verified: signIn.isVerified,
          required: requiring !== undefined
        }
      }
    ),

    rename: command(
      "Passkeys.rename",
      {
        parameters: { passkey: PasskeyId, input: UpdatePasskey },
        authorize: allowVerified,
        locks: locksOfAccount
      },
      function* ({ passkey, input }, { records, user }) {
        const row = yield* records.first(passkeys, { where: own(user, passkey) })
        if (row === undefined) return yield* NotFound.of("passkey")
        yield* records.update(passkeys, own(user, passkey), { name: input.name })
        yield* noteOwnCall(records, user.id)
        return presentPasskey({ ...row, name: input.name })
      }
    ),

    remove: command(
      "Passkeys.remove",
      { parameters: { passkey: PasskeyId }, authorize: allowManaging, locks: locksOfAccount },
      function* ({ passkey }, { records, user, signIn, existing }) {
        const removed = yield* records.remove(passkeys, own(user, passkey))
        if (removed === 0) return yield* NotFound.of("passkey")
        yield* noteOwnCall(records, user.id)
        yield* endVerifiedSessions(records, user.id, signIn.id)
        if (existing.length > 1) return
        yield* records.remove(recoveryCodes, Where.eq("user", user.id))
        yield* records.update(sessions, Where.eq<SessionRow, "user">("user", user.id), { verifiedAt: null })
      }
    ),

    createRecoveryCodes: command(
      "Passkeys.createRecoveryCodes",
      { parameters: {}, authorize: allowManaging, locks: locksOfAccount },
      function* (_, { records, user, existing }) {
        if (existing.length === 0) return yield* noPasskey
        const created = yield* codes
        const createdAt = yield* now
        yield* records.remove(recoveryCodes, Where.eq("user", user.id))
        yield* records.insertMany(
          recoveryCodes,
          created.map((code) => ({ user: user.id, digest: recoveryDigest(user.id, code), createdAt }))
        )
        yield* noteOwnCall(records, user.id)
        return created
      }
    )
  }
})

const makeVerification = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const challenges = yield* makeChallenges
  const party = yield* makeRelyingParty
  const { allowSession } = yield* makePasskeyAccess

  return {
    beginVerification: query(
      "Passkeys.beginVerification",
      { parameters: {}, authorize: allowSession },
      function* (_, { records, user, signIn }) {
        const existing = yield* passkeysOf(records, user.id)
        if (existing.length === 0) return yield* noPasskey
        return {
          party: yield* party.require,
          challenge: yield* challenges.create(`verify ${signIn.id}`),
          credentials: existing.map(({ credential }) => credential)
        }
      }
    ),

    verify: command(
      "Passkeys.verify",
      { parameters: { input: VerifyPasskey }, authorize: allowSession, locks: locksOfAccount },
      function* ({ input }, { records, user, signIn }) {
        if (!(yield* challenges.verify(`verify ${signIn.id}`, input.challenge))) return yield* invalidPasskey
        if (!(yield* challenges.use(records, input.challenge))) return yield* invalidPasskey
        const row = yield* usePasskey(records, input)
        if (row.user !== user.id) return yield* invalidPasskey
        const at = yield* now
        // A passkey proves who the user is, as a sign-in does.
        yield* records.update(sessions, Where.eq("id", signIn.id), {
          verifiedAt: at,
          authenticatedAt: at,
          rotationDue: true
        })
        yield* noteOwnCall(records, user.id)
      }
    ),

    useRecoveryCode: command(
      "Passkeys.useRecoveryCode",
      { parameters: { input: UseRecoveryCode }, authorize: allowSession, locks: locksOfAccount },
      function* ({ input: { code } }, { records, user, signIn }) {
        yield* noteOwnCall(records, user.id)
        yield* requireAttempt(records, user.id)
        const used = yield* records.remove(
          recoveryCodes,
          Where.and<RecoveryCodeRow>(
            Where.eq("user", user.id),
            Where.eq("digest", recoveryDigest(user.id, code))
          )
        )
        if (used === 0) {
          yield* countFailure(records, user.id)
          return undefined
        }
        yield* records.update(sessions, Where.eq("id", signIn.id), {
          verifiedAt: yield* now,
          rotationDue: true
        })
        return yield* records.count(recoveryCodes, Where.eq<RecoveryCodeRow, "user">("user", user.id))
      }
    )
  }
})

const makePasskeys = Effect.gen(function* () {
  return { ...(yield* makeRegistration), ...(yield* makeManagement), ...(yield* makeVerification) }
})

/** Operations on the passkeys and the recovery codes of the caller: see {@link PasskeysOperations}. */
export class Passkeys extends Context.Service<Passkeys, PasskeysOperations>()("@lectern/core/Passkeys") {
  static readonly layer: Layer.Layer<Passkeys, never, Operations | Ids | Signatures> = Layer.effect(
    Passkeys,
    makePasskeys
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
