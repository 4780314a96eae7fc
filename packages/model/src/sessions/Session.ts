/** Sessions: the sign-ins of people in browsers. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { InviteId } from "../organizations/Invite.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import { idSchema } from "../schema/Id.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, text } from "../schema/Text.ts"
import { Email, UserId } from "../users/User.ts"

/** The id of a session. It is not its secret. */
export const SessionId = idSchema("The id of a session.").pipe(Schema.brand("SessionId"))

/** The id of a session. It is not its secret. */
export type SessionId = string & Brand.Brand<"SessionId">

/**
 * How the user of a session has signed in: by a one-time link that was sent to their e-mail address (`email`), that an
 * administrator or an operator sent them (`link`), by SAML, by OpenID Connect or by a passkey.
 */
export const SignInMethod = Schema.Literals(["email", "link", "saml", "oidc", "passkey"])

/** How the user of a session has signed in. */
export type SignInMethod = typeof SignInMethod.Type

/** A session of a user in a browser. */
export class Session extends resource<Session>()(
  Schema.Struct({
    /** The kind of this object. */
    object: Schema.Literal("session"),
    /** The id of the session. */
    id: SessionId,
    /** The id of the user. */
    user: UserId,
    /** Whether the session authenticated this request. */
    current: Schema.Boolean,
    /**
     * How the user has signed in: by a one-time link in an e-mail (`email`), by one from an administrator (`link`), by SAML, by
     * OpenID Connect or by a passkey.
     */
    method: SignInMethod,
    /** The organization that the session is limited to. Absent if it opens all organizations of the user. */
    organization: Schema.optionalKey(OrganizationId),
    /** The browser and the operating system, as in `Firefox on Linux`. Absent if they are unknown. */
    device: Schema.optionalKey(Schema.String),
    /** The IP address at which the session started. Absent if it is unknown. */
    address: Schema.optionalKey(Schema.String),
    /** When the user signed in. */
    createdAt: Timestamp,
    /** When the user last proved who they are: sensitive operations require that it is at most 10 minutes ago. */
    authenticatedAt: Timestamp,
    /** When the session was last used, to the minute. */
    lastUsedAt: Timestamp,
    /** When the session expires, if it is used until then. */
    expiresAt: Timestamp
  }).annotate({ identifier: "Session", description: "A sign-in of a user in a browser." })
) {}

/** The secret of a sign-in link. */
const linkSecret = text({ min: 1, max: 200 })

/** The browser that signs in. */
export class SignInClient extends resource<SignInClient>()(
  Schema.Struct({
    /** The header `User-Agent`, of which the first 500 characters are used. */
    userAgent: Schema.optionalKey(text({ max: 500 })),
    /** The IP address. */
    address: Schema.optionalKey(text({ max: 100 })),
    /** The secret of the session that the browser has until now, which ends. */
    former: Schema.optionalKey(text({ max: 200 }))
  })
) {}

/** The use of a sign-in link. */
export class UseSignInLink extends resource<UseSignInLink>()(
  Schema.Struct({
    /** The secret of the link. */
    secret: linkSecret,
    /** The browser that signs in. */
    client: SignInClient,
    /** The user of the link, which the operation adds to acquire its locks. */
    user: Schema.optionalKey(UserId)
  })
) {}

/** The secret of a sign-in link that is shown before it is used. */
export class ReadSignInLink extends resource<ReadSignInLink>()(
  Schema.Struct({
    /** The secret of the link. */
    secret: linkSecret,
    /** The secret of the browser, which starts sign-ins at identity providers. */
    browser: Schema.optionalKey(text({ max: 200 }))
  })
) {}

/** The maximum length of a path to return to after a sign-in, in characters. */
const maximumPathLength = 2_000

/** The recipient of a sign-in link in an e-mail. */
export class RequestSignInLink extends resource<RequestSignInLink>()(
  Schema.Struct({
    /** The e-mail address of the account. */
    email: Email,
    /** The path to return to, below the URL of the workspace and without its leading slash. */
    returnTo: Schema.optionalKey(text({ max: maximumPathLength })),
    /** The header `Accept-Language`, which determines the language of the e-mail. */
    languages: Schema.optionalKey(text({ max: 500 })),
    /** The IP address of the client. */
    address: Schema.optionalKey(text({ max: 100 })),
    /** The invite link by which the recipient joins; an account is created if none has the address. */
    join: Schema.optionalKey(Schema.Struct({ organization: OrganizationId, invite: InviteId }))
  })
) {}

/** The account for a new sign-in link of the operator. */
export class CreateSignInLink extends resource<CreateSignInLink>()(
  Schema.Struct({
    /** The e-mail address of the account. */
    email: Email
  })
) {}

/** The sessions of a user that the operator ends. */
export class EndSessions extends resource<EndSessions>()(
  Schema.Struct({
    /** The session; all sessions of the user by default. */
    session: Schema.optionalKey(SessionId)
  })
) {}
