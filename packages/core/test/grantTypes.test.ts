/** Programs that the compiler rejects, because they reach protected rows without a grant. */
import { describe, expect, it } from "vitest"
import { compileErrors } from "./support/compileErrors.ts"

const program = (statements: string) => `import {
  type Grant, type GrantedReader, Operations, OrganizationId, Records, SpaceId, SystemGrant, spaces, users, Where
} from "@lectern/core"
import { Effect } from "effect"

export const program = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const store = yield* Records
  const id = SpaceId.make("space")
  const parameters = { organization: OrganizationId }
  const authorize = allow.organization("view")
  const read = (records: GrantedReader) => records.get(spaces, { id })
  const imported = { SystemGrant, users, Where }
  ${statements}
  return { query, command, store, parameters, authorize, read, imported }
})

export type Unused = Grant
`

const errors = compileErrors({
  allowed: program(`
  yield* store.count(users, Where.all)
  const { records } = yield* SystemGrant.make("a test")
  yield* records.update(spaces, Where.eq("id", id), { title: "Otter" })
  yield* store.find(users, { where: Where.inSelect("id", users, "id", Where.all) })
  const get = query("Test.get", { parameters, authorize }, function* (_, { records }) {
    return yield* read(records)
  })
  const update = command("Test.update", { parameters, authorize }, function* (_, { records, grant }) {
    yield* read(grant.records)
    yield* records.update(spaces, Where.eq("id", id), { title: "Otter" })
  })`),
  readWithoutGrant: program("yield* store.get(spaces, { id })"),
  writeWithoutGrant: program("yield* store.update(spaces, Where.all, {})"),
  conditionWithoutGrant: program(
    'yield* store.find(users, { where: Where.inSelect("id", spaces, "organization", Where.all) })'
  ),
  plainRecordsAsGranted: program("yield* read(store)"),
  writeInQuery: program(`query("Test.get", { parameters, authorize }, function* (_, { records }) {
    yield* records.update(spaces, Where.all, {})
  })`),
  writeByGrant: program(`command("Test.update", { parameters, authorize }, function* (_, { grant }) {
    yield* grant.records.update(spaces, Where.all, {})
  })`),
  literalGrant: program(`const { records } = yield* SystemGrant.make("a test")
  const grant: Grant = { records }
  yield* read(grant.records)`),
  constructedGrant: `import { Grant } from "@lectern/core"
export const grant: unknown = new Grant()
`,
  checkWithoutGrant: program(`query("Test.get", {
    parameters,
    authorize: { rule: authorize.rule, check: () => Effect.succeed({ grant: { records: store } }) }
  }, function* () {})`),
  withoutAuthorization: program('query("Test.get", { parameters }, function* () {})')
})

describe("the compiler", () => {
  const expected = [
    ["allows grants of authorizations, and unprotected tables", "allowed", undefined],
    ["rejects reading a protected table without a grant", "readWithoutGrant", "RequiresGrant"],
    ["rejects writing a protected table without a grant", "writeWithoutGrant", "RequiresGrant"],
    ["rejects selecting from a protected table without a grant", "conditionWithoutGrant", "RequiresGrant"],
    [
      "rejects records without a grant as an argument that requires granted records",
      "plainRecordsAsGranted",
      "GrantedReader"
    ],
    ["rejects writing with the grant of a query", "writeInQuery", "Property 'update' does not exist"],
    ["rejects writing with the grant of a check", "writeByGrant", "Property 'update' does not exist"],
    ["rejects a literal as a grant", "literalGrant", "'Grant'"],
    ["rejects an authorization without a grant", "checkWithoutGrant", "Granted"],
    [
      "rejects an operation without an authorization",
      "withoutAuthorization",
      "Property 'authorize' is missing"
    ]
  ] as const

  it.each(expected)("%s", (_, name, message) => {
    const found = errors[name]
    if (message === undefined) expect(found).toEqual([])
    else {
      expect(found).toHaveLength(1)
      expect(found[0]).toContain(message)
    }
  })

  it("rejects the construction of a grant", () => {
    const found = errors.constructedGrant.join("\n")
    expect(found).toContain("exported using 'export type'")
    expect(found).toContain("is private")
  })
})
