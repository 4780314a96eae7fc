/** An identity provider for tests, which builds and signs valid and invalid SAML responses. */
import { inflateRawSync } from "node:zlib"
import { generate } from "selfsigned"
import { SignedXml } from "xml-crypto"

/** The fields of a SAML response. */
export interface LoginResponse {
  readonly email: string
  readonly displayName?: string
  readonly audience: string
  readonly recipient: string
  readonly destination: string
  readonly issuer: string
  readonly inResponseTo: string
  /** The start of its validity, in milliseconds from now. */
  readonly notBeforeMillis: number
  /** The end of its validity, in milliseconds from now. */
  readonly notAfterMillis: number
  /** The element that is signed. */
  readonly signed: "assertion" | "response" | "nothing"
  /** Whether the response is for no request: it has no `InResponseTo`. */
  readonly isUnsolicited?: boolean
}

/** Generates the keys of an identity provider. */
export const makeKeys = async () => {
  const { private: key, cert } = await generate([{ name: "commonName", value: "Test identity provider" }], {
    keySize: 2048,
    algorithm: "sha256"
  })
  return { key, certificate: cert }
}
/** A private key with its certificate. */
export type Keys = Awaited<ReturnType<typeof makeKeys>>

const timestamp = (offsetMillis: number): string => new Date(Date.now() + offsetMillis).toISOString()
const escapeXml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

const inResponseTo = (fields: LoginResponse): string =>
  fields.isUnsolicited === true ? "" : ` InResponseTo="${fields.inResponseTo}"`

/** Builds an unsigned assertion. */
export const buildAssertion = (fields: LoginResponse, id = "_assertion"): string =>
  `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${timestamp(0)}">` +
  `<saml:Issuer>${fields.issuer}</saml:Issuer>` +
  `<saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${escapeXml(fields.email)}</saml:NameID>` +
  `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">` +
  `<saml:SubjectConfirmationData${inResponseTo(fields)} NotOnOrAfter="${timestamp(fields.notAfterMillis)}" Recipient="${fields.recipient}"/>` +
  `</saml:SubjectConfirmation></saml:Subject>` +
  `<saml:Conditions NotBefore="${timestamp(fields.notBeforeMillis)}" NotOnOrAfter="${timestamp(fields.notAfterMillis)}">` +
  `<saml:AudienceRestriction><saml:Audience>${fields.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
  `<saml:AuthnStatement AuthnInstant="${timestamp(0)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
  (fields.displayName === undefined
    ? ""
    : `<saml:AttributeStatement><saml:Attribute Name="displayName"><saml:AttributeValue>${escapeXml(fields.displayName)}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>`) +
  `</saml:Assertion>`

/** Builds an unsigned response whose content is the given XML. */
export const buildResponse = (fields: LoginResponse, content: string, id = "_response"): string =>
  `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${id}" Version="2.0" IssueInstant="${timestamp(0)}" Destination="${fields.destination}"${inResponseTo(fields)}>` +
  `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${fields.issuer}</saml:Issuer>` +
  `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${content}</samlp:Response>`

/** The algorithms of a signature. */
export interface Algorithms {
  readonly signature: string
  readonly digest: string
}

const sha256: Algorithms = {
  signature: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
  digest: "http://www.w3.org/2001/04/xmlenc#sha256"
}

/** Signs the element with an id, as identity providers do: the signature follows the issuer. */
export const sign = (
  xml: string,
  id: string,
  { key, certificate }: Keys,
  algorithms: Partial<Algorithms> = {}
): string => {
  const chosen = { ...sha256, ...algorithms }
  const signature = new SignedXml({
    privateKey: key,
    publicCert: certificate,
    signatureAlgorithm: chosen.signature,
    canonicalizationAlgorithm: "http://www.w3.org/2001/10/xml-exc-c14n#"
  })
  const element = `//*[@ID='${id}']`
  signature.addReference({
    xpath: element,
    digestAlgorithm: chosen.digest,
    transforms: [
      "http://www.w3.org/2000/09/xmldsig#enveloped-signature",
      "http://www.w3.org/2001/10/xml-exc-c14n#"
    ]
  })
  signature.computeSignature(xml, {
    location: { reference: `${element}/*[local-name()='Issuer']`, action: "after" }
  })
  return signature.getSignedXml()
}

/** Builds a response with one assertion, and signs the element that the fields name. */
export const buildSignedResponse = (fields: LoginResponse, keys: Keys): string => {
  const assertion = buildAssertion(fields)
  if (fields.signed === "nothing") return buildResponse(fields, assertion)
  if (fields.signed === "response") return sign(buildResponse(fields, assertion), "_response", keys)
  return buildResponse(fields, sign(assertion, "_assertion", keys))
}

/** Parses the SAML request in the URL to which a browser is redirected. */
export const parseLoginRequest = (location: string) => {
  const url = new URL(location)
  const xml = inflateRawSync(Buffer.from(url.searchParams.get("SAMLRequest")!, "base64")).toString()
  const attribute = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(xml)?.[1] ?? ""
  return {
    to: `${url.origin}${url.pathname}`,
    id: attribute("ID"),
    acsURL: attribute("AssertionConsumerServiceURL"),
    issuer: /<saml:Issuer[^>]*>([^<]*)</.exec(xml)?.[1] ?? "",
    state: url.searchParams.get("RelayState") ?? ""
  }
}
