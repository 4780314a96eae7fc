/** Generates variants of a valid input: each has one field changed to a value at, below or above a declared bound. */
import { fieldBoundKindsOf, isOpaque, isParameterPlace } from "./bounds.ts"
import {
  type Alternative,
  allowedValuesOf,
  alternatives,
  type Definitions,
  isObject,
  type Json,
  type JsonObject,
  matchesAlternative,
  type Schema,
  valueOfOtherType
} from "./Schemas.ts"
import { isUnconstrainedText, textOfLength, textViolatingPattern } from "./sampleValues.ts"

/** A variant of a valid input. */
export interface InputVariant {
  /** The bound that the variant checks, as `declaredBy` names it. */
  readonly bound: string
  /** The paths at which an error can report the field: its own, or that of an enclosing union. */
  readonly paths: ReadonlyArray<string>
  /** Whether an error can also report a path below the field, as for a key of a map. */
  readonly allowsNestedPath: boolean
  /** The input; undefined if the variant omits the whole input. */
  readonly input: Json | undefined
  /** Whether the server must accept the input. */
  readonly isAccepted: boolean
  /** Whether the variant adds a field to the valid input, and changes no other field. */
  readonly isAddition: boolean
  /** The new value of the field, for messages. */
  readonly description: string
}

/** The path of a value in an input: field names and array indexes. */
type Path = ReadonlyArray<number | string>

/** Returns a copy of a value with the replacement at a path. An undefined replacement removes the field. */
const replaceAt = (value: Json, [key, ...rest]: Path, replacement: Json | undefined): Json | undefined => {
  if (key === undefined) return replacement
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === key ? (replaceAt(item, rest, replacement) ?? null) : item))
  }
  const { [key]: inner, ...others } = value as { readonly [name: string]: Json }
  const changed = rest.length === 0 ? replacement : replaceAt(inner!, rest, replacement)
  return changed === undefined ? others : { ...others, [key]: changed }
}

/** A new value of a field. `kind` is the keyword of the bound; an undefined value omits the field. */
type Change = readonly [kind: string, value: Json | undefined, isAccepted: boolean, description: string]

/** The maximum length of strings that are sent at their upper bound, as sending longer ones takes too long. */
const longestAcceptedText = 2_000_000

/** Returns strings at, below and above the length bounds of a schema. */
const lengthChanges = (schema: Schema, name: string, sample: string): ReadonlyArray<Change> => {
  const { minLength = 0, maxLength } = schema
  const changeTo = (kind: string, length: number, isAccepted: boolean): Change => [
    kind,
    textOfLength(schema, name, sample, length),
    isAccepted,
    `${length} characters`
  ]
  const upper: ReadonlyArray<Change> =
    maxLength === undefined
      ? []
      : [
          changeTo("maxLength", maxLength + 1, false),
          ...(maxLength > longestAcceptedText || maxLength === minLength
            ? []
            : [changeTo("maxLength", maxLength, true)]),
          ...(maxLength > 10_000 ? [] : [changeTo("maxLength", maxLength - 1, true)]),
          ...(isUnconstrainedText(schema, name) && maxLength <= 10_000
            ? ([
                ["maxLength", "\u{1f600}".repeat(maxLength), true, `${maxLength} emojis`],
                ["maxLength", "\u{1f600}".repeat(maxLength + 1), false, `${maxLength + 1} emojis`]
              ] satisfies ReadonlyArray<Change>)
            : [])
        ]
  const lower =
    minLength === 0
      ? []
      : [
          changeTo("minLength", minLength - 1, false),
          changeTo("minLength", minLength, true),
          changeTo("minLength", minLength + 1, true)
        ]
  return [...upper, ...lower]
}

/** Returns strings that check the length, the pattern and the format of a schema. */
const textChanges = (schema: Schema, name: string, sample: string): ReadonlyArray<Change> => {
  const violating = schema.pattern === undefined ? undefined : textViolatingPattern(schema)
  return [
    ...lengthChanges(schema, name, sample),
    ...(violating === undefined
      ? []
      : ([["pattern", violating, false, JSON.stringify(violating)]] satisfies ReadonlyArray<Change>)),
    ...(schema.format === "uri"
      ? ([
          ["format", "not a URL", false, "not a URL"],
          ["format", "javascript:alert(1)", false, "a javascript: URL"]
        ] satisfies ReadonlyArray<Change>)
      : [])
  ]
}

