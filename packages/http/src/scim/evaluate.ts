/** Evaluates filters on resources. */
import { hasCalendarDate } from "@lectern/model/schema"
import { Result } from "effect"
import { type ResolvedAttribute, type ResourceDefinition, resolveAttribute } from "./attributes.ts"
import type { AttributePath, ComparisonOperator, Filter, FilterValue } from "./filter.ts"
import { badRequest, type ScimError } from "./scimError.ts"

/** A predicate on the JSON of a resource, or of a value of an attribute. */
export type Predicate = (value: unknown) => boolean

/** The attributes that a filter can name. */
type Resolve = (name: string) => ResolvedAttribute | "ignored" | undefined

const propertyOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined

const asList = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]

const fold = (text: string): string => text.normalize("NFKC").toLowerCase()

/** Compares by code point, as databases do. */
const compare = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))

const isOrdered = (operator: "gt" | "ge" | "lt" | "le", difference: number): boolean =>
  operator === "gt"
    ? difference > 0
    : operator === "ge"
      ? difference >= 0
      : operator === "lt"
        ? difference < 0
        : difference <= 0

/** Some clients send booleans as strings. */
const booleanOf = (value: FilterValue): boolean | undefined =>
  typeof value === "boolean"
    ? value
    : typeof value === "string" && /^(true|false)$/i.test(value)
      ? value.toLowerCase() === "true"
      : undefined

const invalid = (detail: string): Result.Result<never, ScimError> =>
  Result.fail(badRequest("invalidFilter", detail))

/** Returns the comparison of one value of an attribute with the value of the filter. */
const comparisonOf = (
  { type, caseExact, name }: ResolvedAttribute["attribute"],
  operator: Exclude<ComparisonOperator, "ne">,
  expected: FilterValue
): Result.Result<Predicate, ScimError> => {
  if (type === "boolean") {
    const flag = booleanOf(expected)
    return operator === "eq" && flag !== undefined
      ? Result.succeed((value) => value === flag)
      : invalid(`${name} can be compared with true and false only, by \`eq\` and \`ne\`.`)
  }
  if (type === "complex") return invalid(`${name} has sub-attributes. Compare one of them.`)
  if (typeof expected !== "string") return invalid(`${name} is compared with a string.`)
  const isText = operator === "co" || operator === "sw" || operator === "ew"
  if (type === "dateTime" && !isText) {
    const time = Date.parse(expected)
    const isImpossible = /^\d{4}-\d{2}-\d{2}/.test(expected) && !hasCalendarDate(expected)
    if (Number.isNaN(time) || isImpossible)
      return invalid(`${name} is compared with a date, as in 2026-01-31T12:00:00Z.`)
    return Result.succeed((value) => {
      const difference = Date.parse(String(value)) - time
      return operator === "eq" ? difference === 0 : isOrdered(operator, difference)
    })
  }
  const normalize = caseExact ? (text: string) => text : fold
  const wanted = normalize(expected)
  const matches = (text: string): boolean => {
    switch (operator) {
      case "eq":
        return text === wanted
      case "co":
        return text.includes(wanted)
      case "sw":
        return text.startsWith(wanted)
      case "ew":
        return text.endsWith(wanted)
      default:
        return isOrdered(operator, compare(text, wanted))
    }
  }
  return Result.succeed((value) => typeof value === "string" && matches(normalize(value)))
}

/** Returns a function from a resource to the values of a path, and the attribute that they belong to. */
const valuesAt = (
  resolve: Resolve,
  { name, filter, sub }: AttributePath
): Result.Result<
  {
    readonly valuesOf: (resource: unknown) => ReadonlyArray<unknown>
    readonly leaf: ResolvedAttribute["attribute"] | "ignored"
  },
  ScimError
> => {
  const found = resolve(sub === undefined ? name : `${name}.${sub}`)
  if (found === undefined)
    return invalid(`There is no attribute ${sub === undefined ? name : `${name}.${sub}`}.`)
  if (found === "ignored") return Result.succeed({ valuesOf: () => [], leaf: "ignored" })
  const { attribute, sub: given } = found
  if (filter !== undefined && !attribute.multiValued) return invalid(`${name} has one value, and no filter.`)
  const selected =
    filter === undefined
      ? Result.succeed<Predicate>(() => true)
      : predicateOf(subAttributesOf(attribute), filter)
  return Result.map(selected, (matches) => {
    // A comparison of a multi-valued attribute concerns its `value`.
    const inner = given ?? (filter === undefined && attribute.multiValued ? valueOf(attribute) : undefined)
    return {
      leaf: inner ?? attribute,
      valuesOf: (resource: unknown) =>
        asList(propertyOf(resource, attribute.name))
          .filter(matches)
          .flatMap((value) =>
            inner === undefined || typeof value !== "object" ? [value] : asList(propertyOf(value, inner.name))
          )
    }
  })
}

const valueOf = ({ subAttributes }: ResolvedAttribute["attribute"]) =>
  subAttributes?.find(({ name }) => name === "value")

const subAttributesOf =
  ({ subAttributes = [] }: ResolvedAttribute["attribute"]): Resolve =>
  (name) => {
    const attribute = subAttributes.find((one) => one.name.toLowerCase() === name.toLowerCase())
    return attribute === undefined ? undefined : { attribute, sub: undefined }
  }

const predicateOf = (resolve: Resolve, filter: Filter): Result.Result<Predicate, ScimError> => {
  switch (filter.kind) {
    case "not":
      return Result.map(predicateOf(resolve, filter.filter), (matches) => (value) => !matches(value))
    case "and":
    case "or":
      return Result.map(
        Result.all(filter.filters.map((one) => predicateOf(resolve, one))),
        (all) => (value) =>
          filter.kind === "and"
            ? all.every((matches) => matches(value))
            : all.some((matches) => matches(value))
      )
    case "present":
      return Result.map(
        valuesAt(resolve, filter.path),
        ({ valuesOf }) =>
          (value) =>
            valuesOf(value).some((one) => one !== "" && one !== null)
      )
    case "compare":
      return Result.flatMap(valuesAt(resolve, filter.path), ({ valuesOf, leaf }) => {
        const { operator, value: expected } = filter
        const isNegated = operator === "ne"
        if (leaf === "ignored") return Result.succeed(() => isNegated)
        if (expected === null) {
          if (operator !== "eq" && !isNegated) return invalid("null is compared by `eq` and `ne` only.")
          return Result.succeed((value: unknown) => (valuesOf(value).length === 0) !== isNegated)
        }
        return Result.map(
          comparisonOf(leaf, isNegated ? "eq" : operator, expected),
          (matches): Predicate =>
            (value) =>
              valuesOf(value).some(matches) !== isNegated
        )
      })
  }
}

/**
 * Returns the predicate of a filter on resources. `ne` is the negation of `eq`. Fails with `invalidFilter` for an unknown attribute, and
 * for a comparison that the type of the attribute does not have.
 */
export const filterPredicate = (
  definition: ResourceDefinition,
  filter: Filter
): Result.Result<Predicate, ScimError> => predicateOf((name) => resolveAttribute(definition, name), filter)

/** Returns the predicate of a filter on the values of a multi-valued attribute. */
export const valuePredicate = (
  attribute: ResolvedAttribute["attribute"],
  filter: Filter
): Result.Result<Predicate, ScimError> => predicateOf(subAttributesOf(attribute), filter)
