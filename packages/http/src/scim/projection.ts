/** The attributes of a response (RFC 7644, section 3.9), and the order of lists. */
import { type ResourceDefinition, resolveAttribute } from "./attributes.ts"

/** The attributes that a request selects. */
export interface Projection {
  readonly attributes: ReadonlyArray<string>
  readonly excludedAttributes: ReadonlyArray<string>
}

/** The maximum number of attributes that a request names. Further ones are ignored. */
const maximumAttributes = 100

/** Reads a list of attributes that are separated by commas. */
export const readAttributes = (text: string | undefined): ReadonlyArray<string> =>
  (text ?? "")
    .split(",", maximumAttributes)
    .map((name) => name.trim())
    .filter((name) => name !== "")

const isAlways = (name: string): boolean => name === "schemas" || name === "id"

/** The selected sub-attributes by the name of their attribute; undefined for the whole attribute. */
const selectionOf = (
  definition: ResourceDefinition,
  names: ReadonlyArray<string>
): ReadonlyMap<string, ReadonlySet<string> | undefined> => {
  const selected = new Map<string, Set<string> | undefined>()
  for (const name of names) {
    const found = resolveAttribute(definition, name)
    if (found === undefined || found === "ignored") continue
    const { attribute, sub } = found
    if (sub === undefined) selected.set(attribute.name, undefined)
    else if (!selected.has(attribute.name)) selected.set(attribute.name, new Set([sub.name]))
    else selected.get(attribute.name)?.add(sub.name)
  }
  return selected
}

const pick = (value: unknown, isKept: (name: string) => boolean): unknown =>
  Array.isArray(value)
    ? value.map((item: unknown) => pick(item, isKept))
    : typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).filter(([name]) => isKept(name)))
      : value

/** Whether a response has an attribute. */
export const returnsAttribute = (
  definition: ResourceDefinition,
  { attributes, excludedAttributes }: Projection,
  name: string
): boolean => {
  if (attributes.length > 0) return selectionOf(definition, attributes).has(name)
  const excluded = selectionOf(definition, excludedAttributes)
  return !(excluded.has(name) && excluded.get(name) === undefined)
}

/** Returns the function that selects the attributes of a resource. `schemas` and `id` are always selected. */
export const projector = (
  definition: ResourceDefinition,
  { attributes, excludedAttributes }: Projection
): ((resource: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>) => {
  const isSelection = attributes.length > 0
  const selected = selectionOf(definition, isSelection ? attributes : excludedAttributes)
  if (selected.size === 0 && !isSelection) return (resource) => resource
  const select = ([name, value]: readonly [string, unknown]): ReadonlyArray<readonly [string, unknown]> => {
    if (isAlways(name)) return [[name, value]]
    if (!selected.has(name)) return isSelection ? [] : [[name, value]]
    const subs = selected.get(name)
    if (subs === undefined) return isSelection ? [[name, value]] : []
    return [[name, pick(value, (sub) => subs.has(sub) === isSelection)]]
  }
  return (resource) => Object.fromEntries(Object.entries(resource).flatMap(select))
}

const sortKeyOf = (
  definition: ResourceDefinition,
  sortBy: string
): ((resource: Readonly<Record<string, unknown>>) => string | undefined) => {
  const found = resolveAttribute(definition, sortBy)
  if (found === undefined || found === "ignored") return () => undefined
  const { attribute, sub } = found
  const inner = sub?.name ?? (attribute.multiValued ? "value" : undefined)
  const isExact = (sub ?? attribute).caseExact
  return (resource) => {
    const whole = resource[attribute.name]
    const first: unknown = Array.isArray(whole) ? whole[0] : whole
    const value: unknown =
      inner !== undefined && typeof first === "object" && first !== null ? Reflect.get(first, inner) : first
    if (typeof value !== "string" && typeof value !== "boolean") return undefined
    return isExact ? String(value) : String(value).toLowerCase()
  }
}

/** Sorts resources by an attribute; those without it are last. Descending order is the reverse. */
export const sortResources = <R extends Readonly<Record<string, unknown>>>(
  definition: ResourceDefinition,
  resources: ReadonlyArray<R>,
  sortBy: string,
  isDescending: boolean
): ReadonlyArray<R> => {
  const keyOf = sortKeyOf(definition, sortBy)
  const sorted = resources
    .map((resource) => ({ resource, key: keyOf(resource) }))
    .sort(({ key: one }, { key: other }) => {
      if (one === other) return 0
      if (one === undefined) return 1
      if (other === undefined) return -1
      return one < other ? -1 : 1
    })
    .map(({ resource }) => resource)
  return isDescending ? sorted.toReversed() : sorted
}