/** Returns numbers at, below and above the bounds of a schema. */
const numberChanges = ({ type, minimum, maximum }: Schema): ReadonlyArray<Change> => {
  const changeTo = (kind: string, value: number, isAccepted: boolean): Change => [
    kind,
    value,
    isAccepted,
    String(value)
  ]
  return [
    ...(minimum === undefined
      ? []
      : [
          changeTo("minimum", minimum - 1, false),
          changeTo("minimum", minimum, true),
          changeTo("minimum", minimum + 1, true)
        ]),
    ...(maximum === undefined
      ? []
      : [
          changeTo("maximum", maximum + 1, false),
          changeTo("maximum", maximum, true),
          changeTo("maximum", maximum - 1, true)
        ]),
    ...(type === "integer" ? [changeTo("type", 0.5, false)] : [])
  ]
}

/** Returns an array with `count` copies of an item. */
const repeatItem = (item: Json, count: number): Json => Array.from({ length: count }, () => item)

/** Returns a map with `count` keys: the keys of the given map first, then generated ones. */
const resizeMap = (map: { readonly [name: string]: Json | undefined }, count: number): Json => {
  const value = Object.values(map)[0]!
  const generated = Array.from({ length: count }, (_, index) => [`name${index}`, value])
  return Object.fromEntries([...Object.entries(map), ...generated].slice(0, count))
}

/** Returns arrays and maps at, below and above the bounds of a schema. Empty ones have no sample for more items. */
const containerChanges = (schema: Schema, value: Json): ReadonlyArray<Change> => {
  const { minItems = 0, maxItems, maxProperties, propertyNames } = schema
  if (Array.isArray(value)) {
    if (value.length === 0) return []
    const tooFew: ReadonlyArray<Change> =
      minItems === 0
        ? []
        : [["minItems", repeatItem(value[0]!, minItems - 1), false, `${minItems - 1} items`]]
    if (maxItems === undefined) return tooFew
    return [
      ...tooFew,
      ["maxItems", repeatItem(value[0]!, maxItems + 1), false, `${maxItems + 1} items`],
      ["maxItems", repeatItem(value[0]!, maxItems), true, `${maxItems} items`],
      ["maxItems", repeatItem(value[0]!, maxItems - 1), true, `${maxItems - 1} items`]
    ]
  }
  if (!isObject(value) || Object.keys(value).length === 0) return []
  const changes: Array<Change> = []
  if (maxProperties !== undefined) {
    changes.push(["maxProperties", resizeMap(value, maxProperties + 1), false, `${maxProperties + 1} keys`])
    changes.push(["maxProperties", resizeMap(value, maxProperties), true, `${maxProperties} keys`])
  }
  const first = Object.values(value)[0]!
  for (const [, name, isAccepted, description] of lengthChanges(propertyNames ?? {}, "", "a")) {
    changes.push(["propertyNames", { [String(name)]: first }, isAccepted, `a key of ${description}`])
  }
  return changes
}

/** Returns the changes that check the bounds of one alternative of a field. */
const changesOf = (schema: Schema, name: string, value: Json): ReadonlyArray<Change> => {
  const values = allowedValuesOf(schema)
  if (values !== undefined) {
    const others = values.filter((other) => other !== value)
    return [
      ["enum", "no-such-value", false, "an unknown value"],
      ...others.map((other) => ["enum", other, true, JSON.stringify(other)] satisfies Change)
    ]
  }
  if (typeof value === "string") return textChanges(schema, name, value)
  if (typeof value === "number") return numberChanges(schema)
  return containerChanges(schema, value)
}

/**
 * Returns the variants that check the bounds of an input and of all fields in it. `place` is the prefix of the names of
 * bounds: `query`, `path` or `body`.
 */
