/** Single sign-on logins by SAML. */

import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { OrganizationId } from "../organizations/Organization.ts"
import { resource } from "../schema/resource.ts"
import { text } from "../schema/Text.ts"
import { Email, type UserId } from "../users/User.ts"

/** Lectern as the service provider of one SAML provider. */
export interface SamlService {
  /** The assertion consumer service URL, which receives SAML responses. */
  readonly acsURL: string
  /** The URL at which users start to log in. */
  readonly startURL: string
  /** The entity id of Lectern for this provider, which is also the URL of its metadata. */
  readonly entityID: string
}

/** The settings of an active SAML provider. */
export interface SamlIdentityProvider {
  /** The entity id of the identity provider, the issuer of its responses. */
  readonly entityID: string
  /** The X.509 certificate that verifies responses, as PEM. */
  readonly certificate: string
  /** The login URL of the identity provider. */
  readonly ssoURL: string
}

/** Both parties of a SAML login. */
export interface SamlParties {
  /** Lectern as the service provider. */
  readonly service: SamlService
  /** The identity provider. */
  readonly provider: SamlIdentityProvider
}

/** A SAML login that has started. */
export interface SamlLoginRequest {
  /** The parties of the login. */
  readonly parties: SamlParties
  /** The id of the SAML request to send. */
  readonly requestId: string
  /** The relay state to send with the request, which the identity provider returns with its response. */
  readonly state: string
}

/** The user whom a verified SAML response names. */
export class SamlIdentity extends resource<SamlIdentity>()(
  Schema.Struct({
    /** The id of the SAML request that the signed response is for (`InResponseTo`), 1 to 512 characters. */
    inResponseTo: text({ min: 1, max: 512 }),
    /** The e-mail address of the user. */
    email: Email,
    /** The name that other users see, at most 1000 characters, of which 64 are stored. Used for a new account only. */
    displayName: Schema.optionalKey(text({ max: 1_000 }))
  })
) {}

const relayState = text({ max: 1_000 })

/** The browser that starts a login. */
export class BeginSamlLogin extends resource<BeginSamlLogin>()(
  Schema.Struct({
    /** The digest of the secret of the browser, which can finish the login without a confirmation: 64 hexadecimal digits. */
    browser: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)))
  })
) {}

/** The relay state of a response that is not verified yet. */
export class ResumeSamlLogin extends resource<ResumeSamlLogin>()(
  Schema.Struct({
    /** The relay state, at most 1000 characters. */
    state: relayState
  })
) {}

/** The verified response of an identity provider. */
export class FinishSamlLogin extends resource<FinishSamlLogin>()(
  Schema.Struct({
    /** The user whom the response names. */
    identity: SamlIdentity,
    /** The relay state of the response, at most 1000 characters. */
    state: relayState
  })
) {}

/** A finished SAML login. */
export interface SamlLogin {
  /** An API token of the user, which is limited to the organization. */
  readonly token: Redacted.Redacted<string>
  /** The id of the user. */
  readonly user: UserId
  /** The id of the organization that the token is limited to. */
  readonly organization: OrganizationId
  /** When the token expires: 30 days after the login. */
  readonly expiresAt: string
}

/** A SAML login in a browser, which a one-time link finishes. */
export interface SamlBrowserLogin {
  /** The secret of the link, which starts a session that is limited to the organization. */
  readonly link: Redacted.Redacted<string>
}
