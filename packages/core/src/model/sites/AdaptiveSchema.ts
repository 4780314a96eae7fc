/**
 * What a site knows of its visitors: a JSON Schema (draft 07) of their claims, in the narrow shape of the
 * specification. Conditions may only name what is in it, and only what fits it counts of what a visitor claims.
 */
import { Ajv, type AnySchemaObject } from "ajv"
import { Schema } from "effect"
import { LRUCache } from "lru-cache"
import { mapOf } from "../../kernel/schema/MapOf.ts"
import { Timestamp, text } from "../../kernel/schema/Text.ts"
import type { Expression } from "./conditions/Condition.ts"
import type { Claims } from "./conditions/evaluate.ts"

const description = text({ max: 1_000 })

const Primitive = Schema.Union([
  Schema.Struct({ type: Schema.Literal("boolean"), description: Schema.optionalKey(description) }),
  Schema.Struct({
    type: Schema.Literal("string"),
    description: Schema.optionalKey(description),
    enum: Schema.optionalKey(Schema.Array(text({ max: 255 })).check(Schema.isMaxLength(1_000)))
  }),
  Schema.Struct({ type: Schema.Literal("number"), description: Schema.optionalKey(description) })
])

/** What a claim can be: a primitive, a list of them, or an object of claims. */
export type AdaptiveClaim =
  | typeof Primitive.Type
  | { readonly type: "array"; readonly description?: string; readonly items: typeof Primitive.Type }
  | AdaptiveClaims

export interface AdaptiveClaims {
  readonly type: "object"
  readonly description?: string
  readonly properties: { readonly [name: string]: AdaptiveClaim }
  readonly additionalProperties: false
}

/** Names that a condition can reach, and that mean nothing to JavaScript. */
const claimNames = {
  min: 1,
  max: 100,
  most: 100,
  called: "claims",
  not: ["__proto__", "constructor", "prototype"]
}

const AdaptiveClaim: Schema.Codec<AdaptiveClaim> = Schema.Union([
  Primitive,
  Schema.Struct({
    type: Schema.Literal("array"),
    description: Schema.optionalKey(description),
    items: Primitive
  }),
  Schema.suspend((): Schema.Codec<AdaptiveClaims> => AdaptiveClaims)
]).annotate({ identifier: "SiteAdaptiveClaim" })

const AdaptiveClaims: Schema.Codec<AdaptiveClaims> = Schema.Struct({
  type: Schema.Literal("object"),
  description: Schema.optionalKey(description),
  properties: mapOf(AdaptiveClaim, claimNames),
  additionalProperties: Schema.Literal(false)
}).annotate({ identifier: "SiteAdaptiveClaims" })

/** The schema itself. */
export class AdaptiveJsonSchema extends Schema.Opaque<AdaptiveJsonSchema>()(
  Schema.Struct({
    $schema: Schema.optionalKey(Schema.Literal("http://json-schema.org/draft-07/schema#")),
    $id: Schema.optionalKey(text({ max: 2048 })),
    type: Schema.Literal("object"),
    properties: mapOf(AdaptiveClaim, claimNames),
    additionalProperties: Schema.Literal(false)
  }).annotate({ identifier: "SiteAdaptiveJSONSchema" })
) {}

/** The schema of a site, as the specification shows one. */
export class AdaptiveSchema extends Schema.Opaque<AdaptiveSchema>()(
  Schema.Struct({
    object: Schema.Literal("site-adaptive-schema"),
    jsonSchema: AdaptiveJsonSchema,
    updatedAt: Timestamp
  }).annotate({ identifier: "SiteAdaptiveSchema" })
) {}

/** Sets the schema of a site. */
export class UpdateAdaptiveSchema extends Schema.Opaque<UpdateAdaptiveSchema>()(
  Schema.Struct({ jsonSchema: AdaptiveJsonSchema }).annotate({
    identifier: "UpdateSiteAdaptiveSchema"
  })
) {}

const claimAt = (schema: AdaptiveClaim | undefined, name: string): AdaptiveClaim | undefined =>
  schema?.type === "object" && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined

/** The names that an expression reaches a claim by, outermost first; undefined for what is no path of names. */
const pathOf = (expression: Expression): ReadonlyArray<string> | undefined => {
  if (expression.kind === "claims") return []
  if (expression.kind !== "member") return undefined
  const above = pathOf(expression.of)
  return above === undefined ? undefined : [...above, expression.name]
}

/** The first claim that an expression names and that the schema does not have, as in `visitor.claims.plan`. */
export const unknownClaim = (schema: AdaptiveJsonSchema, expression: Expression): string | undefined => {
  switch (expression.kind) {
    case "literal":
    case "claims":
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
  }
}

/** What tells of each claim whether it fits. */
type Validators = ReadonlyMap<string, (claim: unknown) => boolean>

/** By the text of the schema: compiling one of a hundred claims takes many times as long as all else of a visit. */
const compiled = new LRUCache<string, Validators>({ max: 100 })

const validatorsOf = (schema: AdaptiveJsonSchema): Validators => {
  const key = JSON.stringify(schema)
  const known = compiled.get(key)
  if (known !== undefined) return known
  const ajv = new Ajv({ strict: false, validateSchema: false, addUsedSchema: false })
  const validators = new Map(
    Object.entries(schema.properties).map(([name, claim]) => [name, ajv.compile(claim as AnySchemaObject)])
  )
  compiled.set(key, validators)
  return validators
}

/** Of what a visitor claims, what fits the schema: the rest is as if they had not said it. */
export const retainValidClaims = (schema: AdaptiveJsonSchema, claims: Claims): Claims =>
  Object.fromEntries(
    [...validatorsOf(schema)].flatMap(([name, fits]) =>
      Object.hasOwn(claims, name) && fits(claims[name]) ? [[name, claims[name]]] : []
    )
  )
