/** Events in process: what is emitted, in which order, with which cause; and replay from a cursor. */

import {
  createWorkspace,
  EventLog,
  events as eventTable,
  Gone,
  isLecternError,
  OrganizationId,
  outboxEvents,
  Records,
  tables,
  Where,
  type WorkspaceEvent,
  type WorkspaceOptions,
  workspaceEvents
} from "@lectern/core"
import { runs } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Stream } from "effect"
import * as fc from "fast-check"
import { describe, expect, it, onTestFinished } from "vitest"

const open = async (options: Partial<WorkspaceOptions> = {}) => {
  const workspace = createWorkspace({ storage: MemoryStorage.layer(), ...options })
  onTestFinished(() => workspace.dispose())
  const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
  const organization = await workspace.administration.createOrganization({
    administrator: user,
    input: { title: "Acme" }
  })
  const readAll = () =>
    workspace.runtime.runPromise(Effect.flatMap(EventLog, (log) => Effect.orDie(log.read(0, {}, 1_000))))
  return { workspace, user, organization, ada: workspace.as(user), readAll }
}

describe("events", () => {
  it("name the operation and the caller, and contain the resource", async () => {
    const { ada, organization, user, readAll } = await open()
    const space = await ada.spaces.create({ organization, input: { title: "Handbook" } })
    const event = (await readAll()).find(({ type }) => type === "space.created")
    expect(event).toMatchObject({
      version: 1,
      organization,
      operation: "Spaces.create",
      actor: user,
      data: { id: space.id, title: "Handbook", deletedAt: null }
    })
  })

  it("are not written by a transaction that is rolled back, nor by a savepoint that fails", async () => {
    const { ada, organization, readAll } = await open()
    const count = (await readAll()).length
    await ada
      .transaction(async (tx) => {
        await tx.spaces.create({ organization })
        throw new Error("no")
      })
      .catch(() => undefined)
    expect((await readAll()).length).toBe(count)
    await ada.transaction(async (tx) => {
      await tx.spaces.create({ organization, input: { title: "Kept" } })
      await tx.spaces.update({ space: "missing", input: {} }).catch(() => undefined)
    })
    expect((await readAll()).slice(count).map(({ type }) => type)).toContain("space.created")
  })

  it("of a row that one transaction changes several times are one event with the last state", async () => {
    const { ada, organization, readAll } = await open()
    const { id } = await ada.transaction(async (tx) => {
      const space = await tx.spaces.create({ organization, input: { title: "One" } })
      return await tx.spaces.update({ space: space.id, input: { title: "Two" } })
    })
    const found = (await readAll()).filter(({ data }) => data.id === id)
    expect(found.map(({ type, data }) => [type, data.title])).toEqual([["space.created", "Two"]])
  })

  it("of content edits are revisions, without an event of the space", async () => {
    const { ada, organization, readAll } = await open()
    const { id } = await ada.spaces.create({ organization })
    const count = (await readAll()).length
    await ada.content.edit({
      content: { space: id },
      input: { changes: [{ operation: "insert_page", document: { markdown: "# Page" } }] }
    })
    const [event, ...others] = (await readAll()).slice(count)
    expect([event?.type, others]).toEqual(["revision.created", []])
    expect(event?.data.id).toBe((await ada.spaces.get({ space: id })).revision)
  })

  it("name the meaning of an update", async () => {
    const { ada, organization, readAll } = await open()
    const { id: space } = await ada.spaces.create({ organization })
    const { id: site } = await ada.sites.create({ organization, input: { spaces: [space] } })
    await ada.sites.publish({ organization, site })
    await ada.sites.unpublish({ organization, site })
    await ada.spaces.remove({ space })
    await ada.spaces.restore({ space })
    const types = (await readAll()).map(({ type }) => type)
    for (const type of ["site.published", "site.unpublished", "space.trashed", "space.restored"]) {
      expect(types).toContain(type)
    }
  })

  it("of a transfer reach both organizations", async () => {
    const { ada, organization, user, workspace, readAll } = await open()
    const elsewhere = await workspace.administration.createOrganization({
      administrator: user,
      input: { title: "Elsewhere" }
    })
    const { id: space } = await ada.spaces.create({ organization })
    await ada.spaces.transfer({ space, input: { organization: elsewhere } })
    const found = (await readAll()).filter(({ type }) => type === "space.transferred")
    expect(found.map(({ organization }) => organization).toSorted()).toEqual(
      [organization, elsewhere].toSorted()
    )
    expect(found.map(({ data }) => data.organization)).toEqual([elsewhere, elsewhere])
  })

  it("contain no column that holds a secret", () => {
    const secret = /secret|digest|token|privateKey|visitorKey|^key$|configuration/i
    for (const { resource, data } of workspaceEvents) {
      expect([resource, Object.keys(data.fields).filter((field) => secret.test(field))]).toEqual([
        resource,
        []
      ])
    }
  })

  it("are declared for every table of resources", () => {
    const declared = new Set(workspaceEvents.map(({ table }) => table.name))
    const derived = tables.filter(({ name }) => !declared.has(name)).map(({ name }) => name)
    expect(derived.toSorted()).toEqual([
      "apiTokens",
      "archivedPages",
      "auditRecords",
      "blobs",
      "changeRequestContributors",
      "chunkedBlobs",
      "customFontFiles",
      "emailDomains",
      "events",
      "exportArchives",
      "idempotencyKeys",
      "integrationAssets",
      "invitations",
      "invites",
      "jobs",
      "mails",
      "notificationSettings",
      "notifications",
      "oauthRecords",
      "oidcSubjects",
      "openApiTexts",
      "outboxEvents",
      "outlines",
      "pageMoves",
      "passkeys",
      "pdfs",
      "places",
      "presences",
      "provisionedMembers",
      "provisionedTeams",
      "rateLimits",
      "recoveryCodes",
      "recoveryFailures",
      "samlAnswers",
      "searchAudiences",
      "searchParts",
      "searchVocabulary",
      "secrets",
      "sessions",
      "signInLinks",
      "signedInUsers",
      "siteEventCounts",
      "spaceNotificationSettings",
      "stagedUploads",
      "suspensions",
      "tokenAddresses",
      "translatedPages",
      "translationRuns",
      "usedChallenges",
      "webhookDeliveries"
    ])
  })
})

