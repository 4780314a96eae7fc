/** Logins by OpenID Connect. */
import * as Schema from "effect/Schema"
import { OrganizationId } from "../organizations/Organization.ts"
import { TeamId } from "../organizations/Team.ts"
import { RoleOrGuest } from "../roles/Role.ts"
import { resource } from "../schema/resource.ts"
import { text } from "../schema/Text.ts"
import { SignInClient } from "../sessions/Session.ts"
import { Email, UserId } from "../users/User.ts"

/** The name of a provider in its URLs: 1 to 32 lower-case letters, digits and `-`. Providers of organizations have their ids. */
export const OidcProviderName = Schema.String.check(
  Schema.isPattern(/^[a-z0-9](?:[a-z0-9-]{0,31})$/, {
    message: "must be 1 to 32 lower-case letters, digits and -, and must not begin with -"
  })
)

/** Whether a string is a URL without credentials, which would be stored and shown, and without a query and a fragment. */
const isIssuer = (text: string): boolean => {
  if (text.length > 1_000 || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === "" && password === "" && !/[?#]/.test(text)
}

/** The URL of an issuer. Whether plain http is permitted is decided when it is used: only on the same machine. */
export const IssuerUrl = Schema.String.check(
  Schema.makeFilter(
    (url: string) =>
      isIssuer(url)
        ? undefined
        : "must be the URL of an issuer without credentials, query and fragment, at most 1000 characters",
    { expected: "the URL of an issuer", toJsonSchema: () => ({ format: "uri", maxLength: 1_000 }) }
  )
)

/** The rights of the members of a group of the provider. */
const GroupRights = Schema.Struct({
  /** The role in the organization; null for guests. The highest of the groups of a user applies. */
  role: Schema.optionalKey(RoleOrGuest),
  /** The team that the user joins. */
  team: Schema.optionalKey(TeamId)
})

/** A provider of OpenID Connect, which the operator of the instance has configured. */
export class OidcProviderSettings extends resource<OidcProviderSettings>()(
  Schema.Struct({
    /** Identifies the provider in URLs and in the links of accounts to it. */
    id: OidcProviderName,
    /** The name that users see, as in `Continue with Acme`, 1 to 30 characters. */
    label: text({ min: 1, max: 30 }),
    /** The URL of the issuer, below which its discovery document is. */
    issuer: IssuerUrl,
    /** The id of Lectern at the provider. */
    clientId: text({ min: 1, max: 500 }),
    /** The secret of Lectern at the provider; absent for a public client. */
    clientSecret: Schema.optionalKey(text({ min: 1, max: 2_000 })),
    /** The domains of e-mail addresses for which accounts are created; `*` for all. None by default: accounts must exist. */
    domains: Schema.optionalKey(Schema.Array(text({ min: 1, max: 253 }))),
    /** The organization that users of the provider join; none by default. */
    organization: Schema.optionalKey(OrganizationId),
    /** The role of new members; the default role of the organization by default. */
    role: Schema.optionalKey(RoleOrGuest),
    /** The claim with the groups of the user; `groups` by default. */
    groupsClaim: Schema.optionalKey(text({ min: 1, max: 100 })),
    /** The rights of groups by their names, which apply at each login. */
    groups: Schema.optionalKey(Schema.Record(Schema.String, GroupRights))
  })
) {}

/** The organization whose members log in by a provider. */
export class OidcProviderOwner extends resource<OidcProviderOwner>()(
  Schema.Struct({
    /** The organization. */
    organization: OrganizationId
  })
) {}

/** The digest of the secret of a browser: 64 hexadecimal digits. */
const BrowserDigest = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))

/** The state of a login, which the provider returns. */
const LoginState = text({ min: 1, max: 2_000 })

/** The browser that starts a login. */
export class BeginOidcLogin extends resource<BeginOidcLogin>()(Schema.Struct({ browser: BrowserDigest })) {}

/** The login that a browser continues. */
export class ResumeOidcLogin extends resource<ResumeOidcLogin>()(
  Schema.Struct({ browser: BrowserDigest, state: LoginState })
) {}

/** The maximum length of an ID token that is stored for the logout, in characters. */
export const maximumIdTokenLength = 8_192

/** The user whom a verified ID token names. */
export class FinishOidcLogin extends resource<FinishOidcLogin>()(
  Schema.Struct({
    /** The subject, which identifies the user at the provider. */
    subject: text({ min: 1, max: 255 }),
    /** The e-mail address. */
    email: Email,
    /** Whether the provider has verified the address. Otherwise the login is rejected. */
    isEmailVerified: Schema.Boolean,
    /** The name that other users see. Used for a new account only. */
    displayName: Schema.optionalKey(text({ max: 1_000 })),
    /** The groups of the user, of which the first 500 count. */
    groups: Schema.Array(Schema.String),
    /** The ID token, by which the provider recognizes its session at a logout. */
    idToken: Schema.optionalKey(text({ max: maximumIdTokenLength })),
    /** The browser that signs in. */
    client: SignInClient,
    /** The user who is signed in, if the account exists, which the operation adds to acquire its locks. */
    user: Schema.optionalKey(UserId)
  })
) {}
