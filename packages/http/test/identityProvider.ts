/** An identity provider for tests: it signs real SAML responses, good ones and bad ones. */
import { inflateRawSync } from "node:zlib"
import { generate } from "selfsigned"
import { SignedXml } from "xml-crypto"

/** What a response says; the defaults of `answer` make a good one. */
export interface Answer {
  readonly email: string
  readonly displayName?: string
  readonly audience: string
  readonly recipient: string
  readonly destination: string
  readonly issuer: string
  readonly inResponseTo: string
  /** From when and until when it is good, in milliseconds from now. */
  readonly from: number
  readonly until: number
  /** What of it is signed. */
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

const at = (offset: number): string => new Date(Date.now() + offset).toISOString()
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

/** An assertion, unsigned. */
export const assertionOf = (answer: Answer, id = "_assertion"): string =>
  `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${at(0)}">` +
  `<saml:Issuer>${answer.issuer}</saml:Issuer>` +
  `<saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${escaped(answer.email)}</saml:NameID>` +
  `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">` +
  `<saml:SubjectConfirmationData InResponseTo="${answer.inResponseTo}" NotOnOrAfter="${at(answer.until)}" Recipient="${answer.recipient}"/>` +
  `</saml:SubjectConfirmation></saml:Subject>` +
  `<saml:Conditions NotBefore="${at(answer.from)}" NotOnOrAfter="${at(answer.until)}">` +
  `<saml:AudienceRestriction><saml:Audience>${answer.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
  `<saml:AuthnStatement AuthnInstant="${at(0)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
  (answer.displayName === undefined
    ? ""
    : `<saml:AttributeStatement><saml:Attribute Name="displayName"><saml:AttributeValue>${escaped(answer.displayName)}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>`) +
  `</saml:Assertion>`

/** A response around assertions, and whatever else. */
export const responseOf = (answer: Answer, inside: string, id = "_response"): string =>
  `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${id}" Version="2.0" IssueInstant="${at(0)}" Destination="${answer.destination}" InResponseTo="${answer.inResponseTo}">` +
  `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${answer.issuer}</saml:Issuer>` +
  `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${inside}</samlp:Response>`

/** Signs the element of an id, as identity providers do: the signature stands behind its issuer. */
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

/** The answer as XML, signed as it says. */
export const answerOf = (answer: Answer, keys: Keys): string => {
  const assertion = assertionOf(answer)
  if (answer.signs === "nothing") return responseOf(answer, assertion)
  if (answer.signs === "response") return sign(responseOf(answer, assertion), "_response", keys)
  return responseOf(answer, sign(assertion, "_assertion", keys))
}

/** What an identity provider reads in the address that a browser is sent to it by. */
export const questionOf = (location: string) => {
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
