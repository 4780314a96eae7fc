/**
 * The job that sends sign-in links. The link is created when it is sent, so that its secret is never stored. An account is created
 * for an address that an organization admits: by an invite link, or by its domain.
 */

import { Locks, SystemGrant } from "@lectern/access"
import { Ids, type JobHandler, PublicUrl, Records, Where } from "@lectern/kernel"
import { emailDomains, invites, organizations, type UserRow, users } from "@lectern/kernel/tables"
import { languageOf } from "@lectern/model/mail"
import { RequestSignInLink } from "@lectern/model/sessions"
import { Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Mails } from "../mail/Mails.ts"
import { makeSignInLinkIssuer, requestedLinkMillis } from "../sessions/signInLinks.ts"
import { signInLinkUrl, signInMailJob } from "../sessions/signInMails.ts"
import { requireUsable } from "./inviteRules.ts"
import { admitsDomainOf, joinPath } from "./Joins.ts"
import { findOrCreateUsers } from "./memberships.ts"

const decodePayload = Schema.decodeUnknownEffect(RequestSignInLink)

/** Creates the handler of the jobs. */
export const makeSignInMails = Effect.gen(function* () {
  const mails = yield* Mails
  const store = yield* Records
  const ids = yield* Ids
  const { records } = yield* SystemGrant.make("Sends sign-in links to the addresses of accounts.")
  const createLink = yield* makeSignInLinkIssuer
  const base = yield* PublicUrl

  /** Whether an invite link can be used by a new person. */
  const admitsByInvite = Effect.fnUntraced(function* ({
    organization,
    invite: id
  }: NonNullable<RequestSignInLink["join"]>) {
    const owner = yield* records.get(organizations, { id: organization }, ["sso", "inviteLinks"])
    const invite = yield* records.get(invites, { id })
    if (owner === undefined || owner.sso || !owner.inviteLinks || invite?.organization !== organization)
      return false
    return yield* Effect.isSuccess(requireUsable(records, invite))
  })

  /** Returns the path on which a new person joins: that of the request, or of an organization that admits their domain. */
  const pathOfNewPerson = Effect.fnUntraced(function* ({ email, join, returnTo }: RequestSignInLink) {
    if (join !== undefined) return (yield* admitsByInvite(join)) ? returnTo : undefined
    const found = yield* records.find(emailDomains, {
      where: Where.eq("domain", email.slice(email.lastIndexOf("@") + 1)),
      orderBy: ["organization"],
      limit: 100
    })
    const owners = yield* records.find(organizations, {
      where: Where.isIn(
        "id",
        found.map(({ organization }) => organization)
      ),
      orderBy: ["id"]
    })
    const owner = owners.find((one) => admitsDomainOf(one, email))
    return owner === undefined ? undefined : joinPath(owner.id)
  })

  const send = Effect.fnUntraced(function* (request: RequestSignInLink) {
    const { email, languages } = request
    const account = yield* records.first(users, { where: Where.eq<UserRow, "email">("email", email) })
    const returnTo = account === undefined ? yield* pathOfNewPerson(request) : request.returnTo
    if (account === undefined && returnTo === undefined) return
    const { id: user } =
      account ??
      (yield* store.lockedTransaction(
        Locks.accounts,
        Effect.map(
          findOrCreateUsers(records, ids, new Map([[email, undefined]])),
          (created) => created.get(email)!
        )
      ))
    const { secret } = yield* createLink(records, {
      user,
      method: "email",
      lifetimeMillis: requestedLinkMillis
    })
    yield* mails.send(email, {
      template: "signIn",
      language: languageOf(languages),
      url: signInLinkUrl(base, secret, returnTo),
      organization: "",
      inviter: ""
    })
  })

  const handler: JobHandler = {
    kind: signInMailJob,
    run: (payload) => Effect.as(Effect.flatMap(Effect.orDie(decodePayload(payload)), send), Effect.void),
    locks: () => []
  }
  return handler
}).pipe(Effect.provide(SecureRandom.layerWebCrypto))
