/** SAML messages that the service sends: its requests and its metadata. */
import type { SamlParties } from "@lectern/core"
import { SAML, ValidateInResponseTo } from "@node-saml/node-saml"
import { Effect } from "effect"

/** The tolerated difference to the clock of an identity provider, in milliseconds. */
export const clockSkewMillis = 60_000

/** Creates the library's view of both parties. `requestId` is the id of the request to create. */
export const makeSaml = ({ service, provider }: SamlParties, requestId?: string) =>
  new SAML({
    callbackUrl: service.acsURL,
    issuer: service.entityID,
    audience: service.entityID,
    entryPoint: provider.ssoURL,
    idpIssuer: provider.entityID,
    idpCert: provider.certificate,
    acceptedClockSkewMs: clockSkewMillis,
    // Either the response or the assertion must be signed. The library ignores everything that is not.
    wantAssertionsSigned: false,
    wantAuthnResponseSigned: false,
    // The identity provider decides how it authenticates its users.
    disableRequestedAuthnContext: true,
    // The workspace stores request ids in the database, so that any process can receive the response.
    validateInResponseTo: ValidateInResponseTo.never,
    ...(requestId === undefined ? {} : { generateUniqueId: () => requestId })
  })

/** Returns the URL of the provider that starts a login. The provider returns `state` with its response. */
export const authorizeUrl = (parties: SamlParties, requestId: string, state: string): Effect.Effect<string> =>
  Effect.promise(() => makeSaml(parties, requestId).getAuthorizeUrlAsync(state, undefined, {}))

/** Returns the metadata of the service as XML, which identity providers are configured with. */
export const serviceMetadata = (service: SamlParties["service"]): string =>
  makeSaml({
    service,
    // The library requires a provider, although the metadata does not contain it.
    provider: { entityID: service.entityID, certificate: "-", ssoURL: service.startURL }
  }).generateServiceProviderMetadata(null)
