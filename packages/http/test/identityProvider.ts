/** An identity provider for tests: it signs real SAML responses, valid and invalid ones. */
import { inflateRawSync } from "node:zlib"
import { generate } from "selfsigned"
import { SignedXml } from "xml-crypto"

/** The data of a SAML response. */
export interface ResponseData {
  readonly email: string
  readonly displayName?: string
  readonly audience: string
  readonly recipient: string
  readonly destination: string
  readonly issuer: string
  readonly inResponseTo: string
  /** The validity of the assertion, in milliseconds from now. */
  readonly from: number
  readonly until: number
  /** The element that is signed. */
  readonly signs: "assertion" | "response" | "nothing"
}

/** The keys of an identity provider. */
export const makeKeys = async () => {
  const { private: key, cert } = await generate([{ name: "commonName", value: "Test identity provider" }], {
    keySize: 2048,
    algorithm: "sha256"
  })
  return { key, certificate: cert }
}
export type Keys = Awaited<ReturnType<typeof makeKeys>>

const timestampIn = (offset: number): string => new Date(Date.now() + offset).toISOString()
const escapeXml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

/** An assertion, unsigned. */
export const assertionXml = (data: ResponseData, id = "_assertion"): string =>
  `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${timestampIn(0)}">` +
  `<saml:Issuer>${data.issuer}</saml:Issuer>` +
  `<saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${escapeXml(data.email)}</saml:NameID>` +
  `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">` +
  `<saml:SubjectConfirmationData InResponseTo="${data.inResponseTo}" NotOnOrAfter="${timestampIn(data.until)}" Recipient="${data.recipient}"/>` +
  `</saml:SubjectConfirmation></saml:Subject>` +
  `<saml:Conditions NotBefore="${timestampIn(data.from)}" NotOnOrAfter="${timestampIn(data.until)}">` +
  `<saml:AudienceRestriction><saml:Audience>${data.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
  `<saml:AuthnStatement AuthnInstant="${timestampIn(0)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
  (data.displayName === undefined
    ? ""
    : `<saml:AttributeStatement><saml:Attribute Name="displayName"><saml:AttributeValue>${escapeXml(data.displayName)}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>`) +
  `</saml:Assertion>`

/** A response that contains the given XML. */
export const responseXml = (data: ResponseData, content: string, id = "_response"): string =>
  `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${id}" Version="2.0" IssueInstant="${timestampIn(0)}" Destination="${data.destination}" InResponseTo="${data.inResponseTo}">` +
  `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${data.issuer}</saml:Issuer>` +
  `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${content}</samlp:Response>`

/** Signs the element with an id; the signature follows its issuer, as the SAML schema requires. */
export const sign = (xml: string, id: string, { key, certificate }: Keys): string => {
  const signature = new SignedXml({
    privateKey: key,
    publicCert: certificate,
    signatureAlgorithm: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    canonicalizationAlgorithm: "http://www.w3.org/2001/10/xml-exc-c14n#"
  })
  const element = `//*[@ID='${id}']`
  signature.addReference({
    xpath: element,
    digestAlgorithm: "http://www.w3.org/2001/04/xmlenc#sha256",
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

/** A response as XML, with the element signed that `signs` names. */
export const signedResponse = (data: ResponseData, keys: Keys): string => {
  const assertion = assertionXml(data)
  if (data.signs === "nothing") return responseXml(data, assertion)
  if (data.signs === "response") return sign(responseXml(data, assertion), "_response", keys)
  return responseXml(data, sign(assertion, "_assertion", keys))
}

/** Parses the authentication request in the URL to which the browser is redirected. */
export const parseAuthnRequest = (location: string) => {
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
