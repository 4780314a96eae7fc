/** The configuration of installations: values that are validated by the properties that the integration declares. */

import type { IntegrationRow } from "@lectern/kernel/tables"
import { Conflict, InvalidInput } from "@lectern/model/errors"
import type { ConfigurationProperties } from "@lectern/model/integrations"
import { type Installation, maximumValues } from "@lectern/model/integrations"
import { Effect } from "effect"

/** The part that is configured: the installation for an organization (`account`), or the one on a space or a site. */
export type ConfigurationKind = "account" | "space" | "site"

type Values = Installation["configuration"]

const withoutProperties: ConfigurationProperties = { properties: {} }

/** Returns the properties that an integration declares. A configuration by a component declares none. */
const propertiesOf = ({ manifest }: IntegrationRow, kind: ConfigurationKind): ConfigurationProperties => {
  const declared = manifest.configurations?.[kind]
  return declared !== undefined && "properties" in declared ? declared : withoutProperties
}

/** Returns the status of an installation with these values: `pending` if a required property has no value. */
export const statusOf = (
  integration: IntegrationRow,
  kind: ConfigurationKind,
  values: Values
): Installation["status"] => {
  const { required = [] } = propertiesOf(integration, kind)
  return required.every((name) => Object.hasOwn(values, name) && values[name] !== null) ? "active" : "pending"
}

/** Whether an update changes any of its columns. An update with the stored values changes no row, and has no event. */
export const hasChanged = <R extends object>(row: R, changes: Partial<R>): boolean =>
  Object.entries(changes).some(
    ([column, value]) => JSON.stringify(value) !== JSON.stringify(row[column as keyof R])
  )

/** Returns the problem of a value, or undefined. A value without a property is allowed: integrations store their own. */
const problemOf = (
  property: ConfigurationProperties["properties"][string] | undefined,
  value: Values[string]
): string | undefined => {
  if (property === undefined || value === null) return undefined
  if (property.type === "button") return "must be absent: a button has no value"
  if (typeof value !== property.type) return `must be a ${property.type}`
  return property.enum === undefined || property.enum.includes(String(value))
    ? undefined
    : `must be one of ${property.enum.join(", ")}`
}

/**
 * Merges values into a configuration; null removes a value. Fails with `InvalidInput`, which names every value that does not
 * match its property, and with `Conflict` if there would be more than 100 values.
 */
export const mergeConfiguration = Effect.fnUntraced(function* (
  integration: IntegrationRow,
  kind: ConfigurationKind,
  stored: Values,
  given: Values
): Effect.fn.Return<Values, InvalidInput | Conflict> {
  const { properties } = propertiesOf(integration, kind)
  const problems = Object.entries(given).flatMap(([name, value]) => {
    const message = problemOf(Object.hasOwn(properties, name) ? properties[name] : undefined, value)
    return message === undefined ? [] : [{ path: `configuration.${name}`, message }]
  })
  if (problems.length > 0) return yield* InvalidInput.of(problems)
  const merged = Object.entries({ ...stored, ...given }).filter(([, value]) => value !== null)
  if (merged.length > maximumValues) {
    return yield* new Conflict({
      reason: "LimitReached",
      message: `The configuration would have more than ${maximumValues} values, the maximum. Set values to null to remove them.`
    })
  }
  return Object.fromEntries(merged)
})
