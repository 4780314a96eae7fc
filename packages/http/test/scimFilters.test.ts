/** Filters of SCIM: their grammar, their meaning and their bounds. */
import { runs } from "@lectern/harness"
import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { userDefinition } from "../src/scim/attributes.ts"
import { filterPredicate } from "../src/scim/evaluate.ts"
import { maximumFilterLength, parseFilter, parsePath } from "../src/scim/filter.ts"
import { lookupOf } from "../src/scim/lookup.ts"

interface User {
  readonly id: string
  readonly externalId?: string
  readonly userName: string
  readonly name?: { readonly familyName?: string }
  readonly active: boolean
  readonly emails: ReadonlyArray<{ readonly type: string; readonly value: string }>
  readonly meta: { readonly created: string }
}

const matches = (text: string, user: unknown): boolean => {
  const filter = Result.getOrThrowWith(parseFilter(text), ({ detail }) => new Error(`${text}: ${detail}`))
  const predicate = filterPredicate(userDefinition, filter)
  return Result.getOrThrowWith(predicate, ({ detail }) => new Error(`${text}: ${detail}`))(user)
}

const errorOf = (text: string): string => {
  const predicate = Result.flatMap(parseFilter(text), (filter) => filterPredicate(userDefinition, filter))
  return Result.isFailure(predicate) ? (predicate.failure.scimType ?? "") : "valid"
}

const barbara = {
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
  id: "2819c223",
  userName: "Jensen",
  name: { familyName: "O'Malley" },
  active: true,
  emails: [{ value: "bjensen@example.com", type: "work", primary: true }],
  meta: { lastModified: "2012-05-13T04:42:34Z", created: "2011-05-13T04:42:34Z" }
}

// RFC 7644, section 3.4.2.2. `title`, `userType` and `ims` are not stored: they have no value.
const examples: ReadonlyArray<readonly [filter: string, matches: boolean]> = [
  ['userName eq "bjensen"', false],
  [`name.familyName co "O'Malley"`, true],
  ['userName sw "J"', true],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"', true],
  ["title pr", false],
  ['meta.lastModified gt "2011-05-13T04:42:34Z"', true],
  ['meta.lastModified ge "2011-05-13T04:42:34Z"', true],
  ['meta.lastModified lt "2011-05-13T04:42:34Z"', false],
  ['meta.lastModified le "2012-05-13T06:42:34+02:00"', true],
  ['title pr and userType eq "Employee"', false],
  ['title pr or userType eq "Intern"', false],
  ['schemas eq "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"', false],
  ['userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")', false],
  ['userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")', false],
  ['userType ne "Employee" and (emails.type eq "work")', true],
  ['userType ne "Employee" and emails[type eq "work" and value co "@example.com"]', true],
  ['emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]', true],
  ['emails[type eq "work"].value eq "BJensen@Example.com"', true],
  ['emails[type eq "home"].value eq "bjensen@example.com"', false],
  ['userName sw "x" or userName sw "j" and active eq "True"', true],
  ['(userName sw "x" or userName sw "j") and active eq false', false],
  ["NOT (externalId PR)", true],
  ["externalId eq null", true]
]

const texts = ["ada", "Bob", "bob", 'q"uo\\te', "ünï", "x y"]
const name = fc.constantFrom(...texts)

const userArbitrary: fc.Arbitrary<User> = fc.record(
  {
    id: fc.constantFrom("1", "2", "A", "a"),
    externalId: name,
    userName: name,
    name: fc.record({ familyName: name }, { requiredKeys: [] }),
    active: fc.boolean(),
    emails: fc.array(fc.record({ type: fc.constantFrom("work", "home"), value: name }), { maxLength: 2 }),
    meta: fc.record({ created: fc.constantFrom("2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z") })
  },
  { requiredKeys: ["id", "userName", "active", "emails", "meta"] }
)

/** A filter as text, with its plain evaluation. */
interface Case {
  readonly text: string
  readonly evaluate: (user: User) => boolean
}

