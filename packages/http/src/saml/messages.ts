/** SAML messages: writes requests and metadata, and verifies the responses of identity providers. */
import { SamlIdentity, type SamlParties, Unauthenticated } from "@lectern/core"
import { type Profile, SAML, ValidateInResponseTo } from "@node-saml/node-saml"
import { Clock, Effect, Schema } from "effect"

/** How far the clock of an identity provider may be off, in milliseconds. */
const clockSkewMillis = 60_000

/** The names that identity providers give to the address of somebody, and to their name. */
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

/** What is signed of an answer, as the library reads XML: an element has its attributes in `$`, its text in `_`. */
interface Element {
  readonly $?: { readonly [name: string]: string | undefined }
  readonly _?: string
  readonly [child: string]: unknown
}
const childElements = (element: Element | undefined, name: string): ReadonlyArray<Element> => {
  const found = element?.[name]
  return Array.isArray(found) ? (found as ReadonlyArray<Element>) : []
}

const libraryOf = ({ service, provider }: SamlParties, question?: string) =>
  new SAML({
    callbackUrl: service.acsURL,
    issuer: service.entityID,
    audience: service.entityID,
    entryPoint: provider.ssoURL,
    idpIssuer: provider.entityID,
    idpCert: provider.certificate,
    acceptedClockSkewMs: clockSkewMillis,
    // One of the two has to be signed: the library takes nothing from what is not.
    wantAssertionsSigned: false,
    wantAuthnResponseSigned: false,
    // How people show who they are is for their identity provider to say.
    disableRequestedAuthnContext: true,
    // The workspace remembers its questions itself, so that any process takes the answer.
    validateInResponseTo: ValidateInResponseTo.never,
    ...(question === undefined ? {} : { generateUniqueId: () => question })
  })

/** Returns the URL that starts a login, with the request in it; the provider sends the state back with its response. */
export const authorizeUrl = (parties: SamlParties, question: string, state: string): Effect.Effect<string> =>
  Effect.promise(() => libraryOf(parties, question).getAuthorizeUrlAsync(state, undefined, {}))

/** Returns the metadata of the service, as XML. */
export const serviceMetadata = (service: SamlParties["service"]): string =>
  libraryOf({
    service,
    // None of it is in the metadata, but the library wants something that looks like it.
    provider: { entityID: service.entityID, certificate: "-", ssoURL: service.startURL }
  }).generateServiceProviderMetadata(null)

const invalidResponse = new Unauthenticated({
  reason: "LoginRefused",
  message: "The response of the identity provider is not valid."
})

const firstAttribute = (profile: Profile, names: ReadonlyArray<string>): string | undefined => {
  const attributes = (profile.attributes ?? {}) as Readonly<Record<string, unknown>>
  for (const name of names) {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    const one: unknown = Array.isArray(value) ? value[0] : value
    if (typeof one === "string" && one.trim() !== "") return one
  }
  return undefined
}

/** Returns the destination of a response, from its outermost element. It is not signed, so that it can only cause a rejection. */
const destinationOf = (xml: string): string | undefined =>
  /<(?:[\w-]+:)?Response\b[^>]*?\sDestination\s*=\s*(["'])(.*?)\1/s.exec(xml)?.[2]

/**
 * Returns the id of the request that a signed assertion responds to, by a confirmation that is addressed to this service
 * and has not expired; undefined where there is none. The library checks signature, audience and times, but not the
 * recipient.
 */
const confirmedRequestId = (
  assertion: Element | undefined,
  { service, provider }: SamlParties,
  nowMillis: number
): string | undefined => {
  if (childElements(assertion, "Issuer")[0]?._ !== provider.entityID) return undefined
  for (const confirmation of childElements(childElements(assertion, "Subject")[0], "SubjectConfirmation")) {
    const data = childElements(confirmation, "SubjectConfirmationData")[0]?.$
    const until = Date.parse(data?.NotOnOrAfter ?? "")
    const isGood =
      confirmation.$?.Method === "urn:oasis:names:tc:SAML:2.0:cm:bearer" &&
      data?.Recipient === service.acsURL &&
      until + clockSkewMillis > nowMillis
    if (isGood && data?.InResponseTo !== undefined) return data.InResponseTo
  }
  return undefined
}

/**
 * Verifies the signature, issuer, audience, recipient and times of a response, and returns the identity in it. Every
 * failure is the same `Unauthenticated`, so that the sender of a forged response learns nothing.
 */
export const verifySamlResponse = Effect.fnUntraced(function* (parties: SamlParties, answer: string) {
  const { profile } = yield* Effect.tryPromise({
    try: () => libraryOf(parties).validatePostResponseAsync({ SAMLResponse: answer }),
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
