/** Signs people in by links that are sent by e-mail or created by an operator. */

import { addAuditDetails, Locks, Operations } from "@lectern/access"
import { Jobs, now, Where } from "@lectern/kernel"
import {
  type ApiTokenRow,
  apiTokens,
  type InvitationRow,
  invitations,
  type MemberRow,
  members,
  type SignInLinkRow,
  signedInUsers,
  signInLinks,
  type UserRow,
  users
} from "@lectern/kernel/tables"
import { NotFound, Unauthenticated } from "@lectern/model/errors"
import { CreateSignInLink, ReadSignInLink, RequestSignInLink, UseSignInLink } from "@lectern/model/sessions"
import { Effect } from "effect"
import { Mails } from "../mail/Mails.ts"
import { digestOf, makeSessionIssuer } from "./sessionIssuer.ts"
import { makeSignInAccess, noteSignIn } from "./signInAccess.ts"
import { isOfInvitation, makeSignInLinkIssuer, requestedLinkMillis } from "./signInLinks.ts"
import { signInMailJob } from "./signInMails.ts"

const invalidLink = new Unauthenticated({
  reason: "LinkInvalid",
  message: "The sign-in link has expired or was used before. Request another one."
})

/** Creates the function that finds a link which can be used, with its account. */
const makeLinkFinder = Effect.gen(function* () {
  const { records } = yield* makeSignInAccess

  /** Whether a link that an administrator can see still signs its user in: the account was never used. */
  const isUnclaimed = Effect.fnUntraced(function* ({ user, firstSignInOf }: SignInLinkRow) {
    if (firstSignInOf === null) return true
    const signedIn = yield* records.get(signedInUsers, { user }, ["user"])
    const token = yield* records.first(apiTokens, {
      select: ["id"],
      where: Where.eq<ApiTokenRow, "user">("user", user)
    })
    const elsewhere = yield* records.first(members, {
      select: ["id"],
      where: Where.and<MemberRow>(Where.eq("user", user), Where.not(Where.eq("organization", firstSignInOf)))
    })
    return signedIn === undefined && token === undefined && elsewhere === undefined
  })

  /** Whether the invitation that a link was sent with is open: neither revoked, renewed nor accepted. */
  const isInvited = Effect.fnUntraced(function* (link: SignInLinkRow) {
    if (!isOfInvitation(link)) return true
    const open = yield* records.first(invitations, {
      select: ["user"],
      where: Where.and<InvitationRow>(Where.eq("user", link.user), Where.eq("expiresAt", link.expiresAt))
    })
    return open !== undefined
  })

  return Effect.fnUntraced(function* ({ secret }: ReadSignInLink) {
    const link = yield* records.get(signInLinks, { digest: digestOf(secret) })
    if (link === undefined || link.expiresAt <= (yield* now)) return yield* invalidLink
    const account = yield* records.get(users, { id: link.user })
    if (account === undefined || !(yield* isUnclaimed(link)) || !(yield* isInvited(link)))
      return yield* invalidLink
    return { link, account }
  })
})

/** Creates the operations on sign-in links. */
export const makeLinkSignIns = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const jobs = yield* Jobs
  const mails = yield* Mails
  const { allowPages } = yield* makeSignInAccess
  const { start } = yield* makeSessionIssuer
  const createLink = yield* makeSignInLinkIssuer
  const findLink = yield* makeLinkFinder

  const allowAccounts = allow.operator("sign-in links of all accounts")

  return {
    hasMail: mails.isAvailable,

    createLink: command(
      "SignIns.createLink",
      { parameters: { input: CreateSignInLink }, authorize: allowAccounts, locks: () => Locks.none },
      function* ({ input: { email } }, { records }) {
        const account = yield* records.first(users, { where: Where.eq<UserRow, "email">("email", email) })
        if (account === undefined) return yield* NotFound.of("user")
        yield* addAuditDetails({ resources: [`user:${account.id}`] })
        return yield* createLink(records, {
          user: account.id,
          method: "link",
          lifetimeMillis: requestedLinkMillis
        })
      }
    ),

    requestLink: command(
      "SignIns.requestLink",
      { parameters: { input: RequestSignInLink }, authorize: allowPages, locks: () => Locks.none },
      function* ({ input: { address, ...mail } }) {
        // The request names no user who could be found out: the sign-in is recorded instead.
        yield* addAuditDetails({ isUnrecorded: true })
        if (!mails.isAvailable) return
        const isAdmitted = yield* mails.admit({ recipient: mail.email, address })
        // The job searches for the account, so that this request does not reveal whether there is one.
        if (isAdmitted) yield* jobs.enqueue(signInMailJob, mail)
      }
    ),

    readLink: query(
      "SignIns.readLink",
      { parameters: { input: ReadSignInLink }, authorize: allowPages },
      function* ({ input }) {
        const { account, link } = yield* findLink(input)
        const isOfBrowser =
          link.browser !== null && input.browser !== undefined && link.browser === digestOf(input.browser)
        return { user: account.id, email: account.email, isOfBrowser }
      }
    ),

    useLink: command(
      "SignIns.useLink",
      {
        parameters: { input: UseSignInLink },
        authorize: allowPages,
        locks: ({ input }) => Locks.memberships(input.user),
        // Outside of the transaction, whose locks depend on the user.
        prepare: ({ input }) =>
          Effect.map(findLink(input), ({ account }) => ({ input: { ...input, user: account.id } }))
      },
      function* ({ input: { secret, client } }, { records }) {
        const digest = digestOf(secret)
        const link = yield* records.get(signInLinks, { digest })
        // Of several concurrent requests, one removes the row.
        const removed = yield* records.remove(signInLinks, Where.eq("digest", digest))
        if (link === undefined || removed === 0) return yield* invalidLink
        const { user: owner, method, provider } = link
        // Administrators have seen such a link: its session must not reach organizations that the user joins later.
        const organization = link.organization ?? link.firstSignInOf
        const issued = yield* start(records, { user: owner, method, organization, provider, client })
        yield* noteSignIn(records, owner, organization, issued.row.id)
        const { id, user, expiresAt } = issued.row
        return { id, user, secret: issued.secret, expiresAt }
      }
    )
  }
})