const operators: Readonly<Record<string, (value: string, other: string) => boolean>> = {
  eq: (value, other) => value === other,
  co: (value, other) => value.includes(other),
  sw: (value, other) => value.startsWith(other),
  ew: (value, other) => value.endsWith(other),
  gt: (value, other) => Buffer.from(value).compare(Buffer.from(other)) > 0,
  le: (value, other) => Buffer.from(value).compare(Buffer.from(other)) <= 0
}

const textAttributes: ReadonlyArray<readonly [string, boolean, (user: User) => ReadonlyArray<string>]> = [
  ["userName", false, (user) => [user.userName]],
  ["USERNAME", false, (user) => [user.userName]],
  ["id", true, (user) => [user.id]],
  ["externalId", true, (user) => (user.externalId === undefined ? [] : [user.externalId])],
  ["name.familyName", false, (user) => (user.name?.familyName === undefined ? [] : [user.name.familyName])],
  ["emails", false, (user) => user.emails.map(({ value }) => value)],
  ["emails.value", false, (user) => user.emails.map(({ value }) => value)],
  [
    'emails[type eq "work"].value',
    false,
    (user) => user.emails.flatMap(({ type, value }) => (type === "work" ? [value] : []))
  ]
]

const comparison: fc.Arbitrary<Case> = fc
  .tuple(fc.constantFrom(...textAttributes), fc.constantFrom(...Object.keys(operators), "ne", "pr"), name)
  .map(([[attribute, isExact, valuesOf], operator, value]) => {
    const fold = (text: string) => (isExact ? text : text.toLowerCase())
    if (operator === "pr") return { text: `${attribute} pr`, evaluate: (user) => valuesOf(user).length > 0 }
    const isNegated = operator === "ne"
    const compare = operators[isNegated ? "eq" : operator]!
    return {
      text: `${attribute} ${operator} ${JSON.stringify(value)}`,
      evaluate: (user) => valuesOf(user).some((one) => compare(fold(one), fold(value))) !== isNegated
    }
  })

const flag: fc.Arbitrary<Case> = fc.boolean().map((value) => ({
  text: `active eq ${value}`,
  evaluate: (user: User) => user.active === value
}))

const selected: fc.Arbitrary<Case> = fc.tuple(fc.constantFrom("work", "home"), name).map(([type, value]) => ({
  text: `emails[type eq "${type}" and value eq ${JSON.stringify(value)}]`,
  evaluate: (user: User) =>
    user.emails.some((one) => one.type === type && one.value.toLowerCase() === value.toLowerCase())
}))

const caseArbitrary: fc.Arbitrary<Case> = fc.letrec<{ filter: Case }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    comparison,
    flag,
    selected,
    tie("filter").map(({ text, evaluate }) => ({
      text: `not (${text})`,
      evaluate: (user: User) => !evaluate(user)
    })),
    fc
      .tuple(tie("filter"), fc.constantFrom("and", "or", "AND"), tie("filter"))
      .map(([one, operator, other]) => ({
        text: `(${one.text}) ${operator} (${other.text})`,
        evaluate: (user: User) =>
          operator === "or"
            ? one.evaluate(user) || other.evaluate(user)
            : one.evaluate(user) && other.evaluate(user)
      }))
  )
})).filter

