/** Grants at run time: the rows that each reaches, with every verb, and the list of grants without a user. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import {
  CurrentUser,
  type GrantedRecords,
  type Identity,
  Operations,
  OrganizationId,
  Records,
  SystemGrant,
  type Table,
  tables,
  UserId,
  users,
  Where,
  Workspace
} from "@lectern/core"
import { runs } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Layer, ManagedRuntime } from "effect"
import * as fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"

type AnyRow = Readonly<Record<string, unknown>>

const [ours, theirs] = ["ours", "theirs"].map((id) => OrganizationId.make(id)) as [
  OrganizationId,
  OrganizationId
]
/** A member of our organization, a member of theirs, and a member of both. */
const [ada, bob, eve] = ["ada", "bob", "eve"].map((id) => UserId.make(id)) as [UserId, UserId, UserId]

interface TenantTable extends Table.AnyTable {
  readonly protection: Table.RequiresGrant & { readonly tenant: string }
}

/** The protected tables that name the organization of a row. */
const tenantTables = tables.filter((table): table is TenantTable => table.protection?.tenant != null)

/** The tables that rows of these must refer to, and that do not name the organization themselves. */
const referencedTables = new Set(
  tenantTables.flatMap(({ columns, references }) =>
    Object.entries(references).flatMap(([column, reference]) => {
      const target = reference!.table()
      const isOther = target !== users && !tenantTables.some(({ name }) => name === target.name)
      return isOther && !columns[column]!.nullable ? [target.name] : []
    })
  )
)

/** A value for a column, by its kind. A reference names the row of the organization in the referenced table. */
const valueOf = (table: Table.AnyTable, column: string, organization: string, user: string): unknown => {
  const { kind, nullable } = table.columns[column]!
  if (column === table.protection?.tenant) return organization
  if (column === table.protection?.owner || column === "user") return user
  if (nullable) return null
  const target = table.references[column]?.table().name
  const name = target ?? table.name
  if (kind === "text") return name === "users" ? user : `${name} of ${organization}`
  if (kind === "integer") return 1
  if (kind === "boolean") return false
  return kind === "json" ? {} : new Uint8Array()
}

const rowOf = (table: Table.AnyTable, organization: string, user: string): AnyRow => {
  const row = Object.fromEntries(
    Object.keys(table.columns).map((column) => [column, valueOf(table, column, organization, user)])
  )
  if (table.protection?.owner == null) return row
  // Rows of two users must not have the same id or the same unique values.
  const candidates = [...(table.key.includes("id") ? ["id"] : []), ...(table.unique ?? []).flat()]
  const distinct = candidates.filter(
    (column) =>
      typeof row[column] === "string" &&
      column !== table.protection?.tenant &&
      column !== "user" &&
      table.references[column] === undefined
  )
  return {
    ...row,
    ...Object.fromEntries(distinct.map((column) => [column, `${row[column]} for ${user}`]))
  }
}

/** The users who have rows of their own in an organization. */
const membersOf = (organization: OrganizationId) => (organization === ours ? [ada, eve] : [bob, eve])

const rowsOf = (table: TenantTable, organization: OrganizationId): ReadonlyArray<AnyRow> =>
  table.protection.owner === null
    ? [rowOf(table, organization, "ada")]
    : membersOf(organization).map((user) => rowOf(table, organization, user))

const runtime = ManagedRuntime.make(Workspace.layer.pipe(Layer.provide(MemoryStorage.layer())))
afterAll(() => runtime.dispose())