export const variantsOf = (
  definitions: Definitions,
  schema: Schema,
  input: Json,
  place: string
): ReadonlyArray<InputVariant> => {
  const found: Array<InputVariant> = []
  // `union` is the length of the path of the outermost enclosing union.
  const visit = (one: Schema, value: Json, path: Path, at: string, union: number): void => {
    const all = alternatives(definitions, one).filter((alternative) => !isOpaque(alternative))
    const schemas = all.map((alternative) => alternative.schema)
    const matching = schemas.filter((alternative) => matchesAlternative(definitions, alternative, value))
    // If a value matches no alternative of a union, the error reports the union as a whole.
    const isUnion = schemas.length > 1 && schemas.some(({ type }) => type === "object")
    const outer = Math.min(union, isUnion ? path.length : Number.POSITIVE_INFINITY)
    const name = String(path.findLast((step) => typeof step === "string") ?? "")
    const add = (
      fieldPath: Path,
      place: string,
      [kind, replacement, isAccepted, description]: Change
    ): void => {
      const field = fieldPath.join(".")
      const unions = fieldPath.map((_, index) => index).filter((index) => index >= outer)
      found.push({
        bound: `${place} ${kind}`,
        paths: [field, ...unions.map((index) => fieldPath.slice(0, index).join("."))],
        allowsNestedPath: kind === "propertyNames",
        isAddition: false,
        input: replaceAt(input, fieldPath, replacement),
        isAccepted,
        description
      })
    }
    for (const kind of fieldBoundKindsOf(schemas, at)) {
      if (kind === "null") add(path, at, ["null", null, true, "null"])
      else {
        const other = valueOfOtherType(schemas, isParameterPlace(at))!
        add(path, at, ["type", other, false, JSON.stringify(other)])
      }
    }
    for (const schema of matching) {
      for (const change of changesOf(schema, name, value)) add(path, at, change)
      for (const requiredField of isObject(value) ? (schema.required ?? []) : []) {
        // Without the field, the value may match another alternative.
        const { [requiredField]: _, ...without } = value as JsonObject
        const isAccepted = schemas.some((other) => matchesAlternative(definitions, other, without))
        add([...path, requiredField], `${at}.${requiredField}`, [
          "required",
          undefined,
          isAccepted,
          "no value"
        ])
      }
      if (Array.isArray(value) && schema.items !== undefined) {
        for (const [index, item] of value.entries()) {
          visit(schema.items, item, [...path, index], `${at}[]`, outer)
        }
      }
      if (!isObject(value)) continue
      for (const [key, inner] of Object.entries(value)) {
        const property = schema.properties?.[key]
        const others = schema.additionalProperties
        if (inner === undefined) continue
        if (property !== undefined) visit(property, inner, [...path, key], `${at}.${key}`, outer)
        else if (typeof others === "object") visit(others, inner, [...path, key], `${at}{}`, outer)
      }
    }
  }
  visit(schema, input, [], place, Number.POSITIVE_INFINITY)
  return found
}

/**
 * Returns the places of an input whose values match no alternative of their schemas, such as `body.position`. Without a
 * match, the fields and the bounds of the value cannot be checked.
 */
export const undeclaredIn = (
  definitions: Definitions,
  schema: Schema,
  input: Json,
  place: string
): ReadonlyArray<string> => {
  const all = alternatives(definitions, schema)
  // A recursive definition has no alternatives of its own.
  if (all.length === 0 || all.some(isOpaque)) return []
  const below = ({ schema: one }: Alternative): ReadonlyArray<string> => {
    if (Array.isArray(input) && one.items !== undefined) {
      const { items } = one
      return input.flatMap((item) => undeclaredIn(definitions, items, item, `${place}[]`))
    }
    if (!isObject(input)) return []
    return Object.entries(input).flatMap(([name, value]) => {
      const property = one.properties?.[name]
      if (value === undefined) return []
      if (property !== undefined) return undeclaredIn(definitions, property, value, `${place}.${name}`)
      const others = one.additionalProperties
      if (typeof others === "object") return undeclaredIn(definitions, others, value, `${place}{}`)
      return others === false ? [`${place}.${name}`] : []
    })
  }
  const found = all
    .filter((one) => matchesAlternative(definitions, one.schema, input))
    .map((one) => below(one))
    .toSorted((one, other) => one.length - other.length)[0]
  if (found !== undefined) return found
  const inner = all.length === 1 ? below(all[0]!) : []
  return inner.length === 0 ? [place] : inner
}

/** Returns the fields of an input, including nested ones, by place, such as `body.position.before`. */
export const fieldsIn = (
  definitions: Definitions,
  schema: Schema,
  input: Json,
  place: string
): ReadonlyArray<string> =>
  alternatives(definitions, schema)
    .filter((one) => !isOpaque(one) && matchesAlternative(definitions, one.schema, input))
    .flatMap(({ schema: one }) => {
      const below = (inner: Schema | undefined, value: Json, at: string) =>
        inner === undefined ? [] : fieldsIn(definitions, inner, value, at)
      if (Array.isArray(input)) return input.flatMap((item) => below(one.items, item, `${place}[]`))
      if (!isObject(input)) return []
      return Object.entries(input).flatMap(([name, value]) => {
        if (value === undefined) return []
        const property = one.properties?.[name]
        if (property !== undefined) return [`${place}.${name}`, ...below(property, value, `${place}.${name}`)]
        const others = one.additionalProperties
        return typeof others === "object" ? below(others, value, `${place}{}`) : []
      })
    })
