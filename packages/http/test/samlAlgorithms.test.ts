/** The algorithms of the signatures of SAML responses. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { hasAcceptedAlgorithms } from "../src/saml/response.ts"

const accepted = {
  SignatureMethod: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
  DigestMethod: "http://www.w3.org/2001/04/xmlenc#sha256"
}
const sha1 = {
  SignatureMethod: "http://www.w3.org/2000/09/xmldsig#rsa-sha1",
  DigestMethod: "http://www.w3.org/2000/09/xmldsig#sha1"
}

const element = fc.constantFrom("SignatureMethod" as const, "DigestMethod" as const)
const prefix = fc.constantFrom("", "ds:", "\u00e9:", "a-b.c:")
const space = fc.constantFrom(" ", "\n", "\t  ")
const quote = fc.constantFrom('"', "'")
const end = fc.constantFrom("/>", " />", "></x>", ">")
const otherAttribute = fc.constantFrom("", ' Id="1"', ` note="Algorithm='${accepted.DigestMethod}'"`)

const tag = (algorithms: typeof accepted) =>
  fc
    .record({ element, prefix, space, quote, end, otherAttribute })
    .map(({ element, prefix, space, quote, end, otherAttribute }) => {
      const attribute = `${space}Algorithm${space.trim()}=${quote}${algorithms[element]}${quote}`
      return `<${prefix}${element}${otherAttribute}${attribute}${end}`
    })

it("accepts responses in which every signature and digest has an accepted algorithm", () => {
  fc.assert(
    fc.property(fc.array(tag(accepted), { maxLength: 4 }), (tags) => {
      expect(hasAcceptedAlgorithms(`<r>${tags.join("<y/>")}</r>`)).toBe(true)
    })
  )
})

it("rejects a response with a signature or a digest by SHA-1 among others", () => {
  fc.assert(
    fc.property(
      fc.array(tag(accepted), { maxLength: 3 }),
      tag(sha1),
      fc.array(tag(accepted), { maxLength: 3 }),
      (before, bad, after) => {
        expect(hasAcceptedAlgorithms(`<r>${[...before, bad, ...after].join("")}</r>`)).toBe(false)
      }
    )
  )
})

it("rejects algorithms that it cannot read as the parser does", () => {
  for (const text of [
    `<SignatureMethod Algorithm="&#104;ttp://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>`,
    `<SignatureMethod x="Algorithm='${accepted.SignatureMethod}'"/>`,
    `<SignatureMethod Algorithm="${accepted.SignatureMethod}" y:Algorithm="${sha1.SignatureMethod}"/>`,
    `<SignatureMethod Algorithm=${accepted.SignatureMethod}/>`,
    "<DigestMethod/>",
    `<!DOCTYPE r><r/>`
  ]) {
    expect([text, hasAcceptedAlgorithms(text)]).toEqual([text, false])
  }
})
