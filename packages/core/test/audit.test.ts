/** The audit log: which calls are recorded, where, and who can read them. */
import {
  type AuditRecord,
  AuditRetention,
  auditRecords,
  BackgroundWork,
  CurrentUser,
  Jobs,
  type ListAuditRecords,
  type SecurityLogEntry,
  SystemGrant,
  Teams,
  UserId,
  type WorkspaceOptions
} from "@lectern/core"
import { runs } from "@lectern/harness"
import { Clock, Effect } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { caught, openWorkspace } from "./support/embedding.ts"

type Open = Awaited<ReturnType<typeof openWorkspace>>

const open = async (options: Partial<WorkspaceOptions> = {}) => {
  const outsiders: Array<SecurityLogEntry> = []
  const opened = await openWorkspace({ securityLogger: (entry) => outsiders.push(entry), ...options })
  const { workspace, organization } = opened
  const member = async (name: string, role: "read" | "edit" | "admin" | null) => {
    const user = await workspace.administration.createUser({ input: { email: `${name}@example.com` } })
    await workspace.administration.setMember({ organization, user, input: { role } })
    return { id: user, as: workspace.as(user) }
  }
  return { ...opened, outsiders, member }
}

const listOf = async (
  { ada, organization }: Pick<Open, "ada" | "organization">,
  input: ListAuditRecords = {}
) => (await ada.auditLog.list({ organization, input: { limit: 1000, ...input } })).items

const summaryOf = (records: ReadonlyArray<AuditRecord>) =>
  records.map(({ operation, outcome }) => `${operation} ${outcome}`)

/** The records of an organization since it was created by the operator. */
const callsOf = async (opened: Pick<Open, "ada" | "organization">) =>
  summaryOf(await listOf(opened)).filter((call) => !call.startsWith("Administration."))

const atTime = <A, E, R>(millis: number, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Clock.Clock, (clock) => {
    const at: Clock.Clock = Object.create(clock, {
      currentTimeMillis: { value: Effect.succeed(millis) },
      currentTimeMillisUnsafe: { value: () => millis }
    })
    return Effect.provideService(effect, Clock.Clock, at)
  })

describe("the record of an executed command", () => {
  it("names the caller, the origin, the operation and the created resource", async () => {
    const opened = await open()
    const { workspace, user, organization } = opened
    const ada = workspace.as(user, {
      address: "192.0.2.1",
      session: "session-1",
      context: { ticket: "OPS-1" }
    })
    const { id } = await ada.spaces.create({ organization, input: { title: "Handbook" } })
    await ada.spaces.update({ space: id, input: { title: "Guide" } })
    const [updated, created] = await listOf(opened, { resource: id })
    expect(created).toMatchObject({
      object: "audit-record",
      organization,
      operation: "Spaces.create",
      outcome: "success",
      actorType: "user",
      actor: user,
      session: "session-1",
      address: "192.0.2.1",
      resources: [{ type: "space", id }],
      context: { ticket: "OPS-1" }
    })
    expect(updated).toMatchObject({ operation: "Spaces.update", resources: [{ type: "space", id }] })
    expect(JSON.stringify([created, updated])).not.toMatch(/Handbook|Guide/)
  })

  it("is in the log of both organizations of a transfer", async () => {
    const opened = await open()
    const { workspace, user, ada, organization } = opened
    const elsewhere = await workspace.administration.createOrganization({
      administrator: user,
      input: { title: "Elsewhere" }
    })
    const { id } = await ada.spaces.create({ organization })
    await ada.spaces.transfer({ space: id, input: { organization: elsewhere } })
    for (const one of [organization, elsewhere]) {
      expect(await listOf({ ada, organization: one }, { operation: "Spaces.transfer" })).toMatchObject([
        { resources: [{ type: "space", id }] }
      ])
    }
  })

  it("names operators without a user", async () => {
    const opened = await open()
    const records = await listOf(opened)
    expect(summaryOf(records)).toEqual(["Administration.createOrganization success"])
    expect(records[0]?.actorType).toBe("operator")
    expect(records[0]?.actor).toBeUndefined()
  })

  it("does not exist if the transaction of the host is rolled back, and exists once if it commits", async () => {
    const opened = await open()
    const { ada, organization } = opened
    await caught(
      ada.transaction(async (tx) => {
        await tx.spaces.create({ organization })
        throw new Error("rolled back")
      })
    )
    expect(await callsOf(opened)).toEqual([])
    await ada.transaction(async (tx) => {
      const { id } = await tx.spaces.create({ organization })
      await caught(tx.spaces.update({ space: "missing", input: { title: "Guide" } }))
      await tx.spaces.update({ space: id, input: { title: "Guide" } })
    })
    expect(await callsOf(opened)).toEqual(["Spaces.update success", "Spaces.create success"])
  })

  it("has a fingerprint of an invite link, whose id is a credential", async () => {
    const opened = await open()
    const { ada, organization, workspace } = opened
    const invite = await ada.invites.create({ organization, input: { role: "read" } })
    const eve = await workspace.administration.createUser({ input: { email: "eve@example.com" } })
    await workspace.as(eve).invites.join({ organization, invite: invite.id })
    const [joined, created] = await listOf(opened)
    expect(joined).toMatchObject({ operation: "Invites.join", actor: eve })
    expect(joined?.resources).toEqual(created?.resources)
    expect(JSON.stringify([joined, created])).not.toContain(invite.id)
  })
})

