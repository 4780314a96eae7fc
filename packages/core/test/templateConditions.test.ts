import { parseCondition } from "@lectern/markdown/conditions"
import { type AdaptiveClaim, templateConditions, unknownClaim } from "@lectern/model/sites"
import { Result } from "effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"

const primitive: fc.Arbitrary<AdaptiveClaim> = fc.oneof(
  fc.constant({ type: "boolean" as const }),
  fc.constant({ type: "number" as const }),
  fc.record(
    {
      type: fc.constant("string" as const),
      enum: fc.array(fc.string({ unit: "grapheme", maxLength: 20 }), { maxLength: 4 })
    },
    { requiredKeys: ["type"] }
  )
)

const name = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
  .filter((text) => !["__proto__", "constructor", "prototype"].includes(text))

const { claim } = fc.letrec<{ claim: AdaptiveClaim }>((tie) => ({
  claim: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    primitive,
    fc.record({ type: fc.constant("array" as const), items: primitive as fc.Arbitrary<never> }),
    fc.record({
      type: fc.constant("object" as const),
      properties: fc.dictionary(name, tie("claim"), { maxKeys: 3 }),
      additionalProperties: fc.constant(false as const)
    })
  )
}))

const schema = fc.record({
  type: fc.constant("object" as const),
  properties: fc.dictionary(name, claim, { maxKeys: 5 }),
  additionalProperties: fc.constant(false as const)
})

it("suggests only conditions that can be set and name declared claims", () => {
  fc.assert(
    fc.property(schema, (jsonSchema) => {
      for (const { condition } of templateConditions(jsonSchema)) {
        const parsed = parseCondition(condition)
        expect([condition, Result.isSuccess(parsed)]).toEqual([condition, true])
        if (Result.isSuccess(parsed)) expect(unknownClaim(jsonSchema, parsed.success)).toBeUndefined()
      }
    })
  )
})