/** Inserts rows of both organizations into every protected table that names an organization. */
const setUp = runtime.runPromise(
  Effect.gen(function* () {
    const { records } = yield* SystemGrant.make("a test")
    for (const id of [ada, bob, eve]) {
      yield* records.insert(users, rowOf(users, "", id) as never)
      yield* records.update(users, Where.eq("id", id), { email: `${id}@example.com` })
    }
    for (const table of tables) {
      const tenantTable = tenantTables.find(({ name }) => name === table.name)
      for (const organization of [ours, theirs]) {
        if (tenantTable !== undefined) {
          for (const row of rowsOf(tenantTable, organization)) yield* records.insert(table, row as never)
        } else if (referencedTables.has(table.name)) {
          yield* records.insert(table, rowOf(table, organization, "ada") as never)
        }
      }
    }
    const { command, allow } = yield* Operations
    const store = yield* Records
    /** Returns the records of a grant, so that tests can use them after the operation. */
    const ofOrganization = command(
      "Test.organization",
      { parameters: { organization: OrganizationId }, authorize: allow.organization("view") },
      function* (_, { records }) {
        return records
      }
    )
    const ofUser = command(
      "Test.user",
      { parameters: {}, authorize: allow.signedIn("a test") },
      function* (_, { records }) {
        return records
      }
    )
    const as = <A, E>(identity: Identity, effect: Effect.Effect<A, E, CurrentUser>) =>
      Effect.provideService(effect, CurrentUser, identity)
    return {
      store,
      records,
      grants: {
        organization: yield* as({ id: ada }, ofOrganization({ organization: ours })),
        user: yield* as({ id: ada }, ofUser({})),
        "user of both": yield* as({ id: eve }, ofUser({})),
        "user of both, limited to one": yield* as({ id: eve, organization: ours }, ofUser({}))
      }
    }
  })
)

type GrantName = keyof Awaited<typeof setUp>["grants"]

/** Whether a grant reaches a row. */
const reaches = (grant: GrantName, { protection }: TenantTable, row: AnyRow): boolean => {
  const organization = row[protection.tenant]
  const owner = protection.owner === null ? undefined : row[protection.owner]
  switch (grant) {
    case "organization":
      return organization === ours
    case "user":
      return owner === undefined ? organization === ours : owner === ada
    case "user of both":
      // Audit records of calls outside of organizations have null.
      return organization !== null && (owner === undefined || owner === eve)
    case "user of both, limited to one":
      return organization === ours && (owner === undefined || owner === eve)
  }
}

const grantNames: ReadonlyArray<GrantName> = [
  "organization",
  "user",
  "user of both",
  "user of both, limited to one"
]

const conditionOn = (table: TenantTable): fc.Arbitrary<Where.AnyWhere> => {
  const rows = [...rowsOf(table, ours), ...rowsOf(table, theirs)]
  const columns = Object.keys(table.columns).filter((name) =>
    ["text", "integer", "boolean"].includes(table.columns[name]!.kind)
  )
  const { where } = fc.letrec<{ where: Where.AnyWhere }>((tie) => ({
    where: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constant<Where.AnyWhere>(Where.all),
      fc
        .tuple(fc.constantFrom(...columns), fc.constantFrom(...rows))
        .map(
          ([column, row]): Where.AnyWhere =>
            row[column] === null
              ? { op: "isNull", column }
              : { op: "eq", column, value: row[column] as Where.Scalar }
        ),
      tie("where").map((condition): Where.AnyWhere => ({ op: "not", condition })),
      fc.record({
        op: fc.constantFrom("and" as const, "or" as const),
        conditions: fc.array(tie("where"), { maxLength: 3 })
      })
    )
  }))
  return where
}

interface Case {
  readonly grant: GrantName
  readonly table: TenantTable
  readonly where: Where.AnyWhere
}

const anyCase: fc.Arbitrary<Case> = fc
  .tuple(fc.constantFrom(...grantNames), fc.constantFrom(...tenantTables))
  .chain(([grant, table]) => conditionOn(table).map((where) => ({ grant, table, where })))

/** Carries the result of an effect out of its transaction, as the error that rolls the transaction back. */
class Undone<A> {
  readonly _tag = "Undone"
  readonly value: A
  constructor(value: A) {
    this.value = value
  }
}

/** Runs an effect in a transaction, rolls it back, and returns the result. */
const runAndRollBack = async <A, E>(effect: Effect.Effect<A, E>): Promise<A> => {
  const { store } = await setUp
  return runtime.runPromise(
    Effect.flatMap(effect, (value) => Effect.fail(new Undone(value))).pipe(
      store.transaction,
      Effect.catchIf(
        (error): error is Undone<A> => error instanceof Undone,
        ({ value }) => Effect.succeed(value)
      )
    ) as Effect.Effect<A>
  )
}

