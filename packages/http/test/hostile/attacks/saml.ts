/** Attacks on the consumer of SAML responses, which needs no token. */
import { type Attack, attackWith, fill, fillWith } from "../Attack.ts"
import type { Scene, StartedLogin } from "../scene.ts"

/** The maximum size of the XML whose form has 1 MB: Base64 and its encoding in a form add a third. */
const large = 500_000
/** The size of XML that the consumer parses. */
const accepted = 180_000

const post = ({ acs }: Scene, xml: string, state: string) => ({
  method: "POST",
  path: acs,
  isAnonymous: true,
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams({
    SAMLResponse: Buffer.from(xml).toString("base64"),
    RelayState: state
  }).toString()
})

/** Sends XML with the relay state of a started login. */
const started = (name: string, xml: (login: StartedLogin) => string): Attack =>
  attackWith("SAML", name, async (scene) => {
    const login = await scene.startLogin()
    return post(scene, xml(login), login.state)
  })
/** Sends XML without a started login. */
const unsolicited = (name: string, xml: () => string): Attack =>
  attackWith("SAML", name, (scene) => post(scene, xml(), "a.b.c"))

/** Attacks on SAML. */
export const samlAttacks: ReadonlyArray<Attack> = [
  unsolicited("elements without a login", () => `<r>${fill("<a/>", large)}</r>`),
  unsolicited("nested elements without a login", () => fill("<a>", large)),
  started("elements", () => `<r>${fill("<a/>", accepted)}</r>`),
  started("4,900 elements", () => `<r>${fill("<a/>", 19_600)}</r>`),
  started("nested elements", () => `${fill("<a>", 7_400)}${fill("</a>", 9_800)}`),
  started("attributes", () => `<r ${fillWith((i) => `a${i}="1"`, " ", accepted)}/>`),
  started(
    "namespaces",
    () => `<r ${fillWith((i) => `xmlns:a${i}="u:${i}"`, " ", accepted)}>${fill("<a1:b/>", 15_000)}</r>`
  ),
  started("entities", () => `<!DOCTYPE r [<!ENTITY a "${fill("a", 10_000)}">]><r>${fill("&a;", 30_000)}</r>`),
  started("a section of characters", () => `<r><![CDATA[${fill("]]", accepted)}]]></r>`),
  started("comments", () => `<r>${fill("<!---->", 30_000)}</r>`),
  started(
    "names of responses in a comment",
    ({ response }) => `<!-- ${fill("<Response ", 45_000)} -->${response}`
  ),
  started(
    "a long comment around a valid response",
    ({ response }) => `<!-- ${fill("Response Destination", accepted - 10_000)} -->${response}`
  ),
  started(
    "white space around a valid response",
    ({ response }) => `${fill(" ", accepted - 10_000)}${response}`
  ),
  started(
    "signatures",
    () => `<r>${fill(`<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"/>`, accepted)}</r>`
  ),
  started("an attribute of white space", () => `<Response ${fill(" ", accepted)} a="1"/>`),
  started("a response over the limit", () => fill("<a>", large)),
  attackWith("SAML", "Base64 of no XML", async (scene) => {
    const { state } = await scene.startLogin()
    return {
      ...post(scene, "", state),
      body: new URLSearchParams({ SAMLResponse: fill("=", 200_000), RelayState: state }).toString()
    }
  })
]
