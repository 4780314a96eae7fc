/** PATCH operations of SCIM on the attributes of users and groups. */
import { runs } from "@lectern/harness"
import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { groupDefinition, userDefinition } from "../src/scim/attributes.ts"
import { applyPatch, type Document, patchSchema, readDocument } from "../src/scim/patch.ts"

interface PatchOperation {
  readonly op: string
  readonly path?: string
  readonly value?: unknown
}

const patch = (
  definition: typeof userDefinition,
  document: Document,
  ...Operations: ReadonlyArray<PatchOperation>
) => {
  const patched = applyPatch(definition, document, { schemas: [patchSchema], Operations })
  return Result.isSuccess(patched) ? patched.success : patched.failure.scimType
}

const user: Document = {
  userName: "bjensen",
  externalId: "e1",
  name: { familyName: "Jensen", givenName: "Barbara" },
  displayName: "Babs Jensen",
  active: true
}
const patchUser = (...operations: ReadonlyArray<PatchOperation>) => patch(userDefinition, user, ...operations)

const group: Document = { displayName: "Employees", members: [{ value: "a" }, { value: "b" }] }
const patchGroup = (...operations: ReadonlyArray<PatchOperation>) =>
  patch(groupDefinition, group, ...operations)
const membersOf = (...values: ReadonlyArray<string>) => ({
  ...group,
  members: values.map((value) => ({ value }))
})

const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"

