/** Operations on invitations by e-mail address, for the administrators of organizations. */

import {
  type AccessError,
  type Authorization,
  type Caller,
  type Command,
  CurrentUser,
  isLimited,
  Locks,
  Operations,
  type Query,
  SystemGrant,
  withFreshSignIn
} from "@lectern/access"
import { type Jobs, PublicUrl, type Records, readPage, Where } from "@lectern/kernel"
import { type InvitationRow, invitations, members, signedInUsers, users } from "@lectern/kernel/tables"
import { Conflict, NotFound } from "@lectern/model/errors"
import { type Invitation, OrganizationId, type RenewedInvitation } from "@lectern/model/organizations"
import { type Page, PageQuery } from "@lectern/model/schema"
import { UserId } from "@lectern/model/users"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { presentUsers } from "../../views/users/presentUsers.ts"
import type { Mails } from "../mail/Mails.ts"
import { makeSignInLinkBase } from "../sessions/signInLinkBase.ts"
import { makeSignInLinkIssuer } from "../sessions/signInLinks.ts"
import { signInLinkUrl } from "../sessions/signInMails.ts"
import { invitationLifetimeMillis, makeInvitationSender, storeInvitation } from "./invitationMails.ts"
import { removeMembership } from "./memberships.ts"

interface OneInvitation {
  readonly organization: OrganizationId
  readonly user: UserId
}

/**
 * Operations on invitations, on behalf of the `CurrentUser`. They require the role `admin`, and fail with `NotFound` for a member
 * who has signed in: the first sign-in accepts an invitation.
 */
export interface InvitationsOperations {
  /** Lists the members who were invited by e-mail address and have not signed in yet, in the order of their ids. */
  readonly list: Query<{ organization: OrganizationId; input?: PageQuery }, Page<Invitation>, AccessError>
  /**
   * Sends the invitation again. If the server cannot send e-mail, returns a link that signs the user in once: only an account that
   * was never used and that is in no other organization, and not to tokens that are limited to permissions. Fails with `Conflict` if the recipient has received too many e-mails, and
   * for a member who has signed in before, with the ways in which they sign in again.
   */
  readonly renew: Command<OneInvitation, RenewedInvitation, AccessError | Conflict>
  /** Revokes the invitation, and removes the membership. */
  readonly revoke: Command<OneInvitation, void, AccessError>
}

const makeInvitationAccess = Effect.gen(function* () {
  const { allow } = yield* Operations
  const links = yield* SystemGrant.make("Creates the links of invitations, which are rows of users.")
  const sender = yield* makeInvitationSender
  const administrate = allow.organization("administrate")

  const allowInvitation: Authorization<
    OneInvitation,
    { readonly caller: Caller; readonly invitation: InvitationRow },
    AccessError
  > = {
    rule: administrate.rule,
    check: Effect.fnUntraced(function* ({ organization, user }) {
      const { caller, grant } = yield* administrate.check({ organization })
      const invitation = yield* grant.records.get(invitations, { organization, user })
      return invitation === undefined ? yield* NotFound.of("invite") : { caller, grant, invitation }
    })
  }

  /** The error for a member who has signed in before. Only they and the operator create links for them. */
  const alreadySignedIn = (email: string): Conflict =>
    new Conflict({
      reason: "AlreadySignedIn",
      message: `The member has signed in before, so that the invitation has ended. ${
        sender.hasMail
          ? "The sign-in page sends them a link."
          : `Ask the operator to print a link with \`lectern sign-in ${email}\`, or to set LECTERN_SMTP_URL, so that the sign-in page sends one.`
      }`
    })

  /** Authorizes a renewal, and explains it to the administrators of a member who has signed in before. */
  const allowRenewal: Authorization<
    OneInvitation,
    { readonly caller: Caller; readonly invitation: InvitationRow },
    AccessError | Conflict
  > = {
    rule: administrate.rule,
    check: (target) =>
      Effect.catchTag(
        allowInvitation.check(target),
        "NotFound",
        Effect.fnUntraced(function* (missing) {
          const { grant } = yield* administrate.check(target)
          const member = yield* grant.records.get(members, target, ["id"])
          if (member === undefined) return yield* missing
          const signedIn = yield* links.records.get(signedInUsers, { user: target.user })
          const account = yield* grant.records.get(users, { id: target.user })
          return signedIn === undefined || account === undefined
            ? yield* missing
            : yield* alreadySignedIn(account.email)
        })
      )
  }

  return { links, sender, administrate, allowInvitation, allowRenewal }
})

const makeInvitations = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const createLink = yield* makeSignInLinkIssuer
  const base = yield* PublicUrl
  const linkBase = yield* makeSignInLinkBase
  const present = (row: InvitationRow, email: string): Invitation => ({ object: "invitation", ...row, email })
  const { administrate, allowRenewal, sender, links, allowInvitation } = yield* makeInvitationAccess

  return {
    list: query(
      "Invitations.list",
      { parameters: { organization: OrganizationId, input: PageQuery }, authorize: administrate },
      function* ({ organization, input }, { records }) {
        return yield* readPage(records, input, {
          table: invitations,
          list: ["invitations", organization],
          where: Where.eq<InvitationRow, "organization">("organization", organization),
          orderBy: ["user"],
          direction: "asc",
          present: (rows) =>
            Effect.map(
              presentUsers(
                records,
                base,
                rows.map(({ user }) => user)
              ),
              (byId) => rows.map((row) => present(row, byId.get(row.user)?.email ?? ""))
            )
        })
      }
    ),

    renew: command(
      "Invitations.renew",
      {
        parameters: { organization: OrganizationId, user: UserId },
        authorize: withFreshSignIn(allowRenewal),
        locks: Locks.organization
      },
      function* ({ organization, user }, { caller, invitation, records }) {
        const account = yield* records.get(users, { id: user })
        if (account === undefined) return yield* NotFound.of("user")
        const row = { ...(yield* sender.newRow({ ...invitation, invitedBy: caller.user })) }
        const renewed = { ...row, createdAt: invitation.createdAt }
        yield* storeInvitation(records, renewed)
        const presented = present(renewed, account.email)
        if (sender.hasMail) {
          if (yield* sender.send(renewed, account.email)) return presented
          return yield* new Conflict({
            reason: "LimitReached",
            message: "The address has received too many e-mails in the last hour. Try again later."
          })
        }
        // The session of the link would not end with the token or the program.
        if (isLimited((yield* CurrentUser).token)) return presented
        const { secret } = yield* createLink(links.records, {
          user,
          method: "link",
          firstSignInOf: organization,
          lifetimeMillis: invitationLifetimeMillis
        })
        const result: RenewedInvitation = { ...presented, url: signInLinkUrl(yield* linkBase, secret) }
        return result
      }
    ),

    revoke: command(
      "Invitations.revoke",
      {
        parameters: { organization: OrganizationId, user: UserId },
        authorize: allowInvitation,
        locks: Locks.organization
      },
      function* ({ organization, user }, { records }) {
        const member = yield* records.get(members, { organization, user })
        if (member !== undefined) yield* removeMembership(records, member)
      }
    )
  }
})

/** Operations on invitations by e-mail address: see {@link InvitationsOperations}. */
export class Invitations extends Context.Service<Invitations, InvitationsOperations>()(
  "@lectern/core/Invitations"
) {
  static readonly layer: Layer.Layer<Invitations, never, Records | Operations | Jobs | Mails> = Layer.effect(
    Invitations,
    makeInvitations
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
