/** Sign-in links in e-mails, delivered to a real SMTP server on the loopback interface. */
import { Mailer } from "@lectern/core"
import { smtpMailer } from "@lectern/http/smtp"
import { Effect, Layer, Redacted } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { memory, ruleStores } from "./stores.ts"
import { openBrowser } from "./support/browser.ts"
import { decodeMail as decode, linkIn, startMailServer } from "./support/mailServer.ts"
import { startServer } from "./support.ts"

const email = "ada@example.com"

const start = async ({ store = memory, rejects = 0 } = {}) => {
  const mail = await startMailServer(rejects)
  const server = await startServer(Layer.merge(await store.make(), Layer.succeed(Mailer, mail.mailer)))
  onTestFinished(() => server.close())
  const ada = await server.core.createUser(email)
  await server.core.createOrganization("Acme", ada)
  const browser = openBrowser(server)
  const request = (address: string, headers: Record<string, string> = {}) =>
    browser.request("/~/login", { form: { email: address, return: "o/acme" }, headers })
  return { ...mail, server, browser, request }
}

describe.each(ruleStores)("sign-in links in e-mails on $name", (store) => {
  it("sign in the user who requested them, once", async () => {
    const { server, browser, request, received } = await start({ store })
    const page = await browser.request("/~/login?return=o/acme")
    expect(page.text).toContain('<input type="hidden" name="return" value="o/acme">')
    const requested = await request(` ${email.toUpperCase()} `)
    expect([requested.status, requested.text.includes("Check your e-mail")]).toEqual([200, true])
    await server.core.work()
    expect(received.map(({ recipients }) => recipients)).toEqual([[email]])
    const [mail] = received
    expect(mail!.source).toContain("Subject: Sign in to 127.0.0.1:4400")
    expect(mail!.source).toContain("From: Docs <docs@example.com>")
    const path = linkIn(mail!)
    const signedIn = await browser.request(path, { method: "POST" })
    expect([signedIn.status, signedIn.location]).toEqual([303, "/o/acme"])
    const { items } = JSON.parse((await browser.request("/v1/user/sessions")).text)
    expect(items).toMatchObject([{ method: "email", current: true }])
    expect((await openBrowser(server).request(path, { method: "POST" })).status).toBe(410)
  })
})

describe("sign-in links in e-mails", () => {
  it("are sent again after a temporary failure of the mail server", async () => {
    const { server, request, received } = await start({ rejects: 2 })
    await request(email)
    for (let attempt = 0; attempt < 3; attempt++) {
      await server.core.work()
      await server.core.advance(10_000)
    }
    expect(received).toHaveLength(1)
    expect((await openBrowser(server).request(linkIn(received[0]!), { method: "POST" })).status).toBe(303)
  })

  it("are requested by forms without a length, as some proxies forward them, of at most 8 KiB", async () => {
    const { server, received } = await start()
    const send = (form: string) =>
      fetch(`${server.url}/~/login`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
        body: new Blob([form]).stream(),
        duplex: "half"
      } as RequestInit)
    const form = `email=${encodeURIComponent(email)}`
    expect((await send(`${form}&return=${"a".repeat(9_000)}`)).status).toBe(400)
    expect((await send(form)).status).toBe(200)
    await server.core.work()
    expect(received).toHaveLength(1)
  })

  it("do not reveal whether an address has an account", async () => {
    const { server, request, received } = await start()
    const [known, unknown] = [await request(email), await request("bob@example.com")]
    expect(unknown.text.replaceAll("bob@example.com", email)).toBe(known.text)
    expect([...unknown.headers.keys()]).toEqual([...known.headers.keys()])
    await server.core.work()
    expect(received.map(({ recipients }) => recipients)).toEqual([[email]])
  })

  it("are at most 5 per recipient and 30 per client in an hour", async () => {
    const { server, request, received } = await start()
    for (let count = 0; count < 8; count++) expect((await request(email)).status).toBe(200)
    await server.core.work()
    expect(received).toHaveLength(5)
    for (let count = 0; count < 40; count++) await request(`user${count}@example.com`)
    await server.core.advance(61 * 60_000)
    await request(email)
    await server.core.work()
    expect(received).toHaveLength(6)
  })

  it("are in the language of the browser", async () => {
    const { server, request, received } = await start()
    const languages = ["de-AT,en;q=0.5", "xx, fr;q=0.9, es;q=0.3", "es-MX", "xx"]
    for (const language of languages) await request(email, { "accept-language": language })
    await server.core.work()
    expect(received.map(({ source }) => /<html lang="(\w+)">/.exec(decode(source))![1]).sort()).toEqual([
      "de",
      "en",
      "es",
      "fr"
    ])
  })

  it("reject values that are not addresses, and header injection", async () => {
    const { server, request, received } = await start()
    for (const address of [
      "",
      "ada",
      "ada@example.com, bob@example.com",
      "ada@example.com\r\nBcc: bob@example.com",
      "ada@example.com\u2028Bcc: bob@example.com",
      "<ada@example.com>",
      `${"a".repeat(300)}@example.com`
    ]) {
      expect([address, (await request(address)).status]).toEqual([address, 400])
    }
    await server.core.work()
    expect(received).toEqual([])
  })

  it("are not requested by another website", async () => {
    const { server, browser, received } = await start()
    for (const from of ["cross-site", "same-site"] as const) {
      const response = await browser.request("/~/login", { form: { email }, from })
      expect(response.status).toBe(400)
    }
    await server.core.work()
    expect(received).toEqual([])
  })
})

it("the sign-in page states that e-mail is off without a mail server", async () => {
  const server = await startServer(await memory.make())
  onTestFinished(() => server.close())
  const { text } = await openBrowser(server).request("/~/login")
  expect(text).toContain("This server cannot send e-mail")
  expect(text).toContain("Ask an administrator for a sign-in link.")
  expect(text).toContain("lectern sign-in &lt;e-mail address&gt;")
  expect(text).not.toContain("<form")
})

it("the mailer fails with a reason if there is no server", async () => {
  const mailer = smtpMailer({ url: Redacted.make("smtp://127.0.0.1:9"), from: "docs@example.com" })
  const mail = { to: email, subject: "Subject", text: "Text", html: "<p>Text</p>" }
  const error = await Effect.runPromise(Effect.flip(mailer(mail)))
  expect([error._tag, error.message]).toEqual([
    "MailFailed",
    expect.stringContaining("The mail server did not accept the e-mail:")
  ])
})