describe("PATCH of SCIM", () => {
  it.each<readonly [string, ReadonlyArray<PatchOperation>, Document | string]>([
    // RFC 7644, section 3.5.2.1: values that exist are added once, and attributes are merged without a path.
    [
      "adds members",
      [
        {
          op: "add",
          path: "members",
          value: [{ display: "B", $ref: "../Users/b", value: "b" }, { value: "c" }]
        }
      ],
      membersOf("a", "b", "c")
    ],
    [
      "adds one member that is no list",
      [{ op: "add", path: "members", value: { value: "c" } }],
      membersOf("a", "b", "c")
    ],
    [
      "adds members without a path",
      [{ op: "add", value: { members: [{ value: "c" }] } }],
      membersOf("a", "b", "c")
    ],
    // Section 3.5.2.2.
    ["removes a member by a filter", [{ op: "remove", path: 'members[value eq "a"]' }], membersOf("b")],
    ["removes all members", [{ op: "remove", path: "members" }], membersOf()],
    ["removes nothing that no filter selects", [{ op: "remove", path: 'members[value eq "x"]' }], group],
    // Section 3.5.2.3.
    [
      "replaces members",
      [{ op: "replace", path: "members", value: [{ value: "c" }, { value: "c" }] }],
      membersOf("c")
    ],
    [
      "removes and adds in order",
      [
        { op: "remove", path: 'members[value eq "a"]' },
        { op: "add", path: "members", value: [{ value: "a" }] }
      ],
      membersOf("b", "a")
    ],
    [
      "rejects a replacement that selects nothing",
      [{ op: "replace", path: 'members[value eq "x"].value', value: "y" }],
      "mutability"
    ],
    [
      "rejects a replacement of a member that is none",
      [{ op: "replace", path: 'members[value eq "x"]', value: { value: "y" } }],
      "noTarget"
    ],
    [
      "rejects another value of a member",
      [{ op: "replace", path: 'members[value eq "a"]', value: { value: "y" } }],
      "mutability"
    ],
    // Microsoft Entra ID before its compliance flag, and Okta.
    ["removes listed members", [{ op: "Remove", path: "members", value: [{ value: "a" }] }], membersOf("b")],
    [
      "ignores the id of the group",
      [{ op: "replace", value: { id: "g1", displayName: "Staff" } }],
      { ...group, displayName: "Staff" }
    ],
    ["requires a title", [{ op: "remove", path: "displayName" }], "mutability"],
    ["rejects members without an id", [{ op: "add", path: "members", value: ["a"] }], "invalidValue"],
    [
      "rejects a filter of an attribute with one value",
      [{ op: "replace", path: 'displayName[value eq "a"]', value: "b" }],
      "invalidPath"
    ]
  ])("of a group %s", (_, operations, expected) => {
    expect(patchGroup(...operations)).toEqual(expected)
  })

  it.each<readonly [string, ReadonlyArray<PatchOperation>, Document | string]>([
    [
      "replaces a sub-attribute",
      [{ op: "replace", path: "name.familyName", value: "Doe" }],
      { ...user, name: { familyName: "Doe", givenName: "Barbara" } }
    ],
    [
      "merges a complex attribute",
      [{ op: "replace", path: "name", value: { formatted: "B. Doe" } }],
      { ...user, name: { familyName: "Jensen", givenName: "Barbara", formatted: "B. Doe" } }
    ],
    [
      "replaces without a path",
      [{ op: "replace", value: { displayName: "B", "name.givenName": "Bab" } }],
      { ...user, displayName: "B", name: { familyName: "Jensen", givenName: "Bab" } }
    ],
    [
      "accepts the schema before an attribute",
      [{ op: "replace", path: "urn:ietf:params:scim:schemas:core:2.0:User:displayName", value: "B" }],
      { ...user, displayName: "B" }
    ],
    [
      "ignores the case of names",
      [{ op: "REPLACE", path: "DisplayName", value: "B" }],
      { ...user, displayName: "B" }
    ],
    [
      "removes an attribute",
      [
        { op: "remove", path: "externalId" },
        { op: "remove", path: "name" }
      ],
      { userName: "bjensen", displayName: "Babs Jensen", active: true }
    ],
    [
      "reads booleans of Entra ID",
      [{ op: "Replace", path: "active", value: "False" }],
      { ...user, active: false }
    ],
    ["reads booleans of Okta", [{ op: "replace", value: { active: false } }], { ...user, active: false }],
    [
      "removes an attribute by null",
      [{ op: "replace", path: "displayName", value: null }],
      {
        userName: "bjensen",
        externalId: "e1",
        name: { familyName: "Jensen", givenName: "Barbara" },
        active: true
      }
    ],
    [
      "ignores attributes that are not stored",
      [
        { op: "Add", path: `${enterprise}:department`, value: "R&D" },
        { op: "Replace", path: "title", value: "Dr." },
        { op: "Replace", path: 'phoneNumbers[type eq "work"].value', value: "1" },
        { op: "replace", value: { [enterprise]: { manager: "1" } } }
      ],
      user
    ],
    [
      "ignores other e-mail addresses",
      [
        { op: "Replace", path: 'emails[type eq "work"].value', value: "mallory@example.com" },
        { op: "replace", path: "emails", value: [] }
      ],
      user
    ],
    ["rejects unknown attributes", [{ op: "replace", path: "favoriteColor", value: "red" }], "invalidPath"],
    ["rejects read-only attributes", [{ op: "replace", path: "id", value: "2" }], "mutability"],
    ["rejects another type", [{ op: "replace", path: "displayName", value: 5 }], "invalidValue"],
    ["rejects another boolean", [{ op: "replace", path: "active", value: "no" }], "invalidValue"],
    ["rejects the removal of a required attribute", [{ op: "remove", path: "userName" }], "mutability"],
    ["requires a path to remove", [{ op: "remove" }], "noTarget"],
    ["requires a value to add", [{ op: "add", path: "displayName" }], "invalidValue"],
    ["rejects other operators", [{ op: "move", path: "displayName", value: "x" }], "invalidSyntax"],
    ["rejects malformed paths", [{ op: "replace", path: "name..x", value: "x" }], "invalidPath"],
    ["rejects prototypes as paths", [{ op: "add", path: "__proto__.polluted", value: "x" }], "invalidPath"],
    [
      "rejects prototypes as keys",
      [{ op: "add", value: JSON.parse('{"__proto__":{"polluted":"x"}}') as unknown }],
      "invalidPath"
    ],
    [
      "changes nothing if one operation fails",
      [
        { op: "replace", path: "displayName", value: "B" },
        { op: "replace", path: "x", value: "B" }
      ],
      "invalidPath"
    ]
  ])("of a user %s", (_, operations, expected) => {
    expect(patchUser(...operations)).toEqual(expected)
    expect(Reflect.get({}, "polluted")).toBeUndefined()
  })

  it("requires the schema of the message", () => {
    expect(applyPatch(userDefinition, user, { schemas: [], Operations: [] })).toMatchObject({
      failure: { scimType: "invalidSyntax" }
    })
  })

  it("reads the attributes of a body, and ignores unknown and read-only attributes", () => {
    const body = {
      schemas: [],
      id: "1",
      meta: {},
      USERNAME: "ada",
      password: "secret",
      favoriteColor: "red",
      [enterprise]: { department: "x" },
      "a[b eq 1]": 1,
      name: { givenName: "Ada", middleName: "A." },
      groups: [{ value: "g" }]
    }
    expect(Result.getOrThrow(readDocument(userDefinition, body))).toEqual({
      userName: "ada",
      name: { givenName: "Ada" }
    })
  })

  it("of a group equals a set of members", () => {
    const id = fc.constantFrom("a", "b", "c", "d", "e")
    const ids = fc.array(id, { maxLength: 4 })
    const operation = fc.oneof(
      fc.record({ kind: fc.constantFrom("add", "replace", "list"), ids }),
      fc.record({ kind: fc.constantFrom("filter", "clear"), ids: fc.tuple(id, id) })
    )
    fc.assert(
      fc.property(ids, fc.array(operation, { maxLength: 12 }), (start, operations) => {
        const model = new Set(start)
        const sent: Array<PatchOperation> = []
        for (const { kind, ids } of operations) {
          const value = ids.map((one) => ({ value: one }))
          if (kind === "replace" || kind === "clear") model.clear()
          if (kind === "add" || kind === "replace") for (const one of ids) model.add(one)
          if (kind === "list" || kind === "filter") for (const one of ids) model.delete(one)
          if (kind === "add" || kind === "replace") sent.push({ op: kind, path: "members", value })
          else if (kind === "list") sent.push({ op: "remove", path: "members", value })
          else if (kind === "clear") sent.push({ op: "remove", path: "members" })
          else
            sent.push({
              op: "remove",
              path: ids
                .map((one) => `value eq "${one}"`)
                .join(" or ")
                .replace(/^.*$/, "members[$&]")
            })
        }
        fc.pre(sent.length > 0)
        const document = { displayName: "G", members: [...new Set(start)].map((value) => ({ value })) }
        const patched = patch(groupDefinition, document, ...sent) as {
          readonly members: ReadonlyArray<{ readonly value: string }>
        }
        expect(patched.members.map(({ value }) => value).toSorted()).toEqual([...model].toSorted())
      }),
      runs(1_000)
    )
  })

  it("of a user equals a map of attributes", () => {
    const paths = [
      "displayName",
      "externalId",
      "name.givenName",
      "name.familyName",
      "name.formatted"
    ] as const
    const operation = fc.record({
      op: fc.constantFrom("add", "replace", "remove"),
      path: fc.constantFrom(...paths),
      value: fc.string({ minLength: 1, maxLength: 5 }),
      isNested: fc.boolean()
    })
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 12 }), (operations) => {
        const model = new Map<string, string>()
        for (const { op, path, value } of operations) {
          if (op === "remove") model.delete(path)
          else model.set(path, value)
        }
        const sent = operations.map(({ op, path, value, isNested }) =>
          op === "remove" ? { op, path } : isNested ? { op, value: { [path]: value } } : { op, path, value }
        )
        const patched = patch(userDefinition, { userName: "u", active: true }, ...sent) as Document
        const read = (path: string): unknown =>
          path.split(".").reduce<unknown>((value, key) => (value as Document | undefined)?.[key], patched)
        expect(paths.map((path) => [path, read(path)])).toEqual(paths.map((path) => [path, model.get(path)]))
      }),
      runs(1_000)
    )
  })
})
