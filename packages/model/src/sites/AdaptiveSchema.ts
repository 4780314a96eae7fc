/**
 * Adaptive schemas: a JSON Schema (draft 07) of the claims of visitors, restricted to the subset of the specification.
 * Conditions can name only claims of the schema, and claims that do not match it are dropped.
 */

import * as Schema from "effect/Schema"
import type { Expression } from "../conditions/Condition.ts"
import { mapOf } from "../schema/MapOf.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, text } from "../schema/Text.ts"

const description = text({ max: 1_000 })

class BooleanClaim extends resource<BooleanClaim>()(
  Schema.Struct({
    /** The type of the claim: `boolean`. */
    type: Schema.Literal("boolean"),
    /** The description of the claim: at most 1,000 characters. */
    description: Schema.optionalKey(description)
  })
) {}

class StringClaim extends resource<StringClaim>()(
  Schema.Struct({
    /** The type of the claim: `string`. */
    type: Schema.Literal("string"),
    /** The description of the claim: at most 1,000 characters. */
    description: Schema.optionalKey(description),
    /** The values that the claim can have: at most 1,000, each of at most 255 characters; any value when absent. */
    enum: Schema.optionalKey(Schema.Array(text({ max: 255 })).check(Schema.isMaxLength(1_000)))
  })
) {}

class NumberClaim extends resource<NumberClaim>()(
  Schema.Struct({
    /** The type of the claim: `number`. */
    type: Schema.Literal("number"),
    /** The description of the claim: at most 1,000 characters. */
    description: Schema.optionalKey(description)
  })
) {}

const Primitive = Schema.Union([BooleanClaim, StringClaim, NumberClaim])

/** The schema of a claim: a primitive, an array of primitives, or an object of claims. */
export type AdaptiveClaim =
  | typeof Primitive.Type
  | {
      /** The type of the claim: `array`. */
      readonly type: "array"
      /** The description of the claim: at most 1,000 characters. */
      readonly description?: string
      /** The schema of each item. */
      readonly items: typeof Primitive.Type
    }
  | AdaptiveClaims

/** The schema of an object of claims. */
export interface AdaptiveClaims {
  /** The type of the claim: `object`. */
  readonly type: "object"
  /** The description of the claim: at most 1,000 characters. */
  readonly description?: string
  /** The schemas of at most 100 claims, by their names of 1 to 100 characters. */
  readonly properties: { readonly [name: string]: AdaptiveClaim }
  /** Always `false`: the object has no other claims. */
  readonly additionalProperties: false
}

/** The bounds of claim names. Names with a special meaning in JavaScript are excluded. */
const claimNames = {
  min: 1,
  max: 100,
  maxEntries: 100,
  noun: "claims",
  reserved: ["__proto__", "constructor", "prototype"]
}

/** The schema of a claim: a primitive, an array of primitives, or an object of claims. */
const AdaptiveClaim: Schema.Codec<AdaptiveClaim> = Schema.Union([
  Primitive,
  Schema.Struct({
    /** The type of the claim: `array`. */
    type: Schema.Literal("array"),
    /** The description of the claim: at most 1,000 characters. */
    description: Schema.optionalKey(description),
    /** The schema of each item. */
    items: Primitive
  }),
  Schema.suspend((): Schema.Codec<AdaptiveClaims> => AdaptiveClaims)
]).annotate({ identifier: "SiteAdaptiveClaim" })

/** The schema of an object of claims. */
const AdaptiveClaims: Schema.Codec<AdaptiveClaims> = Schema.Struct({
  /** The type of the claim: `object`. */
  type: Schema.Literal("object"),
  /** The description of the claim: at most 1,000 characters. */
  description: Schema.optionalKey(description),
  /** The schemas of at most 100 claims, by their names of 1 to 100 characters. */
  properties: mapOf(AdaptiveClaim, claimNames),
  /** Always `false`: the object has no other claims. */
  additionalProperties: Schema.Literal(false)
}).annotate({ identifier: "SiteAdaptiveClaims" })

/** A JSON Schema (draft 07) of the claims of visitors. */
export class AdaptiveJsonSchema extends resource<AdaptiveJsonSchema>()(
  Schema.Struct({
    /** The version of JSON Schema: draft 07. */
    $schema: Schema.optionalKey(Schema.Literal("http://json-schema.org/draft-07/schema#")),
    /** The id of the schema: at most 2,048 characters. */
    $id: Schema.optionalKey(text({ max: 2048 })),
    /** The type of the claims: always `object`. */
    type: Schema.Literal("object"),
    /** The schemas of at most 100 claims, by their names of 1 to 100 characters. */
    properties: mapOf(AdaptiveClaim, claimNames),
    /** Always `false`: visitors have no other claims. */
    additionalProperties: Schema.Literal(false)
  }).annotate({ identifier: "SiteAdaptiveJSONSchema" })
) {}

/** The adaptive schema of a site: the claims of visitors that conditions can name. */
export class AdaptiveSchema extends resource<AdaptiveSchema>()(
  Schema.Struct({
    /** The type of the resource: always `site-adaptive-schema`. */
    object: Schema.Literal("site-adaptive-schema"),
    /** The JSON Schema of the claims of visitors. */
    jsonSchema: AdaptiveJsonSchema,
    /** When the schema was last replaced. */
    updatedAt: Timestamp
  }).annotate({ identifier: "SiteAdaptiveSchema" })
) {}

/** The input that replaces the adaptive schema of a site. */
export class UpdateAdaptiveSchema extends resource<UpdateAdaptiveSchema>()(
  Schema.Struct({
    /** The JSON Schema of the claims of visitors. */
    jsonSchema: AdaptiveJsonSchema
  }).annotate({
    identifier: "UpdateSiteAdaptiveSchema"
  })
) {}

const claimAt = (schema: AdaptiveClaim | undefined, name: string): AdaptiveClaim | undefined =>
  schema?.type === "object" && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined

/** The path of names from the claims to a member, outermost first; undefined for other expressions. */
const pathOf = (expression: Expression): ReadonlyArray<string> | undefined => {
  if (expression.kind === "claims") return []
  if (expression.kind !== "member") return undefined
  const above = pathOf(expression.of)
  return above === undefined ? undefined : [...above, expression.name]
}

/** Finds the first claim in an expression that the schema does not have, such as `visitor.claims.plan`. */
export const unknownClaim = (schema: AdaptiveJsonSchema, expression: Expression): string | undefined => {
  switch (expression.kind) {
    case "literal":
    case "claims":
    case "name":
      return undefined
    case "member": {
      const path = pathOf(expression)
      if (path === undefined) return unknownClaim(schema, expression.of)
      let claim: AdaptiveClaim | undefined = schema as AdaptiveClaims
      for (const name of path) claim = claimAt(claim, name)
      return claim === undefined ? `visitor.claims.${path.join(".")}` : undefined
    }
    case "not":
      return unknownClaim(schema, expression.of)
    case "and":
    case "or":
    case "binary":
      return unknownClaim(schema, expression.left) ?? unknownClaim(schema, expression.right)
    case "call":
      return unknownClaim(schema, expression.on) ?? unknownClaim(schema, expression.argument)
    case "each":
      return unknownClaim(schema, expression.on) ?? unknownClaim(schema, expression.body)
  }
}
