/** Finds out which rows a filter can match, so that a request for one user does not read the others. */
import { type ResourceDefinition, resolveAttribute } from "./attributes.ts"
import type { AttributePath, Filter } from "./filter.ts"

/** The values by which a resource can be found, by the names of their attributes, as in `emails.value`. */
export type Lookup = Readonly<Record<string, ReadonlyArray<string>>>

/** The maximum number of values of a lookup; a filter with more is evaluated on all resources. */
const maximumValues = 100

const nameOf = (definition: ResourceDefinition, { name, sub }: AttributePath): string | undefined => {
  const found = resolveAttribute(definition, sub === undefined ? name : `${name}.${sub}`)
  if (found === undefined || found === "ignored") return undefined
  const inner = found.sub?.name ?? (found.attribute.multiValued ? "value" : undefined)
  return inner === undefined ? found.attribute.name : `${found.attribute.name}.${inner}`
}

/**
 * Returns values of which every resource that matches a filter has one; undefined if the filter does not restrict the attributes of
 * `indexed`. The resources with these values can include ones that do not match.
 */
export const lookupOf = (
  definition: ResourceDefinition,
  indexed: ReadonlyArray<string>,
  filter: Filter
): Lookup | undefined => {
  switch (filter.kind) {
    case "compare": {
      const name = nameOf(definition, filter.path)
      return filter.operator === "eq" &&
        typeof filter.value === "string" &&
        name !== undefined &&
        indexed.includes(name)
        ? { [name]: [filter.value] }
        : undefined
    }
    case "and": {
      for (const one of filter.filters) {
        const found = lookupOf(definition, indexed, one)
        if (found !== undefined) return found
      }
      return undefined
    }
    case "or": {
      const merged: Record<string, Array<string>> = {}
      let count = 0
      for (const one of filter.filters) {
        const found = lookupOf(definition, indexed, one)
        if (found === undefined) return undefined
        for (const [name, values] of Object.entries(found)) {
          count += values.length
          if (count > maximumValues) return undefined
          merged[name] = [...(merged[name] ?? []), ...values]
        }
      }
      return merged
    }
    default:
      return undefined
  }
}

/** Whether a filter names an attribute, by its name or a sub-attribute. */
export const namesAttribute = (
  definition: ResourceDefinition,
  filter: Filter,
  attribute: string
): boolean => {
  switch (filter.kind) {
    case "not":
      return namesAttribute(definition, filter.filter, attribute)
    case "and":
    case "or":
      return filter.filters.some((one) => namesAttribute(definition, one, attribute))
    default: {
      const found = resolveAttribute(definition, filter.path.name)
      return found !== undefined && found !== "ignored" && found.attribute.name === attribute
    }
  }
}
