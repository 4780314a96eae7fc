/** What a session without the passkey of its user cannot change. */
import { expect, it } from "vitest"
import { memory } from "./stores.ts"
import type { TestBrowser } from "./support/browser.ts"
import { addPasskey, sendJson, verifyByPasskey } from "./support/passkeyPages.ts"
import { startPasskeyServer } from "./support/passkeyServer.ts"
import { createAuthenticator } from "./support/softAuthenticator.ts"

const email = "ada@example.com"

/** Starts a server with Ada, who has a passkey, and a session of her mailbox without it. */
const start = async () => {
  const server = await startPasskeyServer(memory)
  const ada = await server.createUser(email)
  const owner = await server.signIn(email)
  const authenticator = createAuthenticator(server.origin)
  const added = await addPasskey(owner, authenticator)
  expect(added.status).toBe(201)
  const token = await server.call(owner, "POST", "/user/tokens", { label: "Build" })
  expect(token.status).toBe(201)
  return {
    server,
    ada,
    owner,
    authenticator,
    passkey: added.body.id as string,
    token: token.body.id as string,
    mailbox: await server.signIn(email)
  }
}

const required = { status: 403, body: { error: { reason: "SecondFactorRequired" } } }

const eraseBy = (browser: TestBrowser) => browser.request("/~/account", { form: { email } })

/** Returns the status of a request of the session of a browser to the account. */
const statusOf = async (browser: TestBrowser): Promise<number> => (await browser.request("/v1/user")).status

it("a session without the passkey of its user changes no credentials, and does not erase the account", async () => {
  const { server, owner, mailbox, authenticator, passkey, token } = await start()
  const tokenPath = `/user/tokens/${token}`
  const attempts = () => [
    server.call(mailbox, "PATCH", tokenPath, { label: "Renamed" }),
    server.call(mailbox, "POST", `${tokenPath}/rotate`, {}),
    server.call(mailbox, "POST", "/user/tokens", { label: "Another" }),
    sendJson(mailbox, "PATCH", `/~/passkeys/${passkey}`, { name: "Renamed" }),
    sendJson(mailbox, "POST", "/~/passkeys/options"),
    sendJson(mailbox, "POST", "/~/recovery-codes"),
    sendJson(mailbox, "DELETE", `/~/passkeys/${passkey}`)
  ]
  for (const attempt of attempts()) expect(await attempt).toMatchObject(required)
  const erasure = await eraseBy(mailbox)
  expect([erasure.status, erasure.location]).toEqual([303, "/~/second-factor?return=~%2Faccount"])
  expect(await statusOf(owner)).toBe(200)

  // It signs out, which only takes access away, and changes the profile, which is no credential.
  expect((await server.call(mailbox, "GET", tokenPath)).body.label).toBe("Build")
  const { id } = (await server.call(mailbox, "GET", "/user")).body
  expect((await server.call(mailbox, "PATCH", `/users/${id}`, { displayName: "Ada" })).status).toBe(200)

  expect((await verifyByPasskey(mailbox, authenticator)).status).toBe(200)
  for (const attempt of attempts().slice(0, 4)) expect((await attempt).status).toBeLessThan(300)
  expect((await eraseBy(mailbox)).location).toBe("/~/login")
  expect(await statusOf(owner)).toBe(401)
})

it("a person without a passkey erases the account by a session", async () => {
  const server = await startPasskeyServer(memory)
  await server.createUser(email)
  expect((await eraseBy(await server.signIn(email))).location).toBe("/~/login")
})
