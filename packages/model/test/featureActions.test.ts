/** The declarations of actions and errors by features of hosts. */
import { defineErrors } from "@lectern/model/api"
import { FeatureError, featureErrorStatuses } from "@lectern/model/errors"
import {
  type ActionNoun,
  collectionActions,
  defineActions,
  type FeatureAction,
  featurePermissions,
  isAtLeast,
  organizationActions,
  roles,
  siteActions,
  spaceActions
} from "@lectern/model/roles"
import { Schema } from "effect"
import { expect, it } from "vitest"

const actions = defineActions("labels", {
  organization: { guest: "guest", read: "read", create: "create", admin: "admin" },
  collection: { read: "read", create: "create", admin: "admin" },
  space: {
    read: "read",
    comment: "comment",
    edit: "edit",
    review: "review",
    create: "create",
    admin: "admin"
  },
  site: { read: "read", create: "create", admin: "admin" }
})

it("permits an action to its role and higher ones, like the action of the policy that authorizes it", () => {
  const policy: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    organization: organizationActions,
    collection: collectionActions,
    space: spaceActions,
    site: siteActions
  }
  for (const ofNoun of Object.values(actions)) {
    for (const [name, { noun, permission, equivalent, role }] of Object.entries(ofNoun)) {
      const needed = name === "guest" ? null : name
      expect([permission, role]).toEqual([`${noun}.labels.${name}`, needed])
      expect(policy[noun]![equivalent]).toBe(needed)
    }
  }
  for (const role of [null, ...roles]) {
    for (const ofNoun of Object.values<Readonly<Record<string, FeatureAction<ActionNoun>>>>(actions)) {
      for (const [name, isPermitted] of Object.entries(featurePermissions(ofNoun, role))) {
        expect(isPermitted).toBe(name === "guest" || isAtLeast(role, name as (typeof roles)[number]))
      }
    }
  }
})

it("encodes an error with its status, and decodes it with its reason", () => {
  for (const status of featureErrorStatuses) {
    const { Taken } = defineErrors("labels", { Taken: { status, description: "The name is taken." } })
    const body = { error: { code: status, reason: "labels.Taken" as const, message: "Choose another name." } }
    const error = Taken.make("Choose another name.")
    expect(Schema.encodeUnknownSync(Taken.schema)(error)).toEqual(body)
    const decoded = Schema.decodeUnknownSync(Taken.schema)(body)
    expect([decoded instanceof FeatureError, Taken.is(decoded), decoded.status]).toEqual([true, true, status])
    expect(() =>
      Schema.decodeUnknownSync(Taken.schema)({ error: { ...body.error, reason: "SlugTaken" } })
    ).toThrow()
  }
})

it("rejects names that cannot be a part of a permission or a reason", () => {
  for (const name of ["", "a.b", "a b", "1st", "space.add"]) {
    expect(() => defineActions(name, { space: { add: "edit" } })).toThrow(TypeError)
    expect(() => defineActions("labels", { space: { [name]: "edit" } })).toThrow(TypeError)
    expect(() => defineErrors(name, { Taken: { status: 409, description: "" } })).toThrow(TypeError)
    expect(() => defineErrors("labels", { [name]: { status: 409, description: "" } })).toThrow(TypeError)
  }
})
