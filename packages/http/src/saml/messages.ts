/** SAML messages: creates requests and metadata, and verifies the responses of identity providers. */
import { SamlIdentity, type SamlParties, Unauthenticated } from "@lectern/core"
import { type Profile, SAML, ValidateInResponseTo } from "@node-saml/node-saml"
import { Clock, Effect, Schema } from "effect"

/** The tolerated difference to the clock of an identity provider, in milliseconds. */
const clockSkewMillis = 60_000

/** The names of the attributes that common identity providers use for the e-mail address and the display name. */
const emailAttributes = [
  "email",
  "mail",
  "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
  "urn:oid:0.9.2342.19200300.100.1.3"
]
const nameAttributes = [
  "displayName",
  "name",
  "http://schemas.microsoft.com/identity/claims/displayname",
  "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name",
  "urn:oid:2.16.840.1.113730.3.1.241"
]

/** An XML element of the signed part of a response, as the library parses it: attributes in `$`, text in `_`. */
interface Element {
  readonly $?: { readonly [name: string]: string | undefined }
  readonly _?: string
  readonly [child: string]: unknown
}

const childElements = (element: Element | undefined, name: string): ReadonlyArray<Element> => {
  const found = element?.[name]
  return Array.isArray(found) ? (found as ReadonlyArray<Element>) : []
}

const makeSaml = ({ service, provider }: SamlParties, requestId?: string) =>
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

const invalidResponse = new Unauthenticated({
  reason: "LoginRefused",
  message: "The SAML response is invalid or expired. Start the login again."
})

/** Returns the first attribute that is present and not blank. */
const firstAttribute = (profile: Profile, names: ReadonlyArray<string>): string | undefined => {
  const attributes = (profile.attributes ?? {}) as Readonly<Record<string, unknown>>
  for (const name of names) {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    const text: unknown = Array.isArray(value) ? value[0] : value
    if (typeof text === "string" && text.trim() !== "") return text
  }
  return undefined
}

/** Returns the `Destination` of a response. It is not signed, so it is only used to reject responses, never to accept them. */
const destinationOf = (xml: string): string | undefined =>
  /<(?:[\w-]+:)?Response\b[^>]*?\sDestination\s*=\s*(["'])(.*?)\1/s.exec(xml)?.[2]

/**
 * Returns the id of the request that a signed assertion responds to, from a subject confirmation that is addressed to this
 * service and has not expired, or `undefined`. The library verifies signature, audience and times, but not the recipient.
 */
const confirmedRequestId = (
  assertion: Element | undefined,
  { service, provider }: SamlParties,
  nowMillis: number
): string | undefined => {
  if (childElements(assertion, "Issuer")[0]?._ !== provider.entityID) return undefined
  for (const confirmation of childElements(childElements(assertion, "Subject")[0], "SubjectConfirmation")) {
    const data = childElements(confirmation, "SubjectConfirmationData")[0]?.$
    const expiry = Date.parse(data?.NotOnOrAfter ?? "")
    const isConfirmed =
      confirmation.$?.Method === "urn:oasis:names:tc:SAML:2.0:cm:bearer" &&
      data?.Recipient === service.acsURL &&
      expiry + clockSkewMillis > nowMillis
    if (isConfirmed && data?.InResponseTo !== undefined) return data.InResponseTo
  }
  return undefined
}

/**
 * Verifies the signature, issuer, audience, recipient and times of a Base64 response, and returns the identity in it. All
 * failures are the same `Unauthenticated`, so that the sender of a forged response learns nothing about the check.
 */
export const verifySamlResponse = Effect.fnUntraced(function* (parties: SamlParties, response: string) {
  const { profile } = yield* Effect.tryPromise({
    try: () => makeSaml(parties).validatePostResponseAsync({ SAMLResponse: response }),
    catch: () => invalidResponse
  })
  if (profile === null) return yield* invalidResponse
  const destination = destinationOf(profile.getSamlResponseXml?.() ?? "")
  if (destination !== undefined && destination !== parties.service.acsURL) return yield* invalidResponse
  const { Assertion: assertion } = (profile.getAssertion?.() ?? {}) as { readonly Assertion?: Element }
  const inResponseTo = confirmedRequestId(assertion, parties, yield* Clock.currentTimeMillis)
  const displayName = firstAttribute(profile, nameAttributes)
  const identity = Schema.decodeUnknownOption(SamlIdentity)({
    inResponseTo,
    email: firstAttribute(profile, emailAttributes) ?? profile.nameID,
    ...(displayName === undefined ? {} : { displayName })
  })
  return identity._tag === "None" ? yield* invalidResponse : identity.value
})
