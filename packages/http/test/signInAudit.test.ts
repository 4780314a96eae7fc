/** The records of every event of sign-in in the audit logs of the organizations that it concerns. */
import {
  type AuditRecordRow,
  CallOrigin,
  CurrentUser,
  Email,
  Invitations,
  Invites,
  members,
  OidcLogins,
  OidcProviders,
  Operations,
  OrganizationId,
  OrganizationOidcProviders,
  SamlLogins,
  SamlProviders,
  Sessions,
  SignIns,
  tables,
  UserId,
  Where
} from "@lectern/core"
import { allRecords } from "@lectern/harness"
import { Clock, Effect, Layer, Redacted } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { memory, ruleStores, type stores } from "./stores.ts"
import { signedInBrowser } from "./support/browser.ts"
import { startServer } from "./support.ts"

const bobsAddress = "bob@example.com"

/** The provider of the instance. */
const instanceProvider = {
  id: "instance",
  label: "Instance",
  issuer: "https://login.example.com",
  clientId: "lectern",
  domains: ["example.com"]
}

/** Starts a server with two organizations. Ada administers both, and Bob is a member of both. */
const start = async (store: (typeof stores)[number]) => {
  const storage = await store.make()
  const server = await startServer(Layer.merge(storage, Layer.succeed(OidcProviders, [instanceProvider])))
  onTestFinished(() => server.close())
  const { core } = server
  type Services = typeof core.runtime extends {
    runPromise: (effect: Effect.Effect<unknown, unknown, infer R>) => unknown
  }
    ? R
    : never
  const run = <A, E>(effect: Effect.Effect<A, E, Services>): Promise<A> =>
    core.runtime.runPromise(
      effect.pipe(
        Effect.provideService(Clock.Clock, core.clock),
        Effect.provideService(CallOrigin, { address: "192.0.2.1" })
      )
    )
  const ada = UserId.make(await core.createUser("ada@example.com"))
  const bob = UserId.make(await core.createUser(bobsAddress))
  const acme = OrganizationId.make(await core.createOrganization("Acme", ada))
  const other = OrganizationId.make(await core.createOrganization("Other", ada))
  for (const organization of [acme, other]) await core.setMember(organization, bob, "read")
  const names = new Map<string | null, string>([
    [acme, "acme"],
    [other, "other"],
    [null, "none"]
  ])

  const readRows = () =>
    run(
      Effect.flatMap(allRecords, (records) =>
        records.find(tables.find(({ name }) => name === "auditRecords")!, {})
      )
    ) as unknown as Promise<ReadonlyArray<AuditRecordRow>>

  /** Runs an event, and returns the records that it adds, as in `acme SignIns.useLink success`. */
  const recordsOf = async (event: () => Promise<unknown>): Promise<ReadonlyArray<AuditRecordRow>> => {
    const known = new Set((await readRows()).map(({ id }) => id))
    await event()
    return (await readRows()).filter(({ id }) => !known.has(id))
  }
  const asUser = <A, E>(user: UserId, effect: Effect.Effect<A, E, Services | CurrentUser>): Promise<A> =>
    run(Effect.provideService(effect, CurrentUser, { id: user }) as Effect.Effect<A, E, Services>)
  return { server, core, run, asUser, recordsOf, names, ada, bob, acme, other }
}

type World = Awaited<ReturnType<typeof start>>

const rejected = (promise: Promise<unknown>): Promise<void> =>
  promise.then(
    () => {
      throw new Error("The sign-in was not rejected.")
    },
    () => undefined
  )

const linkOf = async ({ run }: World, email = bobsAddress): Promise<string> => {
  const link = await run(
    Effect.flatMap(SignIns, (signIns) => signIns.createLink({ input: { email: Email.make(email) } }))
  )
  return Redacted.value(link.secret)
}

const useLink = (world: World, secret: string) =>
  world.run(Effect.flatMap(SignIns, (signIns) => signIns.useLink({ input: { secret, client: {} } })))

/** Logs a user in by OpenID Connect, after its response was verified. */
const finishOidc = ({ run }: World, provider: string, email: string, isEmailVerified = true) =>
  run(
    Effect.flatMap(OidcLogins, (logins) =>
      logins.finish({
        provider,
        input: { subject: email, email: Email.make(email), isEmailVerified, groups: [], client: {} }
      })
    )
  )

const createOidcProvider = ({ asUser, ada, acme }: World) =>
  asUser(
    ada,
    Effect.flatMap(OrganizationOidcProviders, (providers) =>
      providers.create({
        organization: acme,
        input: { label: "Acme", issuer: "https://acme.example.com", clientID: "lectern" }
      })
    )
  )

