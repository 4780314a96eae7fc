/** The export and the erasure of a person's own data: by the API, by the operator, with bounds, and without leftovers. */
import { Accounts, type OwnData, tables, UserId } from "@lectern/core"
import { allRecords } from "@lectern/harness"
import { Clock, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { callForBody } from "./caller.ts"
import { memory, ruleStores, type stores } from "./stores.ts"
import { openBrowser, signedInBrowser, signInPathOf } from "./support/browser.ts"
import { startServerOn } from "./support.ts"

const email = "robert.angstrom@example.com"
const name = "Robert Ångström"

/** Starts a server with a person who has used everything that stores data about them. */
const start = async (store: (typeof stores)[number]) => {
  const server = await startServerOn(store)
  const { core } = server
  const run = <A, E>(
    effect: Effect.Effect<A, E, Effect.Services<typeof allRecords> | Accounts>
  ): Promise<A> => core.runtime.runPromise(Effect.provideService(effect, Clock.Clock, core.clock))
  const ada = await core.createUser("ada@example.com")
  const organization = await core.createOrganization("Acme", ada)
  const bob = await core.createUser(email)
  await core.setMember(organization, bob, "edit")
  const [adasToken, token] = [await server.tokenOf(ada), await server.tokenOf(bob)]
  const call = <A>(method: string, path: string, body?: unknown, as = token) =>
    callForBody<A>(server, as, method, path, body)
  await call("PATCH", `/users/${bob}`, { displayName: name, photoURL: "https://example.com/robert.png" })
  const org = `/orgs/${organization}`
  const { id: space } = await call<{ id: string }>("POST", `${org}/spaces`, { title: "Docs" }, adasToken)
  const comment = await call<{ id: string }>("POST", `/spaces/${space}/comments`, {
    body: { markdown: "A remark" }
  })
  await call("POST", `/spaces/${space}/comments/${comment.id}/replies`, { body: { markdown: "A reply" } })
  const { id: changeRequest } = await call<{ id: string }>("POST", `/spaces/${space}/change-requests`, {
    subject: "A change"
  })
  await call("PUT", `/spaces/${space}/favorite`, { favorite: true })
  const browser = openBrowser(server)
  await browser.request(await signInPathOf(server, email), {
    form: {},
    headers: { "user-agent": "RobertsBrowser/1.0" }
  })
  const createdAt = "2026-01-01T00:00:00.000Z"
  const rows: ReadonlyArray<readonly [string, object]> = [
    [
      "oidcSubjects",
      { provider: "instance", subject: "robert-at-provider", user: bob, organization: null, createdAt }
    ],
    [
      "passkeys",
      {
        id: "passkey",
        user: bob,
        credential: "credential",
        publicKey: "roberts-key",
        counter: 0,
        transports: [],
        isSynced: false,
        host: "docs.example",
        name: "Robert's laptop",
        createdAt,
        lastUsedAt: null
      }
    ],
    ["recoveryCodes", { user: bob, digest: "robert-digest", createdAt }]
  ]
  for (const [table, row] of rows) {
    await run(Effect.flatMap(allRecords, (records) => records.insert(tableOf(table), row as never)))
  }
  return { server, core, run, call, ada, adasToken, bob, token, organization, space, changeRequest, browser }
}

type World = Awaited<ReturnType<typeof start>>

// The rows of any table are not typed.
const tableOf = (table: string) =>
  tables.find((one) => one.name === table)! as never as Parameters<
    Effect.Success<typeof allRecords>["insert"]
  >[0]

/** Returns the rows of all tables as text, by the names of the tables. */
const readAll = ({ run }: World): Promise<ReadonlyArray<readonly [table: string, rows: string]>> =>
  run(
    Effect.flatMap(allRecords, (records) =>
      Effect.forEach(tables, (table) =>
        Effect.map(records.find(table as never, {}), (rows) => [table.name, JSON.stringify(rows)] as const)
      )
    )
  )

/** Matches the values that identify the person, besides the id. */
const personal = /robert|ångström/i

/** Events that hosts can still receive. They are removed when their retention ends. */
const temporary = new Set(["events", "outboxEvents"])

const tablesWith = async (world: World): Promise<ReadonlyArray<string>> =>
  (await readAll(world))
    .filter(([table, rows]) => !temporary.has(table) && personal.test(rows))
    .map(([table]) => table)

/** The columns that refer to a user and are not exported, each with the reason. */
const notExported: Readonly<Record<string, string>> = {
  "signInLinks.user": "a link that is open for minutes",
  "recoveryCodes.user": "digests of secrets, which the person has",
  "recoveryFailures.user": "the number of wrong recovery codes in an hour",
  "signedInUsers.user": "the time of the first sign-in, which a session has",
  "presences.user": "the page that is open at the moment",
  "invitations.user": "the proof of the address that is open, which the membership states",
  "grants.user": "the access to content, which belongs to the organization",
  "changeRequestContributors.user": "the authorship of content of others",
  "requestedReviewers.user": "a request of another person",
  "notifications.actor": "the notification of another person"
}

/** The columns that the export contains. */
const exported: Readonly<Record<string, keyof OwnData>> = {
  "members.user": "memberships",
  "teamMembers.user": "teams",
  "sessions.user": "sessions",
  "apiTokens.user": "tokens",
  "oidcSubjects.user": "identities",
  "provisionedMembers.user": "provisioned",
  "passkeys.user": "passkeys",
  "places.user": "places",
  "notifications.user": "notifications",
  "notificationSettings.user": "notificationSettings",
  "spaceNotificationSettings.user": "spaceNotificationSettings",
  "comments.postedBy": "comments",
  "commentReplies.postedBy": "replies",
  "commentReactions.user": "reactions",
  "changeRequests.createdBy": "changeRequests",
  "changeRequestReviews.reviewer": "reviews"
}

it("every reference to a user is a part of the export, or has a reason not to be", () => {
  const columns = tables.flatMap((table) =>
    Object.entries(table.references ?? {}).flatMap(([column, reference]) =>
      reference?.table().name === "users" ? [`${table.name}.${column}`] : []
    )
  )
  expect(columns.length).toBeGreaterThan(10)
  const known = new Set([...Object.keys(exported), ...Object.keys(notExported)])
  expect(columns.filter((column) => !known.has(column))).toEqual([])
  expect([...known].filter((column) => !columns.includes(column))).toEqual([])
})

describe.each(ruleStores)("the data of a person on $name", (store) => {
  it("is exported by the API, and is the same for the operator", async () => {
    const world = await start(store)
    const { call, bob, run, organization, space, changeRequest } = world
    const data = await call<OwnData>("GET", "/user/data")
    expect(data).toMatchObject({
      object: "own-data",
      account: { id: bob, email, displayName: name },
      memberships: { items: [{ organization, title: "Acme", role: "edit" }], isCut: false },
      sessions: { items: [{ method: "link", userAgent: "RobertsBrowser/1.0" }] },
      tokens: { items: [{ label: "Test" }] },
      identities: { items: [{ provider: "instance", subject: "robert-at-provider" }] },
      passkeys: { items: [{ name: "Robert's laptop", host: "docs.example", lastUsedAt: null }] },
      places: { items: [{ kind: "favorite", space }] },
      comments: { items: [{ space, body: "A remark" }] },
      replies: { items: [{ body: "A reply" }] },
      changeRequests: { items: [{ id: changeRequest, subject: "A change" }] }
    })
    expect(JSON.stringify(data)).not.toMatch(/digest|secret|roberts-key|credential|ada@example/i)
    const byOperator = await run(
      Effect.flatMap(Accounts, (accounts) => accounts.exportData({ user: UserId.make(bob) }))
    )
    const { tokens, ...rest } = data
    expect(byOperator).toMatchObject(rest)
    expect(byOperator.tokens.items).toHaveLength(tokens.items.length)
  })

  it("is in no row after the erasure, except for the text that the person has written", async () => {
    const world = await start(store)
    const { run, bob, call, adasToken, organization, token, server, browser } = world
    expect((await tablesWith(world)).toSorted()).toEqual(
      expect.arrayContaining(["members", "oidcSubjects", "passkeys", "recoveryCodes", "sessions", "users"])
    )
    await run(Effect.flatMap(Accounts, (accounts) => accounts.erase({ user: UserId.make(bob) })))
    expect(await tablesWith(world)).toEqual([])
    expect((await server.fetch("/v1/user", { token })).status).toBe(401)
    expect((await browser.request("/v1/user")).status).toBe(401)
    const { items } = await call<{ items: ReadonlyArray<object> }>(
      "GET",
      `/orgs/${organization}/audit-log?operation=Accounts.erase`,
      undefined,
      adasToken
    )
    expect(items).toMatchObject([{ actorType: "operator", resources: [{ type: "user", id: bob }] }])
  })

  it("is cut at 10,000 entries and 4,000,000 characters of a kind", async () => {
    const { run, bob, call } = await start(store)
    const insert = (count: number, padding: number) =>
      run(
        Effect.flatMap(allRecords, (records) =>
          records.insertMany(
            tableOf("oidcSubjects"),
            Array.from({ length: count }, (_, index) => ({
              provider: `p${padding}`,
              subject: `${index}`.padStart(8, "0") + "x".repeat(padding),
              user: bob,
              organization: null,
              createdAt: "2026-01-01T00:00:00.000Z"
            }))
          )
        )
      )
    await insert(4_500, 900)
    const { identities: long } = await call<OwnData>("GET", "/user/data")
    expect([long.isCut, JSON.stringify(long.items).length]).toEqual([true, expect.closeTo(4_000_000, -4)])
    await run(
      Effect.flatMap(allRecords, (records) =>
        records.remove(tableOf("oidcSubjects"), { op: "eq", column: "user", value: bob } as never)
      )
    )
    await insert(10_000, 0)
    expect((await call<OwnData>("GET", "/user/data")).identities).toMatchObject({ isCut: false })
    await insert(1, 1)
    const { identities } = await call<OwnData>("GET", "/user/data")
    expect([identities.isCut, identities.items.length]).toEqual([true, 10_000])
  })
})

describe("the data of a person", () => {
  it("is not exported by a limited token, and not 10 minutes after a sign-in", async () => {
    const { server, token, organization } = await start(memory)
    const create = async (limits: object) => {
      const response = await server.fetch("/v1/user/tokens", {
        method: "POST",
        token,
        body: JSON.stringify({ label: "Limited", ...limits })
      })
      const { secret } = (await response.json()) as { secret: string }
      return secret
    }
    for (const limits of [{ readOnly: true }, { organization }, { permissions: ["space.read"] }]) {
      const limited = await create(limits)
      expect([limits, (await server.fetch("/v1/user/data", { token: limited })).status]).toEqual([
        limits,
        403
      ])
    }
    const browser = await signedInBrowser(server, email)
    expect((await browser.request("/v1/user/data")).status).toBe(200)
    expect((await browser.request("/v1/user/data", { from: "same-site" })).status).toBe(403)
    await server.core.advance(10 * 60_000)
    const late = await browser.request("/v1/user/data")
    expect([late.status, JSON.parse(late.text).error.reason]).toEqual([403, "FreshSignInRequired"])
  })

  it("is erased by the operator neither for an unknown user nor for the last administrator", async () => {
    const { run, ada } = await start(memory)
    const erase = (user: string) =>
      run(Effect.flip(Effect.flatMap(Accounts, (accounts) => accounts.erase({ user: UserId.make(user) }))))
    expect(await erase("unknown")).toMatchObject({ _tag: "NotFound" })
    expect(await erase(ada)).toMatchObject({ _tag: "Conflict", reason: "LastAdministrator" })
  })
})