describe("the listings", () => {
  it("equal the events that a consumer has replayed", async () => {
    const { ada, organization, readAll } = await open()
    const step = fc.record({
      kind: fc.constantFrom("create", "rename", "trash", "collect", "move", "team", "site"),
      at: fc.nat(20),
      title: fc
        .string({ minLength: 2, maxLength: 20, unit: "grapheme-ascii" })
        .filter((t) => t.trim().length > 1)
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const spacesNow = async () => (await ada.spaces.list({ organization, input: { limit: 1000 } })).items
        for (const { kind, at, title } of steps) {
          const all = await spacesNow()
          const space = all[at % Math.max(all.length, 1)]?.id
          if (kind === "create" || space === undefined)
            await ada.spaces.create({ organization, input: { title } })
          else if (kind === "rename") await ada.spaces.update({ space, input: { title } })
          else if (kind === "trash") await ada.spaces.remove({ space })
          else if (kind === "team") await ada.teams.create({ organization, input: { title, members: [] } })
          else if (kind === "site") await ada.sites.create({ organization, input: { title } })
          else {
            const { id: parent } = await ada.collections.create({ organization, input: { title } })
            if (kind === "move") await ada.spaces.move({ space, input: { parent } })
          }
        }
        const projected = new Map<string, Map<unknown, Record<string, unknown>>>()
        for (const { type, data } of await readAll()) {
          const [resource, action] = type.split(".") as [string, string]
          const rows = projected.get(resource) ?? new Map()
          projected.set(resource, rows)
          if (action === "deleted") rows.delete(data.id)
          else rows.set(data.id, data)
        }
        const shownOf = (resource: string, fields: ReadonlyArray<string>) =>
          [...(projected.get(resource)?.values() ?? [])]
            .filter((row) => row.deletedAt === undefined || row.deletedAt === null)
            .map((row) => fields.map((field) => row[field] ?? undefined))
            .toSorted()
        const listed = (items: ReadonlyArray<object>, fields: ReadonlyArray<string>) =>
          items.map((item) => fields.map((field) => Reflect.get(item, field))).toSorted()
        const input = { limit: 1000 }
        const spaceFields = ["id", "organization", "title", "parent", "defaultLevel", "editMode", "createdAt"]
        expect(shownOf("space", spaceFields)).toEqual(listed(await spacesNow(), spaceFields))
        const collectionFields = ["id", "title", "parent", "defaultLevel"]
        expect(shownOf("collection", collectionFields)).toEqual(
          listed((await ada.collections.list({ organization, input })).items, collectionFields)
        )
        const siteFields = ["id", "title", "type", "visibility", "published", "createdAt"]
        expect(shownOf("site", siteFields)).toEqual(
          listed((await ada.sites.list({ organization, input })).items, siteFields)
        )
        const teamFields = ["id", "title"]
        expect(shownOf("team", teamFields)).toEqual(
          listed((await ada.teams.list({ organization, input })).items, teamFields)
        )
      }),
      runs(10)
    )
  })
})

