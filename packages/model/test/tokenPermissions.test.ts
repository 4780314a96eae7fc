/** The errors of the permissions of a token. */

import { fieldsOf } from "@lectern/model/schema"
import { CreateApiToken, tokenPermissions } from "@lectern/model/tokens"
import { Schema } from "effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"

const user = "0".repeat(30)

/** Returns the invalid fields of an input with a permission. */
const errorsOf = (permission: string) => {
  try {
    Schema.decodeUnknownSync(CreateApiToken)({ user, label: "Test", permissions: ["space.read", permission] })
    return []
  } catch (error) {
    return fieldsOf((error as Schema.SchemaError).issue)
  }
}

it("lists every permission in the error of one that does not exist", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constant("space.Read")), (permission) => {
      fc.pre(!tokenPermissions.includes(permission))
      const errors = errorsOf(permission)
      expect(errors.map(({ path }) => path)).toEqual(["permissions.1"])
      for (const name of tokenPermissions) expect(errors[0]!.message).toContain(name)
    })
  )
  for (const permission of tokenPermissions) expect(errorsOf(permission)).toEqual([])
})
