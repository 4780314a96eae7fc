/** Conditions that an adaptive schema suggests. */

import * as Schema from "effect/Schema"
import { maximumExpressionLength } from "../conditions/Condition.ts"
import { resource } from "../schema/resource.ts"
import type { AdaptiveClaim, AdaptiveJsonSchema } from "./AdaptiveSchema.ts"

/** A condition that the adaptive schema of a site suggests. */
export class TemplateCondition extends resource<TemplateCondition>()(
  Schema.Struct({
    /** A description of the condition for people. */
    description: Schema.String,
    /** The condition, at most 1,024 characters. */
    condition: Schema.String
  }).annotate({ identifier: "SiteAdaptiveTemplateCondition" })
) {}

/** The conditions that the adaptive schema of a site suggests. */
export class TemplateConditions extends resource<TemplateConditions>()(
  Schema.Struct({
    /** The conditions, at most 1,000. */
    items: Schema.Array(TemplateCondition)
  }).annotate({ identifier: "SiteAdaptiveTemplateConditions" })
) {}

/** The maximum number of suggested conditions. */
const maximumTemplates = 1_000

/** Returns the expression of a member, in the notation that its name permits. */
const memberOf = (above: string, name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? `${above}.${name}` : `${above}[${JSON.stringify(name)}]`

/** Suggests conditions for a claim: `expression` is its value, and `name` its name for people. */
const conditionsOf = (
  claim: AdaptiveClaim,
  expression: string,
  name: string
): ReadonlyArray<TemplateCondition> => {
  switch (claim.type) {
    case "boolean":
      return [
        { description: `${name} is true`, condition: expression },
        { description: `${name} is not true`, condition: `!${expression}` }
      ]
    case "string":
      return (claim.enum ?? []).flatMap((value) => {
        const literal = JSON.stringify(value)
        return [
          { description: `${name} is ${literal}`, condition: `${expression} == ${literal}` },
          { description: `${name} is not ${literal}`, condition: `${expression} != ${literal}` }
        ]
      })
    case "number":
      return [
        { description: `${name} is greater than 0`, condition: `${expression} > 0` },
        { description: `${name} is 0`, condition: `${expression} == 0` }
      ]
    case "array":
      return claim.items.type === "string"
        ? (claim.items.enum ?? []).map((value) => ({
            description: `${name} includes ${JSON.stringify(value)}`,
            condition: `${expression}.includes(${JSON.stringify(value)})`
          }))
        : []
    case "object":
      return Object.entries(claim.properties).flatMap(([member, inner]) =>
        conditionsOf(inner, memberOf(expression, member), `${name}.${member}`)
      )
  }
}

/**
 * Suggests conditions for the claims of an adaptive schema: at most 1,000, in the order of the schema. A claim whose values it does
 * not declare results in none.
 *
 * @example
 * templateConditions({ type: "object", properties: { beta: { type: "boolean" } }, additionalProperties: false })
 * // [{ description: "beta is true", condition: "visitor.claims.beta" }, …]
 */
export const templateConditions = (schema: AdaptiveJsonSchema): ReadonlyArray<TemplateCondition> =>
  Object.entries(schema.properties)
    .flatMap(([name, claim]) => conditionsOf(claim, memberOf("visitor.claims", name), name))
    .filter(({ condition }) => condition.length <= maximumExpressionLength)
    .slice(0, maximumTemplates)