const sorted = (rows: ReadonlyArray<unknown>) => rows.map((row) => JSON.stringify(row)).sort()

/** The rows of a table that the grant does not reach. */
const unreachedRows = (all: GrantedRecords, { grant, table }: Case) =>
  Effect.map(all.find(table, {}), (rows) =>
    sorted((rows as ReadonlyArray<AnyRow>).filter((row) => !reaches(grant, table, row)))
  )

describe("the records of a grant", () => {
  it("read only the rows that the grant reaches, with every verb", async () => {
    const { records: all, grants } = await setUp
    await fc.assert(
      fc.asyncProperty(anyCase, async ({ grant, table, where }) => {
        const records = grants[grant]
        const { found, counted, byTenant, first, selected, expected, keys } = await runAndRollBack(
          Effect.gen(function* () {
            const rows = (yield* all.find(table, { where })) as ReadonlyArray<AnyRow>
            const everyRow = (yield* all.find(table, {})) as ReadonlyArray<AnyRow>
            const keys = yield* Effect.forEach(everyRow, (row) =>
              Effect.map(records.get(table, row as never), (got) => [row, got !== undefined] as const)
            )
            const { tenant } = table.protection
            return {
              expected: rows.filter((row) => reaches(grant, table, row)),
              keys,
              found: yield* records.find(table, { where }),
              counted: yield* records.count(table, where),
              byTenant: yield* records.countBy(table, tenant, where),
              first: yield* records.first(table, { where }),
              selected: yield* records.find(table, {
                where: records.inSelect<AnyRow, string, TenantTable, string>(tenant, table, tenant, where)
              })
            }
          })
        )
        expect(sorted(found)).toEqual(sorted(expected))
        expect(counted).toBe(expected.length)
        expect([...byTenant.values()].reduce((sum, count) => sum + count, 0)).toBe(expected.length)
        expect(first === undefined).toBe(expected.length === 0)
        const tenants = new Set(expected.map((row) => row[table.protection.tenant]))
        for (const row of selected as ReadonlyArray<AnyRow>) {
          expect(reaches(grant, table, row)).toBe(true)
          expect(tenants.has(row[table.protection.tenant])).toBe(true)
        }
        for (const [row, isFound] of keys) expect(isFound).toBe(reaches(grant, table, row))
      }),
      runs(300)
    )
  })

  it("update and remove only the rows that the grant reaches", async () => {
    const { records: all, grants } = await setUp
    await fc.assert(
      fc.asyncProperty(anyCase, async (one) => {
        const { grant, table, where } = one
        const records = grants[grant]
        const changes = Object.fromEntries(
          Object.entries(rowOf(table, "nobody", "nobody")).filter(
            ([column]) => table.columns[column]!.kind === "json" && !table.key.includes(column)
          )
        )
        const [updated, removed, expected] = await runAndRollBack(
          Effect.gen(function* () {
            const before = yield* unreachedRows(all, one)
            const rows = (yield* all.find(table, { where })) as ReadonlyArray<AnyRow>
            const updated = yield* records.update(table, where, changes as never)
            expect(yield* unreachedRows(all, one)).toEqual(before)
            const isRemovable = table.name !== "organizations" && table.name !== "collections"
            const removed = isRemovable ? yield* records.remove(table, where) : undefined
            expect(yield* unreachedRows(all, one)).toEqual(before)
            return [updated, removed, rows.filter((row) => reaches(grant, table, row)).length]
          })
        )
        expect(updated).toBe(expected)
        if (removed !== undefined) expect(removed).toBe(expected)
      }),
      runs(300)
    )
  })

  it("reject an insert and a change of organization outside of the scope of the grant", async () => {
    const { records: all, grants } = await setUp
    const verbs = ["insert", "tryInsert", "insertMany", "insertMissing", "update", "tryUpdate"] as const
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...grantNames),
        fc.constantFrom(...tenantTables.filter(({ key, protection }) => !key.includes(protection.tenant))),
        fc.constantFrom(...verbs),
        async (grant, table, verb) => {
          const records = grants[grant]
          const isOutside = { ...rowOf(table, "elsewhere", "nobody"), id: "new" }
          const { tenant } = table.protection
          const changes = { [tenant]: "elsewhere" }
          const write =
            verb === "insert" || verb === "tryInsert"
              ? records[verb](table, isOutside as never)
              : verb === "insertMany" || verb === "insertMissing"
                ? records[verb](table, [isOutside as never])
                : records[verb](table, Where.all, changes as never)
          const before = await runtime.runPromise(all.find(table, {}))
          await expect(runtime.runPromise(write)).rejects.toThrow("outside of the scope of the grant")
          expect(sorted(await runtime.runPromise(all.find(table, {})))).toEqual(sorted(before))
        }
      ),
      runs(100)
    )
  })

  it("do not increment a counter of a row that the grant does not reach", async () => {
    const { records: all, grants } = await setUp
    const spaces = tenantTables.find(({ name }) => name === "spaces")!
    const [own, other] = [rowsOf(spaces, ours)[0]!.id, rowsOf(spaces, theirs)[0]!.id]
    const next = (id: unknown) => grants.organization.next(spaces, { id } as never, "changeRequests" as never)
    expect(await runAndRollBack(Effect.all([next(own), next(own)]))).toEqual([2, 3])
    expect(await runAndRollBack(next(other))).toBeUndefined()
    expect(
      await runtime.runPromise(all.count(spaces, { op: "eq", column: "changeRequests", value: 1 }))
    ).toBe(2)
  })
})

