/** The job that sends sign-in links. The link is created when it is sent, so that its secret is never stored. */

import { RequestSignInLink } from "@lectern/model/sessions"
import { Effect, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SystemGrant } from "../../access/grants/SystemGrant.ts"
import type { JobHandler } from "../../kernel/jobs/Jobs.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { Where } from "../../kernel/storage/index.ts"
import { type UserRow, users } from "../../tables/users/userTable.ts"
import { Mails } from "../mail/Mails.ts"
import { languageOf } from "../mail/mailTexts.ts"
import { makeSignInLinkIssuer } from "./signInLinks.ts"

/** The kind of the jobs. */
export const signInMailJob = "sessions.mail"

/** The path of sign-in links below the URL of the workspace. */
export const signInLinksPath = "/~/sign-in/"

/** Returns the URL of a sign-in link. */
export const signInLinkUrl = (base: string, secret: Redacted.Redacted<string>, returnTo = ""): string =>
  `${base}${signInLinksPath}${Redacted.value(secret)}${
    returnTo === "" ? "" : `?${new URLSearchParams({ return: returnTo })}`
  }`

const lifetimeMillis = 15 * 60 * 1_000

const decodePayload = Schema.decodeUnknownEffect(RequestSignInLink)

/** Creates the handler of the jobs. */
export const makeSignInMails = Effect.gen(function* () {
  const mails = yield* Mails
  const { records } = yield* SystemGrant.make("Sends sign-in links to the addresses of accounts.")
  const createLink = yield* makeSignInLinkIssuer
  const base = yield* PublicUrl

  const send = Effect.fnUntraced(function* ({ email, returnTo, languages }: RequestSignInLink) {
    const account = yield* records.first(users, { where: Where.eq<UserRow, "email">("email", email) })
    if (account === undefined) return
    const { secret } = yield* createLink(records, { user: account.id, method: "email", lifetimeMillis })
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
