/** The website of a SAML identity provider: a page with a button that posts a signed response to the service. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"
import { buildSignedResponse, makeKeys, parseLoginRequest } from "../../../http/test/identityProvider.ts"

const escapeAttribute = (text: string): string => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;")

/** Starts the website at `localhost`, which is another site than the URL of the server under test. */
export const startSamlPage = async (email: string) => {
  const keys = await makeKeys()
  const entityID = "https://idp.example.com/metadata"
  let audience = ""
  const server = createServer((request, response) => {
    const login = parseLoginRequest(`http://localhost${request.url}`)
    const fields = {
      email,
      audience,
      recipient: login.acsURL,
      destination: login.acsURL,
      issuer: entityID,
      inResponseTo: login.id,
      notBeforeMillis: -1_000,
      notAfterMillis: 300_000,
      signed: "response"
    } as const
    const message = Buffer.from(buildSignedResponse(fields, keys)).toString("base64")
    response.setHeader("content-type", "text/html")
    response.end(`<!doctype html><title>Acme staff</title><form method="post" action="${escapeAttribute(login.acsURL)}">
<input type="hidden" name="SAMLResponse" value="${message}">
<input type="hidden" name="RelayState" value="${escapeAttribute(login.state)}"><button>Continue</button></form>`)
  })
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return {
    entityID,
    certificate: keys.certificate,
    url: `http://localhost:${(server.address() as AddressInfo).port}/sso`,
    /** Sets the entity id of the service that responses are for. */
    setAudience: (service: string) => {
      audience = service
    }
  }
}