describe("filters of SCIM", () => {
  it.each(examples)("evaluates %s", (filter, expected) => {
    expect(matches(filter, barbara)).toBe(expected)
  })

  it("match the users that a plain evaluation matches", () => {
    fc.assert(
      fc.property(
        caseArbitrary,
        fc.array(userArbitrary, { minLength: 1, maxLength: 5 }),
        ({ text, evaluate }, users) => {
          fc.pre(text.length <= maximumFilterLength && errorOf(text) === "valid")
          expect(users.map((user) => matches(text, user))).toEqual(users.map(evaluate))
        }
      ),
      runs(2_000)
    )
  })

  it("find the users that match among the users with the values of the lookup", () => {
    const valuesOf = (user: User, attribute: string): ReadonlyArray<string> =>
      ({
        id: [user.id],
        userName: [user.userName],
        externalId: user.externalId === undefined ? [] : [user.externalId],
        "emails.value": user.emails.map(({ value }) => value)
      })[attribute] ?? []
    fc.assert(
      fc.property(caseArbitrary, userArbitrary, ({ text, evaluate }, user) => {
        const filter = parseFilter(text)
        fc.pre(Result.isSuccess(filter) && evaluate(user))
        const indexed = ["id", "userName", "emails.value", "externalId"]
        const lookup = lookupOf(userDefinition, indexed, Result.getOrThrow(filter))
        if (lookup === undefined) return
        const fold = (text: string) => text.toLowerCase()
        const isFound = Object.entries(lookup).some(([attribute, wanted]) =>
          valuesOf(user, attribute).some((value) => wanted.map(fold).includes(fold(value)))
        )
        expect(isFound).toBe(true)
      }),
      runs(2_000)
    )
  })

  it("look up by a value that every match has, and by none otherwise", () => {
    const lookup = (text: string) =>
      lookupOf(userDefinition, ["id", "userName"], Result.getOrThrow(parseFilter(text)))
    expect(lookup('active eq true and userName eq "ada"')).toEqual({ userName: ["ada"] })
    expect(lookup('userName eq "ada" or id eq "1" or userName eq "bob"')).toEqual({
      userName: ["ada", "bob"],
      id: ["1"]
    })
    expect(lookup('userName eq "ada" or active eq true')).toBeUndefined()
    expect(lookup('not (userName eq "ada")')).toBeUndefined()
    expect(lookup('userName ne "ada"')).toBeUndefined()
  })

  it.each([
    "",
    "userName",
    "userName eq",
    'userName eq "ada',
    "userName eq ada",
    'userName is "ada"',
    'userName eq "ada" or',
    '(userName eq "ada"',
    'userName eq "ada")',
    'emails[type eq "work"',
    "not userName pr",
    'userName eq "\\x"',
    "unknown pr",
    "name.unknown pr",
    "__proto__ pr",
    "constructor.prototype pr",
    'active gt "true"',
    'active eq "yes"',
    'name eq "ada"',
    "userName eq 5",
    'userName[value eq "ada"]',
    'meta.created gt "yesterday"',
    'userName eq "ada"; DROP TABLE users',
    `${"(".repeat(11)}userName pr${")".repeat(11)}`,
    `${"(".repeat(900)}userName pr${")".repeat(900)}`,
    `${"not (".repeat(11)}userName pr${")".repeat(11)}`,
    Array.from({ length: 140 }, () => "id pr").join(" or "),
    `userName eq "${"a".repeat(maximumFilterLength)}"`
  ])("rejects %j", (filter) => {
    expect(errorOf(filter)).toBe("invalidFilter")
  })

  it("reject any other text without a defect, and in linear time", () => {
    const piece = fc.constantFrom(
      "userName",
      "emails[",
      "]",
      ".value",
      "(",
      ")",
      "not ",
      " and ",
      " eq ",
      '"',
      "\\",
      "1e9",
      " ",
      "$ref",
      "urn:"
    )
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.array(piece, { maxLength: 60 }).map((parts) => parts.join(""))
    )
    fc.assert(
      fc.property(text, (given) => {
        expect(["valid", "invalidFilter"]).toContain(errorOf(given))
        const path = parsePath(given)
        if (Result.isFailure(path)) expect(path.failure.scimType).toBe("invalidPath")
      }),
      runs(2_000)
    )
    const start = process.cpuUsage().user
    for (const filter of [
      '"'.repeat(2_000),
      "(a pr or b pr) and ".repeat(100),
      `a${" ".repeat(1_990)}`,
      `"${"\\".repeat(1_998)}`
    ])
      errorOf(filter)
    expect((process.cpuUsage().user - start) / 1_000).toBeLessThan(500)
  })
})
