/** The audit logs of the organizations that a command concerns: derived from the rows that each operation changes. */
import { type AuditRecordRow, tables } from "@lectern/core"
import { Atomicity, type StoreContents } from "@lectern/harness"
import { buildScene, callOperationsIn, type Operation, type OperationCall } from "@lectern/harness/operations"
import { describe, expect, it, onTestFinished } from "vitest"
import { operationsOfScopes } from "./support/authorization/operationsOfScopes.ts"
import { bodyOf, createFaultyWorld, type FaultyWorld, sceneHostOf } from "./support/faultyWorld.ts"

type Row = Readonly<Record<string, unknown>>

/** The tables of the workspace itself: their rows belong to no organization, or are not changed by the operation. */
const withoutOrganization = new Set(["auditRecords", "tokenAddresses"])

const rowsIn = (contents: StoreContents.StoreContents, table: string): ReadonlyArray<Row> =>
  (contents.get(table) ?? []).map((line) => Object.fromEntries(JSON.parse(line)) as Row)

/** Returns the rows that only one of two states has, with the names of their tables. */
const changedRows = (before: StoreContents.StoreContents, after: StoreContents.StoreContents) =>
  tables
    .filter(({ name }) => !withoutOrganization.has(name))
    .flatMap((table) => {
      const [old, current] = [before.get(table.name) ?? [], after.get(table.name) ?? []]
      const [was, is] = [new Set(old), new Set(current)]
      return [...old.filter((line) => !is.has(line)), ...current.filter((line) => !was.has(line))].map(
        (line) => ({ table, row: Object.fromEntries(JSON.parse(line)) as Row })
      )
    })

/** The organizations of the active memberships of a user. */
const organizationsOf = (contents: StoreContents.StoreContents, user: unknown): ReadonlyArray<unknown> =>
  rowsIn(contents, "members")
    .filter((member) => member.user === user && member.disabled !== true)
    .map(({ organization }) => organization)

/**
 * Returns the organizations that the changes of an operation concern: the organizations of the rows, the organizations of the user whose own
 * rows they are, and the owner of the integration that the path names.
 */
const concerned = (
  { path }: Operation,
  before: StoreContents.StoreContents,
  after: StoreContents.StoreContents
): ReadonlySet<unknown> => {
  const found = new Set<unknown>()
  const owners = new Map(
    [before, after].flatMap((contents) =>
      rowsIn(contents, "integrations").map(({ id, organization }) => [id, organization] as const)
    )
  )
  for (const { table, row } of changedRows(before, after)) {
    const organization = row[table.protection?.tenant ?? "organization"]
    if (typeof organization === "string") found.add(organization)
    const owner = owners.get(row.integration)
    if (owner !== undefined && path.includes("/:integrationName")) found.add(owner)
    const user = table.protection?.owner
    if (typeof organization === "string" || table.protection?.tenant !== null || user == null) continue
    for (const one of organizationsOf(before, row[user])) found.add(one)
  }
  return found
}

/** Returns the records that an operation has added. */
const added = (before: StoreContents.StoreContents, after: StoreContents.StoreContents) => {
  const known = new Set(rowsIn(before, "auditRecords").map(({ id }) => id))
  return (rowsIn(after, "auditRecords") as ReadonlyArray<Row & AuditRecordRow>).filter(
    ({ id, outcome }) => !known.has(id) && outcome === "success"
  )
}

/** A world with an integration of `elsewhere` that the organization has installed, and two administrators. */
const open = async () => {
  const world = await createFaultyWorld()
  onTestFinished(() => world.close())
  const host = sceneHostOf(world)
  const scene = await buildScene(host, {
    publisher: world.elsewhere,
    scopes: Object.keys(operationsOfScopes)
  })
  const invited = await host.call<{ users: ReadonlyArray<string> }>(
    "POST",
    `/v1/orgs/${world.elsewhere}/invites`,
    { emails: ["publisher@example.com"], role: "admin" }
  )
  return { world, host, scene, publisher: invited.users[0]! }
}

/** Sends the call of every operation in the scene, and visits the result with the contents before and after. */
const forEachCall = async (
  { world, host, scene }: Awaited<ReturnType<typeof open>>,
  token: string | undefined,
  visit: (
    operation: Operation,
    result: Atomicity.OperationResult,
    before: StoreContents.StoreContents,
    after: StoreContents.StoreContents
  ) => void
): Promise<void> => {
  const send = (target: FaultyWorld, { method, address: path, body }: OperationCall) =>
    Atomicity.runToEnd(target, target.send({ method, path, body, ...(token === undefined ? {} : { token }) }))
  await callOperationsIn(scene, host, async (operation, call) => {
    if (!operation.isWrite) return
    const short = operation.body?.(scene)
    const calls = operation.full === undefined ? [call] : [call, { ...call, body: short }]
    const saved = host.save()
    const before = await world.readContents()
    for (const one of calls) {
      const result = await send(world, one)
      visit(operation, result, before, await world.readContents())
      saved.rewind()
    }
  })
}

