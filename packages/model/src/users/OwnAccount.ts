/** The export and the erasure of a person's own data. */
import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { Email, UserId } from "./User.ts"

/** The confirmation of an erasure. */
export class EraseAccount extends resource<EraseAccount>()(
  Schema.Struct({
    /** The e-mail address of the account, which the person types. */
    email: Email
  }).annotate({ identifier: "EraseAccount", description: "The confirmation of the erasure of an account." })
) {}

/** Entries of a person's data, in the order of their ids. */
export interface OwnEntries<A> {
  /** The entries. */
  readonly items: ReadonlyArray<A>
  /** Whether there are more entries than the export contains. */
  readonly isCut: boolean
}

const entriesOf = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct({
    /** The entries, in the order of their ids: at most 10,000, with at most 4,000,000 characters. */
    items: Schema.Array(Schema.Struct(fields)),
    /** Whether there are more entries than the export contains. */
    isCut: Schema.Boolean
  })

/** Everything that a server stores about a person. It contains neither secrets nor content of other people. */
export class OwnData extends resource<OwnData>()(
  Schema.Struct({
    /** The kind of this object. */
    object: Schema.Literal("own-data"),
    /** The account. */
    account: Schema.Struct({
      /** The id of the user. */
      id: UserId,
      /** The e-mail address. */
      email: Schema.String,
      /** The name that other users see. */
      displayName: Schema.String,
      /** The URL of the profile image; null for none. */
      photoURL: Schema.NullOr(Schema.String),
      /** When the account was created. */
      createdAt: Timestamp
    }),
    /** The memberships of organizations. */
    memberships: entriesOf({
      /** The id of the organization. */
      organization: Schema.String,
      /** The title of the organization. */
      title: Schema.String,
      /** The role in the organization; null for guests. */
      role: Schema.NullOr(Schema.String),
      /** When the person became a member. */
      joinedAt: Timestamp,
      /** When the person was last seen; null for never. */
      lastSeenAt: Schema.NullOr(Timestamp)
    }),
    /** The teams that the person belongs to. */
    teams: entriesOf({
      /** The id of the team. */
      team: Schema.String,
      /** The role in the team. */
      role: Schema.String
    }),
    /** The sessions, with their browsers and addresses. */
    sessions: entriesOf({
      /** How the person has signed in. */
      method: Schema.String,
      /** The header `User-Agent` of the browser; null if it is unknown. */
      userAgent: Schema.NullOr(Schema.String),
      /** The IP address at which the session started; null if it is unknown. */
      address: Schema.NullOr(Schema.String),
      /** When the person signed in. */
      createdAt: Timestamp,
      /** When the session was last used. */
      lastUsedAt: Timestamp
    }),
    /** The API tokens, without their secrets. */
    tokens: entriesOf({
      /** The label of the token. */
      label: Schema.String,
      /** When the token was created. */
      createdAt: Timestamp,
      /** When the token was last used; null for never. */
      lastUsedAt: Schema.NullOr(Timestamp)
    }),
    /** The identities at OpenID Connect providers. */
    identities: entriesOf({
      /** The id of the provider. */
      provider: Schema.String,
      /** The id of the person at the provider. */
      subject: Schema.String,
      /** When the person first logged in by the provider. */
      createdAt: Timestamp
    }),
    /** The statements of identity providers of organizations about the person. */
    provisioned: entriesOf({
      /** The id of the organization. */
      organization: Schema.String,
      /** The user name at the provider. */
      userName: Schema.String,
      /** The id at the provider; null for none. */
      externalId: Schema.NullOr(Schema.String),
      /** The display name at the provider; null for none. */
      displayName: Schema.NullOr(Schema.String),
      /** The full name at the provider; null for none. */
      formatted: Schema.NullOr(Schema.String),
      /** The family name at the provider; null for none. */
      familyName: Schema.NullOr(Schema.String),
      /** The given name at the provider; null for none. */
      givenName: Schema.NullOr(Schema.String)
    }),
    /** The passkeys, without their keys. */
    passkeys: entriesOf({
      /** The name of the passkey. */
      name: Schema.String,
      /** The host name that it is bound to. */
      host: Schema.String,
      /** When it was added. */
      createdAt: Timestamp,
      /** When it was last used; null for never. */
      lastUsedAt: Schema.NullOr(Timestamp)
    }),
    /** The favorites and recent pages. */
    places: entriesOf({
      /** Whether it is a favorite or a recent page. */
      kind: Schema.String,
      /** The id of the space. */
      space: Schema.String,
      /** The id of the page; empty for the space itself. */
      page: Schema.String,
      /** When the person marked or opened it. */
      at: Timestamp
    }),
    /** The notifications. */
    notifications: entriesOf({
      /** The kind of the notification. */
      kind: Schema.String,
      /** The id of the space; null if it is about none. */
      space: Schema.NullOr(Schema.String),
      /** When its event happened. */
      createdAt: Timestamp,
      /** When the person marked it as read; null if they have not. */
      readAt: Schema.NullOr(Timestamp)
    }),
    /** How the person receives notifications in organizations. */
    notificationSettings: entriesOf({
      /** The id of the organization. */
      organization: Schema.String,
      /** How the person receives notifications. */
      delivery: Schema.String,
      /** The language of e-mails; null for the default. */
      language: Schema.NullOr(Schema.String)
    }),
    /** How the person receives notifications about single spaces. */
    spaceNotificationSettings: entriesOf({
      /** The id of the space. */
      space: Schema.String,
      /** How the person receives notifications. */
      delivery: Schema.String
    }),
    /** The comments that the person has written. */
    comments: entriesOf({
      /** The id of the comment. */
      id: Schema.String,
      /** The id of the space. */
      space: Schema.String,
      /** The comment, in Markdown. */
      body: Schema.String,
      /** When the comment was posted. */
      postedAt: Timestamp
    }),
    /** The replies that the person has written. */
    replies: entriesOf({
      /** The id of the reply. */
      id: Schema.String,
      /** The id of the comment. */
      comment: Schema.String,
      /** The reply, in Markdown. */
      body: Schema.String,
      /** When the reply was posted. */
      postedAt: Timestamp
    }),
    /** The reactions to comments and replies. */
    reactions: entriesOf({
      /** The id of the comment or the reply. */
      target: Schema.String,
      /** The emoji. */
      emoji: Schema.String,
      /** When the person reacted. */
      reactedAt: Timestamp
    }),
    /** The change requests that the person has created. */
    changeRequests: entriesOf({
      /** The id of the change request. */
      id: Schema.String,
      /** The id of the space. */
      space: Schema.String,
      /** The subject. */
      subject: Schema.String,
      /** When the change request was created. */
      createdAt: Timestamp
    }),
    /** The reviews that the person has submitted. */
    reviews: entriesOf({
      /** The id of the review. */
      id: Schema.String,
      /** The id of the change request. */
      changeRequest: Schema.String,
      /** The result. */
      status: Schema.String,
      /** When the review was submitted. */
      createdAt: Timestamp
    })
  }).annotate({
    identifier: "OwnData",
    description:
      "Everything that the server stores about a person, without secrets and content of other people."
  })
) {}
