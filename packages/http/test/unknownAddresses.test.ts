/** Whether an address has an account is revealed neither by a response nor by the work of the server: each request issues the same statements. */
import { CurrentUser, Email, Mailer, OidcLogins, OrganizationOidcProviders, UserId } from "@lectern/core"
import { makeCountingStorage } from "@lectern/harness"
import { Clock, Effect, Layer } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { callForBody } from "./caller.ts"
import { memory, ruleStores, type stores } from "./stores.ts"
import { openBrowser } from "./support/browser.ts"
import { startServer } from "./support.ts"

const member = "member@example.com"
const outsiderAddress = "elsewhere@example.com"
const invited = "invited@example.com"

/** Starts a server with accounts: a member of the organization, one of another organization, and one that was never used. */
const start = async (store: (typeof stores)[number]) => {
  const counting = makeCountingStorage(await store.make())
  const mailer = Layer.succeed(Mailer, () => Effect.void)
  const server = await startServer(Layer.merge(counting.layer, mailer))
  onTestFinished(() => server.close())
  const { core } = server
  const ada = await core.createUser("ada@example.com")
  const acme = await core.createOrganization("Acme", ada)
  const other = await core.createOrganization("Other", await core.createUser("eve@example.com"))
  await core.setMember(acme, await core.createUser(member), "read")
  await core.setMember(other, await core.createUser(outsiderAddress), "read")
  const token = await server.tokenOf(ada)
  const post = <A>(path: string, body: object) =>
    callForBody<A>(server, token, "POST", `/orgs/${acme}${path}`, body)
  await post("/invites", { emails: [invited], role: "read" })
  const { id: invite } = await post<{ id: string }>("/link-invites", { role: "read" })
  /** Returns the statements of a request, without the statements of background work. */
  const statementsOf = async (request: () => Promise<unknown>): Promise<ReadonlyArray<string>> => {
    counting.takeVerbs()
    await request()
    return counting.takeVerbs()
  }
  return { server, core, ada, acme, invite, statementsOf }
}

const unusedAddress = (count: number) => `nobody${count}@example.com`

describe.each(ruleStores)("a request on $name", (store) => {
  it.each(["/~/login", "join by an invite link", "join by a domain"])(
    "for a link (%s) issues the same statements for every address",
    async (page) => {
      const { server, acme, invite, statementsOf } = await start(store)
      const path =
        page === "/~/login" ? page : `/~/join/${acme}${page === "join by a domain" ? "" : `/${invite}`}`
      const browser = openBrowser(server)
      const send = async (email: string) => {
        const { status, text } = await browser.request(path, { form: { email } })
        return `${status} ${text.replaceAll(email, "…")}`
      }
      // The first request fills the caches.
      const expected = await send(unusedAddress(0))
      const statements = await statementsOf(() => send(unusedAddress(1)))
      expect(statements.length).toBeGreaterThan(0)
      for (const email of [member, outsiderAddress, invited, unusedAddress(2), "ada@example.com"]) {
        let response = ""
        const issued = await statementsOf(async () => {
          response = await send(email)
        })
        expect([email, issued, response]).toEqual([email, statements, expected])
      }
    }
  )
})

it("a login that the provider of an organization rejects issues the same statements for an account of another organization and for none", async () => {
  const { core, ada, acme, statementsOf } = await start(memory)
  const run = <A, E>(effect: Effect.Effect<A, E, OidcLogins | OrganizationOidcProviders | CurrentUser>) =>
    core.runtime.runPromise(
      effect.pipe(
        Effect.provideService(CurrentUser, { id: UserId.make(ada) }),
        Effect.provideService(Clock.Clock, core.clock)
      )
    )
  const { id: provider } = await run(
    Effect.flatMap(OrganizationOidcProviders, (providers) =>
      providers.create({
        organization: acme,
        input: {
          label: "Acme",
          issuer: "https://login.example.com",
          clientID: "lectern",
          domains: ["example.net"]
        }
      })
    )
  )
  const reject = (email: string) =>
    run(
      Effect.flip(
        Effect.flatMap(OidcLogins, (logins) =>
          logins.finish({
            provider,
            input: { subject: email, email: Email.make(email), isEmailVerified: true, groups: [], client: {} }
          })
        )
      )
    )
  const none = await reject(unusedAddress(0))
  const statements = await statementsOf(() => reject(unusedAddress(1)))
  for (const email of [outsiderAddress, "eve@example.com", unusedAddress(2)]) {
    let error: unknown
    const issued = await statementsOf(async () => {
      error = await reject(email)
    })
    expect([email, issued, error]).toEqual([email, statements, none])
  }
})