/** The tables of users, whose rows can be limited to an organization. */
const ofUsers = new Set(["apiTokens", "oidcSubjects", "sessions", "signInLinks"])

describe("the protection of tables", () => {
  it("requires a grant, except for users, content by its hash, queues, counts of e-mails, events, PDFs by their digest, secrets, idempotency keys, records of programs and rate limits", () => {
    const unprotected = tables.filter(({ protection }) => protection === undefined).map(({ name }) => name)
    expect(unprotected.sort()).toEqual([
      "blobs",
      "chunkedBlobs",
      "events",
      "idempotencyKeys",
      "jobs",
      "mails",
      "oauthRecords",
      "outboxEvents",
      "outlines",
      "pdfs",
      "rateLimits",
      "secrets",
      "users",
      "webhookDeliveries"
    ])
  })

  it("limits rows by their organization if the table has such a column", () => {
    for (const { name, columns, protection } of tables) {
      if (ofUsers.has(name) || protection === undefined) continue
      expect([name, protection.tenant], name).toEqual([
        name,
        name === "organizations" ? "id" : "organization" in columns ? "organization" : null
      ])
    }
  })
})

describe("the grants without a user", () => {
  const testFolder = dirname(fileURLToPath(import.meta.url))
  const root = join(testFolder, "../../..")
  const golden = join(testFolder, "systemGrants.txt")
  const call = /(?:SystemGrant\.make|allow\.operator)\(\s*("[^"]*"|[^)]*)/g

  const sources = ["access", "core", "http"].flatMap((name) =>
    readdirSync(join(root, "packages", name, "src"), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => join(root, "packages", name, "src", path))
  )

  it("match the golden file systemGrants.txt, each with its reason", () => {
    const lines = sources.sort().flatMap((path) =>
      Array.from(
        readFileSync(path, "utf8")
          .split("\n")
          .filter((line) => !line.trimStart().startsWith("*"))
          .join("\n")
          .matchAll(call),
        ([, reason]) => `${relative(join(root, "packages"), path)}  ${reason}`
      )
    )
    if (process.env.LECTERN_UPDATE_GOLDEN === "1") writeFileSync(golden, `${lines.join("\n")}\n`)
    const stored = existsSync(golden) ? readFileSync(golden, "utf8") : ""
    expect(
      stored,
      "Review each new grant: it reaches every row. To list it, run " +
        "`LECTERN_UPDATE_GOLDEN=1 npx vitest run packages/core/test/grants.test.ts`."
    ).toBe(`${lines.join("\n")}\n`)
    for (const line of lines) expect(line).toMatch(/ {2}".+"$/)
  })
})