describe("the record of an export", () => {
  it("is written for queries that export, and for no other query", async () => {
    const opened = await open()
    const { ada, organization } = opened
    const { id } = await ada.spaces.create({ organization })
    await ada.spaces.get({ space: id })
    await ada.exports.getUrl({ content: { space: id } })
    const stream = await ada.auditLog.export({ organization, input: {} })
    expect(await callsOf(opened)).toEqual([
      "AuditLog.export success",
      "Exports.getUrl success",
      "Spaces.create success"
    ])
    const exported: Array<AuditRecord> = []
    for await (const record of stream) exported.push(record)
    const [own, ...others] = summaryOf(await listOf(opened))
    expect(own).toBe("AuditLog.export success")
    expect(summaryOf(exported)).toEqual(others.toReversed())
  })
})

describe("the record of a denied call", () => {
  it("is written after the rollback, for members only", async () => {
    const opened = await open()
    const { ada, organization, member, outsiders, workspace } = opened
    const rita = await member("rita", "read")
    const eve = await workspace.administration.createUser({ input: { email: "eve@example.com" } })
    const { id } = await ada.spaces.create({ organization })
    await caught(rita.as.spaces.remove({ space: id }))
    await caught(workspace.as(eve).spaces.remove({ space: id }))
    await caught(workspace.as(eve).spaces.create({ organization }))
    const denied = await listOf(opened, { outcome: "denied" })
    expect(denied).toMatchObject([
      { operation: "Spaces.remove", actor: rita.id, reason: "RoleTooLow", resources: [{ type: "space", id }] }
    ])
    expect(outsiders).toMatchObject([
      { operation: "Spaces.remove", user: eve, reason: "SpaceNotFound" },
      { operation: "Spaces.create", user: eve }
    ])
  })

  it("is written for content that a member cannot see, and not for content that does not exist", async () => {
    const opened = await open()
    const { ada, organization, member, outsiders } = opened
    const guest = await member("guest", null)
    const { id } = await ada.spaces.create({ organization })
    await caught(guest.as.spaces.remove({ space: id }))
    await caught(guest.as.spaces.remove({ space: "missing" }))
    expect(await listOf(opened, { outcome: "denied" })).toMatchObject([
      { operation: "Spaces.remove", reason: "SpaceNotFound", actor: guest.id }
    ])
    expect(outsiders).toEqual([])
  })

  it("survives the rollback of the host's transaction", async () => {
    const opened = await open()
    const { organization, member } = opened
    const rita = await member("rita", "read")
    await caught(rita.as.transaction((tx) => tx.teams.create({ organization, input: { title: "Writers" } })))
    expect(summaryOf(await listOf(opened, { outcome: "denied" }))).toEqual(["Teams.create denied"])
  })

  it("is written for the validation of an input that the caller may not send", async () => {
    const opened = await open()
    const { organization, member } = opened
    const rita = await member("rita", "read")
    await caught(rita.as.teams.create({ organization, input: { title: "" } }))
    expect(summaryOf(await listOf(opened, { outcome: "denied" }))).toEqual(["Teams.create denied"])
  })

  it("is limited per caller, and counts the omitted denials", async () => {
    const opened = await open()
    const { organization, member, workspace } = opened
    const rita = await member("rita", "read")
    const time = Date.now()
    const attempt = (seconds: number) =>
      workspace.runtime.runPromise(
        atTime(
          time + seconds * 1000,
          Effect.gen(function* () {
            const teams = yield* Teams
            return yield* Effect.exit(teams.create({ organization, input: { title: "Writers" } }))
          }).pipe(CurrentUser.provide(UserId.make(rita.id)))
        )
      )
    for (let i = 0; i < 50; i++) await attempt(0)
    expect(await listOf(opened, { outcome: "denied" })).toHaveLength(20)
    await attempt(61)
    const [latest, ...others] = await listOf(opened, { outcome: "denied" })
    expect(others).toHaveLength(20)
    expect(latest?.suppressed).toBe(30)
  })
})