describe("a subscription", () => {
  it("receives the events of its type, with the type of their data, after they have committed", async () => {
    const { ada, organization, workspace } = await open()
    const titles: Array<string> = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const unsubscribe = workspace.on(
      "space.created",
      async ({ data }) => {
        expect((await ada.spaces.get({ space: data.id })).title).toBe(data.title)
        titles.push(data.title)
        if (titles.length === 2) resolve()
      },
      { after: "0" }
    )
    await ada.spaces.create({ organization, input: { title: "One" } })
    await ada.collections.create({ organization })
    await ada.spaces.create({ organization, input: { title: "Two" } })
    await promise
    await unsubscribe()
    expect(titles).toEqual(["One", "Two"])
  })

  it("replays all events after a cursor, each in order", async () => {
    const { ada, organization, workspace, readAll } = await open()
    for (let i = 0; i < 5; i++) await ada.spaces.create({ organization })
    const all = await readAll()
    const from = all[2]!.sequence
    const seen: Array<string> = []
    await new Promise<void>((resolve) => {
      const end = workspace.on(
        "*",
        (event: WorkspaceEvent) => {
          seen.push(event.id)
          if (seen.length === all.length - 3) void end().then(resolve)
        },
        { after: String(from) }
      )
    })
    expect(seen).toEqual(all.slice(3).map(({ id }) => id))
  })

  it("ends, without skipping the event, if its handler rejects", async () => {
    const { ada, organization, workspace } = await open()
    const failure = new Error("no")
    const { promise, resolve } = Promise.withResolvers<unknown>()
    workspace.on(
      "space.created",
      () => {
        throw failure
      },
      { after: "0", onError: resolve }
    )
    await ada.spaces.create({ organization })
    expect(await promise).toBe(failure)
  })

  it("to one organization receives no event of another", async () => {
    const { organization, workspace, user, ada } = await open()
    const elsewhere = await workspace.administration.createOrganization({
      administrator: user,
      input: { title: "Elsewhere" }
    })
    await ada.spaces.create({ organization: elsewhere })
    await ada.spaces.create({ organization })
    const rows = await workspace.runtime.runPromise(
      workspace.events({ after: "0", organization }).pipe(
        Stream.takeUntil(({ type }) => type === "space.created"),
        Stream.runCollect
      )
    )
    expect(new Set(rows.map((event) => event.organization))).toEqual(new Set([organization]))
  })
})

describe("the retention of events", () => {
  it("removes old events except for the last, and rejects cursors before them", async () => {
    const { ada, organization, workspace, readAll } = await open({ eventRetentionDays: 1 })
    for (let i = 0; i < 3; i++) await ada.spaces.create({ organization })
    const all = await readAll()
    await workspace.runtime.runPromise(
      Effect.gen(function* () {
        const records = yield* Records
        yield* records.update(eventTable, Where.all, { createdAt: "2020-01-01T00:00:00.000Z" })
        yield* (yield* EventLog).purge
      })
    )
    expect(await readAll()).toHaveLength(1)
    const error = await ada.events
      .list({ organization, input: { after: String(all[0]!.sequence) } })
      .catch((error: unknown) => error)
    expect(isLecternError(error) && error instanceof Gone && error.reason).toBe("RetentionExpired")
    await ada.spaces.create({ organization })
    const { items } = await ada.events.list({
      organization: OrganizationId.make(organization),
      input: { after: String(all.at(-1)!.sequence) }
    })
    expect(items.map(({ type }) => type)).toContain("space.created")
  })

  it("of 0 days records none", async () => {
    const { ada, organization, readAll, workspace } = await open({ eventRetentionDays: 0 })
    await ada.spaces.create({ organization })
    expect(await readAll()).toEqual([])
    const pending = await workspace.runtime.runPromise(
      Effect.flatMap(Records, (records) => records.find(outboxEvents, {}))
    )
    expect(pending).toEqual([])
  })
})
