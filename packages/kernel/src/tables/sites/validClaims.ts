/** Validates the claims of visitors by the adaptive schema of a site. */

import type { Claims } from "@lectern/model/conditions"
import type { AdaptiveJsonSchema } from "@lectern/model/sites"
import { Ajv, type AnySchemaObject } from "ajv"
import { LRUCache } from "lru-cache"

/** A validator for each claim, by name. */
type Validators = ReadonlyMap<string, (claim: unknown) => boolean>

/** Compiled validators by the text of the schema: compiling a large schema takes longer than the rest of a visit. */
const validatorCache = new LRUCache<string, Validators>({ max: 100 })

const validatorsOf = (schema: AdaptiveJsonSchema): Validators => {
  const key = JSON.stringify(schema)
  const cached = validatorCache.get(key)
  if (cached !== undefined) return cached
  const ajv = new Ajv({ strict: false, validateSchema: false, addUsedSchema: false })
  const validators = new Map(
    Object.entries(schema.properties).map(([name, claim]) => [name, ajv.compile(claim as AnySchemaObject)])
  )
  validatorCache.set(key, validators)
  return validators
}

/** Returns the claims of a visitor that match the schema, and drops all others. */
export const retainValidClaims = (schema: AdaptiveJsonSchema, claims: Claims): Claims =>
  Object.fromEntries(
    [...validatorsOf(schema)].flatMap(([name, isValid]) =>
      Object.hasOwn(claims, name) && isValid(claims[name]) ? [[name, claims[name]]] : []
    )
  )