describe("every command of a member", () => {
  it("is in the log of each organization whose rows it changed, and of the owner of the integration", {
    timeout: 120_000
  }, async () => {
    const opened = await open()
    const violations: Array<unknown> = []
    let count = 0
    await forEachCall(opened, undefined, (operation, { outcome }, before, after) => {
      if (outcome !== "done") return
      const { id } = operation
      count++
      const recorded = added(before, after).map(({ organization }) => organization as unknown)
      const missing = [...concerned(operation, before, after)].filter((one) => !recorded.includes(one))
      const isOutside = recorded.length === 0 || recorded.includes(null)
      if (missing.length > 0 || isOutside) violations.push({ id, missing, recorded })
      if (new Set(recorded).size !== recorded.length) violations.push({ id, twice: recorded })
    })
    expect(violations).toEqual([])
    expect(count).toBeGreaterThan(100)
  })

  for (const caller of ["publisher", "installation"] as const) {
    it(`names only its own members in the log of an organization, if the caller is the ${caller}`, {
      timeout: 120_000
    }, async () => {
      const opened = await open()
      const { world, scene, publisher, host } = opened
      const { ids } = scene
      const installation = `/v1/integrations/${ids.integrationName}/installations/${ids.installationId}`
      const token =
        caller === "publisher"
          ? await world.tokenOf(publisher)
          : (await host.call<{ token: string }>("POST", `${installation}/tokens`)).token
      // The first use of the token is stored here, not by an operation under test.
      await Atomicity.runToEnd(world, world.send({ method: "GET", path: "/v1/user", token }))
      const violations: Array<unknown> = []
      const logs = new Set<unknown>()
      // The owner of the scene is a member of both organizations, except for the token, which is limited to one.
      const isKnown = (contents: StoreContents.StoreContents, organization: unknown, user: unknown) =>
        caller === "installation"
          ? organization === world.organization
          : organizationsOf(contents, user).includes(organization)
      await forEachCall(opened, token, (operation, { outcome }, before, after) => {
        const records = added(before, after)
        if (outcome !== "done") {
          if (records.length > 0) violations.push({ id: operation.id, outcome, records })
          return
        }
        const found = records.map(({ organization }) => organization as unknown)
        const missing = [...concerned(operation, before, after)].filter((one) => !found.includes(one))
        if (missing.length > 0) violations.push({ id: operation.id, missing, found })
        for (const record of records) {
          logs.add(record.organization)
          const { actor, token: used, address } = record
          const isNamed = actor !== null || used !== null || address !== null
          // A user becomes a member by joining.
          const user = caller === "publisher" ? publisher : world.user
          const isMember = [before, after].some((contents) => isKnown(contents, record.organization, user))
          if (isNamed !== isMember) violations.push({ id: operation.id, record })
          const named = JSON.stringify(record.details)
          const isOfIntegration = caller === "installation" || operation.path.includes(":installationId")
          if (isOfIntegration && !named.includes(`"${ids.integrationName}"`)) {
            violations.push({ id: operation.id, details: record.details })
          }
        }
      })
      expect(violations).toEqual([])
      expect(logs).toEqual(new Set([world.organization, world.elsewhere]))
    })
  }
})

describe("the log of an organization", () => {
  it("shows who installed an integration, and the calls of the integration", async () => {
    const { world, host, scene } = await open()
    const { ids } = scene
    const installation = `/v1/integrations/${ids.integrationName}/installations/${ids.installationId}`
    const { token } = await host.call<{ token: string }>("POST", `${installation}/tokens`)
    const space = `/v1/spaces/${ids.spaceId}`
    const body = { title: "Renamed" }
    bodyOf(await Atomicity.runToEnd(world, world.send({ method: "PATCH", path: space, body, token })))
    const logOf = async (organization: string) =>
      (await host.call<{ items: ReadonlyArray<Row> }>("GET", `/v1/orgs/${organization}/audit-log?limit=1000`))
        .items
    const [own, theirs] = [await logOf(world.organization), await logOf(world.elsewhere)]
    const byIntegration = own.find(({ operation }) => operation === "Spaces.update")
    expect(byIntegration).toMatchObject({ integration: ids.integrationName, actor: world.user })
    expect(theirs.map(({ operation }) => operation)).not.toContain("Spaces.update")
    for (const log of [own, theirs]) {
      expect(log.map(({ operation }) => operation)).toEqual(
        expect.arrayContaining(["Installations.create", "InstallationTokens.create"])
      )
    }
  })
})
