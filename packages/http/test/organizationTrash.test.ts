/** Organizations in the trash: no user can use them, their sites and webhooks stop, and a restoration enables the same again. */
import { Administration, ApiTokens, BackgroundWork, CurrentUser, Doctor, Organizations } from "@lectern/core"
import { addressOf, buildScene, operations, paramsIn } from "@lectern/harness/operations"
import { Clock, Effect, Stream } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { rulesOf, statusByRules } from "./support/authorization/expectedStatus.ts"
import { startScene } from "./support/startScene.ts"

const day = 24 * 60 * 60 * 1000

const open = async () => {
  const host = await startScene()
  onTestFinished(() => host.server.close())
  const scene = await buildScene(host)
  const send = async (method: string, path: string, body?: unknown, token: string = host.token) => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await host.server.fetch(path.startsWith("/v1") ? path : `/v1${path}`, {
      method,
      token,
      ...init
    })
    const text = await response.text()
    return { status: response.status, text, json: () => JSON.parse(text) }
  }
  const run = <A, E, R>(effect: Effect.Effect<A, E, R>): Promise<A> =>
    host.server.core.runtime.runPromise(
      Effect.provideService(effect, Clock.Clock, host.server.core.clock) as Effect.Effect<A, E, never>
    )
  return { host, scene, send, run, organization: host.organization }
}

const findings = Effect.gen(function* () {
  const all = yield* Stream.runCollect((yield* Doctor).findings)
  return all.map(({ check, table, row, message }) => `${check}: ${table} ${row} ${message}`)
})