const certificate = `-----BEGIN CERTIFICATE-----
MIIBfTCCASOgAwIBAgIUX9njQJPm1DElDopu1TMnavkAu7AwCgYIKoZIzj0EAwIw
EzERMA8GA1UEAwwIQ29udHJhY3QwIBcNMjYxMTIxMTA1MTU4WhgPMjEyNjEwMjgx
MDUxNThaMBMxETAPBgNVBAMMCENvbnRyYWN0MFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAE0qUq9FoK5ZZubDouGlMrU0JWcH/aFsaJNYpwatsOJiUiHlw090t+M5QK
R1ib/WKYawWc/Q8C6p2QzUmE8J9MO6NTMFEwHQYDVR0OBBYEFDWD08g4uYi8H+Aj
KsaxVHlWD6b9MB8GA1UdIwQYMBaAFDWD08g4uYi8H+AjKsaxVHlWD6b9MA8GA1Ud
EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAODaun0TTkeVbJ567lWB/Cki
a1YEm0wno9hqCGjdy55RAiAbCPPUSQpl4l4T5yhZ37ILujZAMZg7xv+TxtG4qTq5
Hw==
-----END CERTIFICATE-----`

const createSamlProvider = ({ asUser, ada, acme }: World) =>
  asUser(
    ada,
    Effect.flatMap(SamlProviders, (providers) =>
      providers.create({
        organization: acme,
        input: {
          label: "Acme",
          entityID: "https://acme.example.com",
          ssoURL: "https://acme.example.com/sso",
          certificate
        }
      })
    )
  )

/** Starts a login by SAML, and returns the functions that finish it with a verified response. */
const beginSaml = async (world: World, email = bobsAddress) => {
  const { id: provider } = await createSamlProvider(world)
  const { requestId, state } = await world.run(
    Effect.flatMap(SamlLogins, (logins) => logins.begin({ provider }))
  )
  const input = { identity: { email: Email.make(email), inResponseTo: requestId }, state }
  return {
    finish: () => world.run(Effect.flatMap(SamlLogins, (logins) => logins.finish({ provider, input }))),
    finishInBrowser: () =>
      world.run(Effect.flatMap(SamlLogins, (logins) => logins.finishInBrowser({ provider, input })))
  }
}

/** Disables the membership of Bob, for which the API has no operation. */
const setDisabled = ({ run, acme, bob }: World) =>
  run(
    Effect.flatMap(allRecords, (records) =>
      records.update(members, Where.and(Where.eq("organization", acme), Where.eq("user", bob)), {
        disabled: true
      })
    )
  )

/** An event of sign-in: what it does after a preparation, and the records that it adds. */
interface Event {
  readonly title: string
  /** The operation that the event calls. */
  readonly operation: string
  readonly prepare: (world: World) => Promise<() => Promise<unknown>>
  /** The organizations in whose logs the event is recorded; `none` is the log of the workspace. */
  readonly logs: ReadonlyArray<"acme" | "other" | "none">
  readonly outcome?: "denied"
  /** The user whom the records name; `bob` by default, null for none. */
  readonly actor?: "ada" | "bob" | "new" | null
}

const both = ["acme", "other"] as const

/** Signs Bob in within a browser, and returns the function that sends a request. */
const browserOfBob = (world: World) => signedInBrowser(world.server, bobsAddress)

