/** Sessions without the passkey of their user, and sessions after a passkey was removed. */
import { expect, it } from "vitest"
import { memory } from "./stores.ts"
import { openBrowser, type TestBrowser } from "./support/browser.ts"
import { addPasskey, sendJson, signInByPasskey, verifyByPasskey } from "./support/passkeyPages.ts"
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

  // It signs out, which only takes access away, and changes the profile, which is not a credential.
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

it("a removed passkey ends the other sessions that have verified a passkey or a code", async () => {
  const { server, owner, authenticator, passkey, mailbox } = await start()
  const second = createAuthenticator(server.origin)
  expect((await addPasskey(owner, second)).status).toBe(201)
  const [signedIn, verified, remover] = [server.open(), await server.signIn(email), server.open()]
  expect((await signInByPasskey(signedIn, authenticator)).status).toBe(200)
  expect((await verifyByPasskey(verified, authenticator)).status).toBe(200)
  expect((await signInByPasskey(remover, second)).status).toBe(200)
  expect((await sendJson(remover, "DELETE", `/~/passkeys/${passkey}`)).status).toBe(204)
  const browsers = [owner, signedIn, verified, mailbox, remover]
  expect(await Promise.all(browsers.map(statusOf))).toEqual([401, 401, 401, 200, 200])
  expect((await addPasskey(signedIn, createAuthenticator(server.origin))).status).toBe(401)
  // The session that has removed it continues, and the one that never had a factor does not gain one.
  expect((await addPasskey(remover, createAuthenticator(server.origin))).status).toBe(201)
  expect(await addPasskey(mailbox, createAuthenticator(server.origin))).toMatchObject(required)
})

it("the last passkey that is removed leaves no other session that could add one", async () => {
  const { server, owner, authenticator, passkey } = await start()
  const thief = openBrowser({ url: server.origin })
  expect((await signInByPasskey(thief, authenticator)).status).toBe(200)
  expect((await sendJson(owner, "DELETE", `/~/passkeys/${passkey}`)).status).toBe(204)
  expect((await addPasskey(thief, createAuthenticator(server.origin))).status).toBe(401)
  expect((await sendJson(owner, "GET", "/~/passkeys")).body).toMatchObject({ passkeys: [], verified: false })
})