describe("an organization in the trash", () => {
  it("is unknown to every operation, as for a user who is not a member", async () => {
    const { host, scene, send, organization } = await open()
    const outsider = {
      member: "outsider",
      team: "none",
      isPublisher: false,
      installation: undefined,
      roleOn: () => null
    } as const
    expect((await send("DELETE", `/orgs/${organization}`)).status).toBe(205)
    const saved = host.save()
    const statuses: Record<string, number> = {}
    const expected: Record<string, number> = {}
    for (const operation of operations) {
      // Integrations, the caller's own tokens and the calls that everyone may send do not depend on the organization.
      const rules = rulesOf(operation)
      const isOfOrganization = statusByRules(rules, outsider) === 404 && !rules.includes("token.own")
      if (!isOfOrganization || operation.id === "restoreOrganization") continue
      const response = await send(
        operation.method,
        addressOf(operation, paramsIn(operation, scene)),
        operation.body?.(scene)
      )
      statuses[operation.id] = response.status
      expected[operation.id] = 404
      saved.rewind()
    }
    expect(statuses).toEqual(expected)
    expect(Object.keys(expected).length).toBeGreaterThan(200)
  })

  it("is restored with its members, sites and webhooks as they were", async () => {
    const { send, run, organization, host, scene } = await open()
    const { siteId } = scene.ids
    const paused = (
      await send("POST", `/orgs/${organization}/webhooks`, {
        url: "https://example.com/paused",
        active: false
      })
    ).json()
    await send("POST", `/orgs/${organization}/sites/${siteId}/publish`)
    const draft = (await send("POST", `/orgs/${organization}/sites`, { title: "Draft" })).json()
    await run(Effect.flatMap(BackgroundWork, ({ drain }) => drain))
    const read = async () => ({
      organization: (await send("GET", `/orgs/${organization}`)).json(),
      members: (await send("GET", `/orgs/${organization}/members`)).json(),
      sites: (await send("GET", `/orgs/${organization}/sites`)).json(),
      webhooks: (await send("GET", `/orgs/${organization}/webhooks`)).json(),
      spaces: (await send("GET", `/orgs/${organization}/spaces`)).json()
    })
    const before = await read()
    const states = (items: ReadonlyArray<{ id: string; published?: boolean; active?: boolean }>) =>
      new Map(items.map((item) => [item.id, item.published ?? item.active]))
    expect(states(before.sites.items).get(siteId)).toBe(true)
    expect(states(before.sites.items).get(draft.id)).toBe(false)
    expect(states(before.webhooks.items).get(paused.id)).toBe(false)
    const published = `/v1/orgs/${organization}/sites/${siteId}/published`
    const statusForVisitors = async (path: string) => (await host.server.fetch(path)).status
    expect(await statusForVisitors(published)).toBe(200)

    expect((await send("DELETE", `/orgs/${organization}`)).status).toBe(205)
    const missing = published.replace(siteId, "0".repeat(siteId.length))
    expect(await statusForVisitors(published)).toBe(await statusForVisitors(missing))
    expect(await run(findings)).toEqual([])
    expect((await send("GET", "/user/deleted-orgs")).json().items).toEqual([
      {
        object: "deleted-organization",
        id: organization,
        title: before.organization.title,
        deletedAt: expect.any(String),
        restorableUntil: expect.any(String)
      }
    ])
    expect((await send("POST", `/orgs/${organization}/restore`)).status).toBe(205)
    expect(await read()).toEqual(before)
    expect(await statusForVisitors(published)).toBe(200)
    expect(await run(findings)).toEqual([])
    // Outside of the trash, a restoration changes nothing.
    expect((await send("POST", `/orgs/${organization}/restore`)).status).toBe(205)
    expect(await read()).toEqual(before)
  })

  it("can be restored for 30 days, by its administrators with a recent sign-in and by the operator", async () => {
    const { send, run, organization, host } = await open()
    const { core } = host.server
    const administration = await run(Effect.flatMap(Administration, Effect.succeed))
    const restore = administration.restoreOrganization({ organization: organization as never })
    const bob = await core.createUser("robin@example.com")
    const eve = await core.createUser("evelyn@example.com")
    for (const [user, role] of [
      [bob, "create"],
      [eve, "admin"]
    ] as const) {
      await run(
        administration.setMember({
          organization: organization as never,
          user: user as never,
          input: { role }
        })
      )
    }
    const bobsToken = await host.server.tokenOf(bob)
    const created = await run(
      Effect.flatMap(ApiTokens, (tokens) =>
        tokens.create({ input: { user: bob as never, organization: organization as never, label: "CI" } })
      )
    )
    const status = async (method: string, path: string, token?: string) =>
      (await send(method, path, undefined, token)).status
    // A browser that was left open deletes and restores nothing.
    const authenticatedAt = new Date(core.now()).toISOString()
    core.advance(60 * 60 * 1000)
    const signIn = {
      id: "session" as never,
      provider: undefined,
      authenticatedAt,
      isVerified: true,
      expiresAt: new Date(core.now() + day).toISOString(),
      isRotationDue: false
    }
    const inOldSession = (method: "remove" | "restore") =>
      run(
        Effect.flatMap(Organizations, (organizations) =>
          Effect.flip(organizations[method]({ organization: organization as never }))
        ).pipe(Effect.provideService(CurrentUser, { id: host.owner.id as never, signIn }))
      )
    expect(await inOldSession("remove")).toMatchObject({ reason: "FreshSignInRequired" })
    expect(await status("DELETE", `/orgs/${organization}`, bobsToken)).toBe(403)
    expect(await status("DELETE", `/orgs/${organization}`)).toBe(205)
    expect(await inOldSession("restore")).toMatchObject({ reason: "FreshSignInRequired" })
    expect(await status("POST", `/orgs/${organization}/restore`, bobsToken)).toBe(403)
    expect((await send("GET", "/user/deleted-orgs", undefined, bobsToken)).json().items).toEqual([])
    // The operator neither adds members to it nor reads it, and creates no tokens for it.
    const tokens = await run(Effect.flatMap(ApiTokens, Effect.succeed))
    const target = { organization: organization as never, user: bob as never }
    for (const call of [
      administration.setMember({ ...target, input: { role: "admin" } }),
      administration.removeOrganization(target),
      administration.regenerateVisitorKey(target),
      administration.readUsage(target),
      administration.listInvitations(target),
      administration.revokeInvitation(target),
      tokens.create({ input: { user: target.user, organization: target.organization, label: "CI" } }),
      tokens.listInOrganization(target),
      tokens.rotate({ token: created.token.id })
    ]) {
      expect(await run(Effect.flip(call as Effect.Effect<unknown, unknown>))).toMatchObject({
        _tag: "NotFound",
        reason: "OrganizationNotFound"
      })
    }
    // A token can be revoked at any time.
    await run(tokens.revoke({ token: created.token.id }))
    core.advance(30 * day - 1)
    await run(restore)
    expect(await status("GET", `/orgs/${organization}`)).toBe(200)

    expect(await status("DELETE", `/orgs/${organization}`)).toBe(205)
    core.advance(30 * day)
    expect(await status("POST", `/orgs/${organization}/restore`)).toBe(404)
    expect(await run(Effect.flip(restore))).toMatchObject({ _tag: "NotFound" })
    expect((await send("GET", "/user/deleted-orgs")).json().items).toEqual([])
  })
})