const events: ReadonlyArray<Event> = [
  {
    title: "a link of the operator is created",
    operation: "SignIns.createLink",
    prepare: async (world) => () => linkOf(world),
    logs: ["none"],
    actor: null
  },
  {
    title: "a user signs in by a link",
    operation: "SignIns.useLink",
    prepare: async (world) => {
      const secret = await linkOf(world)
      return () => useLink(world, secret)
    },
    logs: both
  },
  {
    title: "a user without an organization signs in by a link, as at the first start",
    operation: "SignIns.useLink",
    prepare: async (world) => {
      await world.core.createUser("new@example.com")
      const secret = await linkOf(world, "new@example.com")
      return () => useLink(world, secret)
    },
    logs: ["none"],
    actor: "new"
  },
  {
    title: "an invited user signs in by a link of an administrator",
    operation: "SignIns.useLink",
    prepare: async (world) => {
      const { asUser, ada, acme } = world
      const { users } = await asUser(
        ada,
        Effect.flatMap(Invites, (invites) =>
          invites.inviteByEmail({ organization: acme, input: { emails: ["new@example.com"], role: "read" } })
        )
      )
      const { url } = await asUser(
        ada,
        Effect.flatMap(Invitations, (invitations) =>
          invitations.renew({ organization: acme, user: UserId.make(users[0]!) })
        )
      )
      return () => useLink(world, url!.split("/").at(-1)!)
    },
    logs: ["acme"],
    actor: "new"
  },
  {
    title: "a user signs in at a provider of an organization",
    operation: "OidcLogins.finish",
    prepare: async (world) => {
      const { id } = await createOidcProvider(world)
      return () => finishOidc(world, id, bobsAddress)
    },
    logs: ["acme"]
  },
  {
    title: "a user signs in at a provider of the instance",
    operation: "OidcLogins.finish",
    prepare: async (world) => () => finishOidc(world, "instance", bobsAddress),
    logs: both
  },
  {
    title: "a provider of an organization rejects an address that it has not verified",
    operation: "OidcLogins.finish",
    prepare: async (world) => {
      const { id } = await createOidcProvider(world)
      return () => rejected(finishOidc(world, id, bobsAddress, false))
    },
    logs: ["acme"],
    outcome: "denied",
    actor: null
  },
  {
    title: "a provider of an organization rejects a user without a membership",
    operation: "OidcLogins.finish",
    prepare: async (world) => {
      const { id } = await createOidcProvider(world)
      return () => rejected(finishOidc(world, id, "stranger@example.net"))
    },
    logs: ["acme"],
    outcome: "denied",
    actor: null
  },
  {
    title: "a provider of an organization rejects a disabled member",
    operation: "OidcLogins.finish",
    prepare: async (world) => {
      const { id } = await createOidcProvider(world)
      await setDisabled(world)
      return () => rejected(finishOidc(world, id, bobsAddress))
    },
    logs: ["acme"],
    outcome: "denied"
  },
  {
    title: "a user signs in by SAML, by a program",
    operation: "SamlLogins.finish",
    prepare: async (world) => (await beginSaml(world)).finish,
    logs: ["acme"]
  },
  {
    title: "a user signs in by SAML, in a browser",
    operation: "SamlLogins.finishInBrowser",
    prepare: async (world) => (await beginSaml(world)).finishInBrowser,
    logs: ["acme"]
  },
  {
    title: "a SAML response is used again",
    operation: "SamlLogins.finishInBrowser",
    prepare: async (world) => {
      const { finishInBrowser } = await beginSaml(world)
      await finishInBrowser()
      return () => rejected(finishInBrowser())
    },
    logs: ["acme"],
    outcome: "denied",
    actor: null
  },
  {
    title: "a disabled member signs in by SAML",
    operation: "SamlLogins.finish",
    prepare: async (world) => {
      const { finish } = await beginSaml(world)
      await setDisabled(world)
      return () => rejected(finish())
    },
    logs: ["acme"],
    outcome: "denied"
  },
  {
    title: "the secret of a session is replaced, because the rights of the user have changed",
    operation: "SignIns.rotate",
    prepare: async (world) => {
      const browser = await browserOfBob(world)
      await world.core.setMember(world.acme, world.bob, "edit")
      return () => browser.request("/v1/user")
    },
    logs: both
  },
  {
    title: "a user signs out",
    operation: "Sessions.signOut",
    prepare: async (world) => {
      const browser = await browserOfBob(world)
      return () => browser.request("/~/logout", { method: "POST" })
    },
    logs: both
  },
  {
    title: "a user signs out everywhere",
    operation: "Sessions.signOutEverywhere",
    prepare:
      async ({ asUser, bob }) =>
      () =>
        asUser(
          bob,
          Effect.flatMap(Sessions, (sessions) => sessions.signOutEverywhere({}))
        ),
    logs: both
  },
  {
    title: "a user revokes a session",
    operation: "Sessions.revoke",
    prepare: async (world) => {
      const { id } = await useLink(world, await linkOf(world))
      return () =>
        world.asUser(
          world.bob,
          Effect.flatMap(Sessions, (sessions) => sessions.revoke({ session: id }))
        )
    },
    logs: both
  },
  {
    title: "the operator ends the sessions of a user",
    operation: "SignIns.endSessions",
    prepare:
      async ({ run, bob }) =>
      () =>
        run(Effect.flatMap(SignIns, (signIns) => signIns.endSessions({ user: bob }))),
    logs: both,
    actor: null
  },
  {
    title: "a session creates a token",
    operation: "Tokens.create",
    prepare: async (world) => {
      const browser = await browserOfBob(world)
      return () =>
        browser.request("/v1/user/tokens", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ label: "Build" })
        })
    },
    logs: both
  },
  {
    title: "an administrator creates a SAML provider",
    operation: "SamlProviders.create",
    prepare: async (world) => () => createSamlProvider(world),
    logs: ["acme"],
    actor: "ada"
  },
  {
    title: "an administrator updates a SAML provider",
    operation: "SamlProviders.update",
    prepare: async (world) => {
      const { id: provider } = await createSamlProvider(world)
      const { acme, ada, asUser } = world
      return () =>
        asUser(
          ada,
          Effect.flatMap(SamlProviders, ({ update }) =>
            update({ organization: acme, provider, input: { label: "Renamed" } })
          )
        )
    },
    logs: ["acme"],
    actor: "ada"
  },
  {
    title: "an administrator removes a SAML provider",
    operation: "SamlProviders.remove",
    prepare: async (world) => {
      const { id: provider } = await createSamlProvider(world)
      const { acme, ada, asUser } = world
      return () =>
        asUser(
          ada,
          Effect.flatMap(SamlProviders, ({ remove }) => remove({ organization: acme, provider }))
        )
    },
    logs: ["acme"],
    actor: "ada"
  },
  {
    title: "an administrator creates an OpenID Connect provider",
    operation: "OrganizationOidcProviders.create",
    prepare: async (world) => () => createOidcProvider(world),
    logs: ["acme"],
    actor: "ada"
  },
  {
    title: "an administrator updates an OpenID Connect provider",
    operation: "OrganizationOidcProviders.update",
    prepare: async (world) => {
      const { id: oidcProvider } = await createOidcProvider(world)
      const { acme, ada, asUser } = world
      const input = { issuer: "https://new.example.com" }
      return () =>
        asUser(
          ada,
          Effect.flatMap(OrganizationOidcProviders, ({ update }) =>
            update({ organization: acme, oidcProvider, input })
          )
        )
    },
    logs: ["acme"],
    actor: "ada"
  },
  {
    title: "an administrator removes an OpenID Connect provider",
    operation: "OrganizationOidcProviders.remove",
    prepare: async (world) => {
      const { id: oidcProvider } = await createOidcProvider(world)
      const { acme, ada, asUser } = world
      return () =>
        asUser(
          ada,
          Effect.flatMap(OrganizationOidcProviders, ({ remove }) =>
            remove({ organization: acme, oidcProvider })
          )
        )
    },
    logs: ["acme"],
    actor: "ada"
  }
]

