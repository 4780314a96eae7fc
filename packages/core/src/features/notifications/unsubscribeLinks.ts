/** The links by which recipients end e-mails without signing in, with one click (RFC 8058). */

import { Encryption, PublicUrl, type StorageUnavailable } from "@lectern/kernel"
import { OrganizationId } from "@lectern/model/organizations"
import { UserId } from "@lectern/model/users"
import { Effect, Option, Schema } from "effect"

/** The path prefix of the links, below the URL of the workspace. */
export const unsubscribePath = "/~/unsubscribe/"

/** The maximum length of the token of a link, in characters. */
export const maximumUnsubscribeTokenLength = 1_000

const place = "unsubscribe link"

const Recipient = Schema.Struct({ organization: OrganizationId, user: UserId })

/** The recipient of e-mails of an organization. */
export type Recipient = typeof Recipient.Type

const decodeRecipient = Schema.decodeUnknownOption(Schema.fromJsonString(Recipient))

/** Creates the functions that write and read links. A link contains its recipient, encrypted, and does not expire. */
export const makeUnsubscribeLinks = Effect.gen(function* () {
  const encryption = yield* Encryption
  const base = yield* PublicUrl
  return {
    /** Returns the link of a recipient. */
    linkOf: ({ organization, user }: Recipient): Effect.Effect<string, StorageUnavailable> =>
      Effect.map(
        encryption.encrypt(JSON.stringify({ organization, user }), place),
        (token) => `${base}${unsubscribePath}${encodeURIComponent(token)}`
      ),

    /** Returns the recipient of the token of a link; undefined for an invalid one. */
    recipientOf: (token: string): Effect.Effect<Recipient | undefined, StorageUnavailable> =>
      Effect.map(encryption.decrypt(token, place), (text) =>
        text === undefined ? undefined : Option.getOrUndefined(decodeRecipient(text))
      )
  }
})
