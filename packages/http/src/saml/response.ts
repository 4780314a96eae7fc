/** Verifies the responses of identity providers. It runs in a thread, because the XML of a response is adversarial. */
import { SamlIdentity, type SamlParties } from "@lectern/core"
import type { Profile } from "@node-saml/node-saml"
import { Schema } from "effect"
import { clockSkewMillis, makeSaml } from "./messages.ts"

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

/** Matches one attribute of a start tag at a position. */
const attributePattern = /\s+([^\s=>/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y

/** Returns the position after `end`, or that of the end of the text. */
const positionAfter = (xml: string, end: string, from: number): number => {
  const at = xml.indexOf(end, from)
  return at === -1 ? xml.length : at + end.length
}

/** Returns the position after the name of the root element, without the declarations and comments before it. */
const positionInRoot = (xml: string): number => {
  let at = xml.indexOf("<")
  while (at !== -1) {
    if (xml.startsWith("<!--", at)) at = positionAfter(xml, "-->", at)
    else if (xml.startsWith("<?", at)) at = positionAfter(xml, "?>", at)
    else return at + /^<[^\s>/]*/.exec(xml.slice(at, at + 256))![0].length
    at = xml.indexOf("<", at)
  }
  return xml.length
}

/**
 * Returns the `Destination` of the root element. It is not signed, so it is only used to reject responses, never to accept
 * them. It reads only the start tag of the root, because what surrounds it is not signed either.
 */
export const destinationOf = (xml: string): string | undefined => {
  attributePattern.lastIndex = positionInRoot(xml)
  for (let match = attributePattern.exec(xml); match !== null; match = attributePattern.exec(xml)) {
    if (match[1] === "Destination") return match[2] ?? match[3]
  }
  return undefined
}

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
 * The algorithms that are accepted. The library also accepts SHA-1, for which collisions can be computed. Each is the
 * value of an attribute `Algorithm` of the element.
 */
const acceptedAlgorithms: Readonly<Record<string, ReadonlySet<string>>> = {
  SignatureMethod: new Set([
    "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
    "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1"
  ]),
  DigestMethod: new Set([
    "http://www.w3.org/2001/04/xmlenc#sha256",
    "http://www.w3.org/2001/04/xmlenc#sha512"
  ])
}

/** Matches the start tag of an element that names the algorithm of a signature or of a digest. */
const methodPattern = /<(?:[^\s<>/:]+:)?(SignatureMethod|DigestMethod)(?![^\s/>])([^<>]*)/g

/** Returns the attributes of a start tag, or `undefined` if the text between its name and its end is anything else. */
const attributesOf = (text: string): ReadonlyArray<readonly [name: string, value: string]> | undefined => {
  const attributes: Array<readonly [string, string]> = []
  let end = 0
  attributePattern.lastIndex = 0
  for (let match = attributePattern.exec(text); match !== null; match = attributePattern.exec(text)) {
    attributes.push([match[1]!, match[2] ?? match[3]!])
    end = attributePattern.lastIndex
  }
  return /^\s*\/?$/.test(text.slice(end)) ? attributes : undefined
}

/**
 * Whether every signature in a response has accepted algorithms, written without character references. A response with a
 * document type is rejected, because that could define entities.
 */
export const hasAcceptedAlgorithms = (xml: string): boolean =>
  !xml.includes("<!DOCTYPE") &&
  Array.from(xml.matchAll(methodPattern)).every(([, element, text]) => {
    const named = attributesOf(text!)?.filter(([name]) => /(^|:)Algorithm$/.test(name)) ?? []
    return named.length > 0 && named.every(([, value]) => acceptedAlgorithms[element!]!.has(value))
  })

/** A response to verify. */
export interface SamlResponseInput {
  /** The parties of the login. */
  readonly parties: SamlParties
  /** The response, as Base64. */
  readonly response: string
  /** The current time, in milliseconds since the epoch. */
  readonly nowMillis: number
}

/**
 * Verifies the signature and its algorithms, the issuer, audience, recipient and times of a response, and returns the identity in it, or
 * `undefined`. All failures are the same, so that the sender of a forged response learns nothing about the check.
 */
export const verifyResponse = async ({
  parties,
  response,
  nowMillis
}: SamlResponseInput): Promise<SamlIdentity | undefined> => {
  if (!hasAcceptedAlgorithms(Buffer.from(response, "base64").toString("utf8"))) return undefined
  const verified = await makeSaml(parties)
    .validatePostResponseAsync({ SAMLResponse: response })
    .catch(() => undefined)
  const profile = verified?.profile ?? undefined
  if (profile === undefined) return undefined
  const destination = destinationOf(profile.getSamlResponseXml?.() ?? "")
  if (destination !== undefined && destination !== parties.service.acsURL) return undefined
  const { Assertion: assertion } = (profile.getAssertion?.() ?? {}) as { readonly Assertion?: Element }
  const displayName = firstAttribute(profile, nameAttributes)
  const identity = Schema.decodeUnknownOption(SamlIdentity)({
    inResponseTo: confirmedRequestId(assertion, parties, nowMillis),
    email: firstAttribute(profile, emailAttributes) ?? profile.nameID,
    ...(displayName === undefined ? {} : { displayName })
  })
  return identity._tag === "None" ? undefined : identity.value
}