/** The commands of sign-in that other tests cover, or that record nothing, each with the reason. */
const unrecordedCommands: Readonly<Record<string, string>> = {
  "SignIns.requestLink": "names no user who could be found out: the sign-in is recorded"
}

describe.each(ruleStores)("the audit log on $name", (store) => {
  it.each(events)("records that $title", async ({ operation, prepare, logs, outcome, actor = "bob" }) => {
    const world = await start(store)
    const event = await prepare(world)
    const records = await world.recordsOf(event)
    const own = records.filter((record) => record.operation === operation)
    expect(own.map(({ organization }) => world.names.get(organization)).toSorted()).toEqual([...logs])
    for (const record of own) {
      expect(record.outcome).toBe(outcome ?? "success")
      expect(record.details.actorType).toBe(
        actor === null ? (outcome === "denied" ? "visitor" : "operator") : undefined
      )
      if (actor === "new") expect(record.actor).not.toBeNull()
      else expect(record.actor).toBe(actor === null ? null : world[actor])
      // Organizations of which a user is a member do not learn from where they sign in.
      const isShared = logs.length > 1 && actor === "bob"
      if (isShared) expect([record.address, record.details.session]).toEqual([null, undefined])
      expect(JSON.stringify(record)).not.toMatch(/@example|lectern-secret/)
    }
  })
})

it("every command of sign-in is an event of this test, or has a reason not to be", async () => {
  const { run } = await start(memory)
  const { definitions } = await run(Operations)
  const services = [
    "SignIns",
    "Sessions",
    "OidcLogins",
    "SamlLogins",
    "SamlProviders",
    "OrganizationOidcProviders"
  ]
  const commands = definitions
    .filter(({ kind, name }) => kind === "command" && services.includes(name.split(".")[0]!))
    .map(({ name }) => name)
  const covered = new Set(events.map(({ operation }) => operation))
  expect(commands.filter((name) => !covered.has(name) && unrecordedCommands[name] === undefined)).toEqual([])
  expect(
    Object.keys(unrecordedCommands).filter((name) => covered.has(name) || !commands.includes(name))
  ).toEqual([])
})
