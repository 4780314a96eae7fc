/** Creates invitations, and the job that sends them. The link is created when it is sent, so that its secret is never stored. */

import { type GrantedRecords, SystemGrant } from "@lectern/access"
import {
  type JobHandler,
  Jobs,
  PublicUrl,
  type StorageUnavailable,
  toTimestamp,
  Where
} from "@lectern/kernel"
import { type InvitationRow, invitations, isInUse, organizations, users } from "@lectern/kernel/tables"
import { languageOf } from "@lectern/model/mail"
import { OrganizationId } from "@lectern/model/organizations"
import { UserId } from "@lectern/model/users"
import { Clock, Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Mails } from "../mail/Mails.ts"
import { makeSignInLinkIssuer } from "../sessions/signInLinks.ts"
import { signInLinkUrl } from "../sessions/signInMails.ts"

/** The kind of the jobs. */
const invitationJob = "organizations.invitation"

/** How long the link of an invitation can be used, in milliseconds: 7 days. */
export const invitationLifetimeMillis = 7 * 24 * 60 * 60 * 1_000

/** An invitation to store. */
export type NewInvitation = Pick<InvitationRow, "organization" | "user" | "invitedBy">

/** Creates the functions that store invitations and send them. */
export const makeInvitationSender = Effect.gen(function* () {
  const mails = yield* Mails
  const jobs = yield* Jobs

  return {
    /** Whether invitations are sent by e-mail. */
    hasMail: mails.isAvailable,

    /** Builds the row of an invitation that starts now. */
    newRow: (invitation: NewInvitation): Effect.Effect<InvitationRow> =>
      Effect.map(Clock.currentTimeMillis, (time) => ({
        ...invitation,
        createdAt: toTimestamp(time),
        expiresAt: toTimestamp(time + invitationLifetimeMillis)
      })),

    /** Enqueues the e-mail of an invitation. Returns false, and sends nothing, if the recipient has received too many. */
    send: Effect.fnUntraced(function* (
      { organization, user }: NewInvitation,
      recipient: string
    ): Effect.fn.Return<boolean, StorageUnavailable> {
      if (!mails.isAvailable || !(yield* mails.admit({ recipient }))) return false
      yield* jobs.enqueue(invitationJob, { organization, user })
      return true
    })
  }
})

const decodePayload = Schema.decodeUnknownEffect(
  Schema.Struct({ organization: OrganizationId, user: UserId })
)

/** Creates the handler of the jobs. */
export const makeInvitationMails = Effect.gen(function* () {
  const mails = yield* Mails
  const { records } = yield* SystemGrant.make("Sends invitations to the addresses of members.")
  const createLink = yield* makeSignInLinkIssuer
  const base = yield* PublicUrl

  const send = Effect.fnUntraced(function* (key: { organization: OrganizationId; user: UserId }) {
    const invitation = yield* records.get(invitations, key)
    const account = yield* records.get(users, { id: key.user })
    // Revoked, or accepted by another link.
    if (invitation === undefined || account === undefined) return
    const organization = yield* records.get(organizations, { id: key.organization }, ["title", "deletedAt"])
    if (!isInUse(organization)) return
    const inviter = yield* records.get(users, { id: invitation.invitedBy }, ["displayName"])
    // The link has the end of the invitation, by which a sign-in finds it: the link ends with it.
    const { expiresAt } = invitation
    const { secret } = yield* createLink(records, { user: key.user, method: "email", expiresAt })
    yield* mails.send(account.email, {
      template: "invitation",
      language: languageOf(undefined),
      url: signInLinkUrl(base, secret),
      organization: organization.title,
      inviter: inviter?.displayName ?? ""
    })
  })

  const handler: JobHandler = {
    kind: invitationJob,
    run: (payload) => Effect.as(Effect.flatMap(Effect.orDie(decodePayload(payload)), send), Effect.void),
    locks: () => []
  }
  return handler
}).pipe(Effect.provide(SecureRandom.layerWebCrypto))

/** Replaces an invitation by one that starts now. */
export const storeInvitation = Effect.fnUntraced(function* (
  records: GrantedRecords,
  { organization, user, ...set }: InvitationRow
): Effect.fn.Return<void, StorageUnavailable> {
  const stored = yield* records.insertMissing(invitations, [{ organization, user, ...set }])
  if (stored === 0) {
    yield* records.update(invitations, invitationOf(organization, user), {
      invitedBy: set.invitedBy,
      expiresAt: set.expiresAt
    })
  }
})

/** Selects one invitation. */
const invitationOf = (organization: OrganizationId, user: UserId): Where.Where<InvitationRow> =>
  Where.and<InvitationRow>(Where.eq("organization", organization), Where.eq("user", user))