describe("access to the log", () => {
  it("requires an administrator of the organization", async () => {
    const { organization, member, workspace, user } = await open()
    const elsewhere = await workspace.administration.createUser({ input: { email: "eve@example.com" } })
    const other = await workspace.administration.createOrganization({
      administrator: elsewhere,
      input: { title: "Elsewhere" }
    })
    const editor = await member("editor", "edit")
    const eve = workspace.as(elsewhere)
    await expect(editor.as.auditLog.list({ organization })).rejects.toMatchObject({ _tag: "Forbidden" })
    await expect(eve.auditLog.list({ organization })).rejects.toMatchObject({ _tag: "NotFound" })
    await expect(eve.auditLog.export({ organization })).rejects.toMatchObject({ _tag: "NotFound" })
    // A filter does not reach the records of another organization.
    const found = await eve.auditLog.list({ organization: other, input: { actor: user } })
    expect(found.items).toEqual([])
  })

  it("returns the records that match a filter, in pages", async () => {
    const opened = await open()
    const { ada, organization, member } = opened
    const bob = await member("bob", "admin")
    const spaces: Array<string> = []
    for (const caller of [ada, bob.as, ada]) {
      const { id } = await caller.spaces.create({ organization })
      spaces.push(id)
      await caller.spaces.update({ space: id, input: { title: "Guide" } })
    }
    const all = await listOf(opened)
    const times = all.map(({ createdAt }) => createdAt)
    await fc.assert(
      fc.asyncProperty(
        fc.record(
          {
            actor: fc.constantFrom(opened.user, bob.id, "nobody"),
            operation: fc.constantFrom("Spaces.create", "Spaces.update"),
            resource: fc.constantFrom(...spaces, `space:${spaces[0]}`, "space:", "%"),
            outcome: fc.constantFrom("success" as const, "denied" as const),
            from: fc.constantFrom(...times),
            to: fc.constantFrom(...times)
          },
          { requiredKeys: [] }
        ),
        fc.integer({ min: 1, max: 4 }),
        async (filter, limit) => {
          const expected = all.filter(
            ({ actor, operation, resources, outcome, createdAt }) =>
              (filter.actor === undefined || actor === filter.actor) &&
              (filter.operation === undefined || operation === filter.operation) &&
              (filter.resource === undefined ||
                resources.some(({ type, id }) => [id, `${type}:${id}`].includes(filter.resource!))) &&
              (filter.outcome === undefined || outcome === filter.outcome) &&
              (filter.from === undefined || createdAt >= filter.from) &&
              (filter.to === undefined || createdAt < filter.to)
          )
          const found: Array<AuditRecord> = []
          for (let page: string | undefined; ; ) {
            const result = await ada.auditLog.list({
              organization,
              input: { ...filter, limit, ...(page === undefined ? {} : { page }) }
            })
            expect(result.count).toBe(expected.length)
            found.push(...result.items)
            page = result.next?.page
            if (page === undefined) break
          }
          expect(found).toEqual(expected)
        }
      ),
      runs(50)
    )
  })
})

describe("the retention of the log", () => {
  it("removes records after their retention period", async () => {
    const opened = await open({ auditRetentionDays: 10 })
    const { ada, organization, workspace } = opened
    await ada.spaces.create({ organization })
    const dayMs = 86_400_000
    const drainAt = (days: number) =>
      workspace.runtime.runPromise(
        atTime(
          Date.now() + days * dayMs,
          Effect.gen(function* () {
            yield* (yield* Jobs).enqueue("purgeAuditRecords", null)
            return yield* (yield* BackgroundWork).drain
          })
        )
      )
    await drainAt(9)
    expect(await callsOf(opened)).toEqual(["Spaces.create success"])
    await drainAt(11)
    expect(await listOf(opened)).toEqual([])
  })

  it("of 0 days records nothing", async () => {
    const opened = await open({ auditRetentionDays: 0 })
    const { ada, organization, workspace } = opened
    await ada.spaces.create({ organization })
    const count = await workspace.runtime.runPromise(
      Effect.gen(function* () {
        expect(yield* AuditRetention).toBe(0)
        const { records } = yield* SystemGrant.make("Counts audit records in a test.")
        return (yield* records.find(auditRecords, {})).length
      })
    )
    expect(count).toBe(0)
  })
})
