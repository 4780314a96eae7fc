/** Inputs at, under and over the edges of what is declared: each a good input with one field changed. */
import { fieldBoundKindsOf, isOpaque, isParameterPlace } from "./bounds.ts"
import {
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
import { isUnconstrainedText, textOfLength, textViolatingPattern } from "./values.ts"

/** An input to be tried. */
export interface Trial {
  /** The bound that it is about, as `declaredBy` names it. */
  readonly bound: string
  /** Where a refusal has to say that something is wrong: the path of the field, or of what it is one part of. */
  readonly paths: ReadonlyArray<string>
  /** Whether it may say so of something in the field: a name of a map is a path of its own. */
  readonly mayBeBelow: boolean
  readonly input: Json | undefined
  readonly isAccepted: boolean
  /** Whether it is the whole good input, with something beside it. */
  readonly isAddition: boolean
  /** What was put into the field, in words. */
  readonly what: string
}

type Steps = ReadonlyArray<number | string>

/** A value with another at a place in it; without it where that is undefined. */
const replaced = (value: Json, [step, ...rest]: Steps, by: Json | undefined): Json | undefined => {
  if (step === undefined) return by
  if (Array.isArray(value)) {
    const inner = (item: Json) => replaced(item, rest, by) ?? null
    return value.map((item, index) => (index === step ? inner(item) : item))
  }
  const { [step]: inner, ...others } = value as { readonly [name: string]: Json }
  const changed = rest.length === 0 ? by : replaced(inner!, rest, by)
  return changed === undefined ? others : { ...others, [step]: changed }
}

/** What is tried of a field: the kind of its bound, what it becomes (undefined: left out), and whether that is accepted. */
type Change = readonly [kind: string, value: Json | undefined, isAccepted: boolean, what: string]

/** Texts longer than this are not tried at their edge: to send them takes longer than all the rest. */
const longestTried = 2_000_000

const lengthChanges = (schema: Schema, name: string, sample: string): ReadonlyArray<Change> => {
  const { minLength = 0, maxLength } = schema
  const of = (kind: string, length: number, isAccepted: boolean): Change => [
    kind,
    textOfLength(schema, name, sample, length),
    isAccepted,
    `${length} characters`
  ]
  const upper: ReadonlyArray<Change> =
    maxLength === undefined
      ? []
      : [
          of("maxLength", maxLength + 1, false),
          ...(maxLength > longestTried || maxLength === minLength ? [] : [of("maxLength", maxLength, true)]),
          ...(maxLength > 10_000 ? [] : [of("maxLength", maxLength - 1, true)]),
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
          of("minLength", minLength - 1, false),
          of("minLength", minLength, true),
          of("minLength", minLength + 1, true)
        ]
  return [...upper, ...lower]
}

const textChanges = (schema: Schema, name: string, sample: string): ReadonlyArray<Change> => {
  const strange = schema.pattern === undefined ? undefined : textViolatingPattern(schema)
  return [
    ...lengthChanges(schema, name, sample),
    ...(strange === undefined
      ? []
      : ([["pattern", strange, false, JSON.stringify(strange)]] satisfies ReadonlyArray<Change>)),
    ...(schema.format === "uri"
      ? ([
          ["format", "no address", false, "no address"],
          ["format", "javascript:alert(1)", false, "an address of script"]
        ] satisfies ReadonlyArray<Change>)
      : [])
  ]
}

const numberChanges = ({ type, minimum, maximum }: Schema): ReadonlyArray<Change> => {
  const of = (kind: string, value: number, isAccepted: boolean): Change => [
    kind,
    value,
    isAccepted,
    String(value)
  ]
  return [
    ...(minimum === undefined
      ? []
      : [of("minimum", minimum - 1, false), of("minimum", minimum, true), of("minimum", minimum + 1, true)]),
    ...(maximum === undefined
      ? []
      : [of("maximum", maximum + 1, false), of("maximum", maximum, true), of("maximum", maximum - 1, true)]),
    ...(type === "integer" ? [of("type", 0.5, false)] : [])
  ]
}

/** Copies of an item, as many as asked for. */
const copies = (item: Json, count: number): Json => Array.from({ length: count }, () => item)

/** A map with as many names as asked for: those it has, and others. */
const named = (map: { readonly [name: string]: Json | undefined }, count: number): Json => {
  const value = Object.values(map)[0]!
  const others = Array.from({ length: count }, (_, index) => [`name${index}`, value])
  return Object.fromEntries([...Object.entries(map), ...others].slice(0, count))
}

const containerChanges = (schema: Schema, value: Json): ReadonlyArray<Change> => {
  const { minItems = 0, maxItems, maxProperties, propertyNames } = schema
  if (Array.isArray(value)) {
    if (value.length === 0) return []
    const few: ReadonlyArray<Change> =
      minItems === 0 ? [] : [["minItems", copies(value[0]!, minItems - 1), false, `${minItems - 1} items`]]
    if (maxItems === undefined) return few
    return [
      ...few,
      ["maxItems", copies(value[0]!, maxItems + 1), false, `${maxItems + 1} items`],
      ["maxItems", copies(value[0]!, maxItems), true, `${maxItems} items`],
      ["maxItems", copies(value[0]!, maxItems - 1), true, `${maxItems - 1} items`]
    ]
  }
  if (!isObject(value) || Object.keys(value).length === 0) return []
  const ofMap: Array<Change> = []
  if (maxProperties !== undefined) {
    ofMap.push(["maxProperties", named(value, maxProperties + 1), false, `${maxProperties + 1} names`])
    ofMap.push(["maxProperties", named(value, maxProperties), true, `${maxProperties} names`])
  }
  const first = Object.values(value)[0]!
  for (const [, name, isAccepted, what] of lengthChanges(propertyNames ?? {}, "", "a")) {
    ofMap.push(["propertyNames", { [String(name)]: first }, isAccepted, `a name of ${what}`])
  }
  return ofMap
}

const changesOf = (schema: Schema, name: string, value: Json): ReadonlyArray<Change> => {
  const values = allowedValuesOf(schema)
  if (values !== undefined) {
    const others = values.filter((other) => other !== value)
    return [
      ["enum", "no-such-value", false, "no such value"],
      ...others.map((other) => ["enum", other, true, JSON.stringify(other)] satisfies Change)
    ]
  }
  if (typeof value === "string") return textChanges(schema, name, value)
  if (typeof value === "number") return numberChanges(schema)
  return containerChanges(schema, value)
}

/** All that is to be tried of an input, by its schema; of the fields that it has, wherever they are in it. */
export const trialsOf = (
  definitions: Definitions,
  schema: Schema,
  input: Json,
  place: string
): ReadonlyArray<Trial> => {
  const found: Array<Trial> = []
  const visit = (one: Schema, value: Json, steps: Steps, at: string, union: number): void => {
    const all = alternatives(definitions, one).filter((alternative) => !isOpaque(alternative))
    const schemas = all.map((alternative) => alternative.schema)
    const fitting = schemas.filter((alternative) => matchesAlternative(definitions, alternative, value))
    // What fits none of several is said to be wrong as a whole.
    const isUnion = schemas.length > 1 && schemas.some(({ type }) => type === "object")
    const outer = Math.min(union, isUnion ? steps.length : Number.POSITIVE_INFINITY)
    const name = String(steps.findLast((step) => typeof step === "string") ?? "")
    const add = (where: Steps, place: string, [kind, by, isAccepted, what]: Change): void => {
      const path = where.join(".")
      const unions = where.map((_, index) => index).filter((index) => index >= outer)
      found.push({
        bound: `${place} ${kind}`,
        paths: [path, ...unions.map((index) => where.slice(0, index).join("."))],
        mayBeBelow: kind === "propertyNames",
        isAddition: false,
        input: replaced(input, where, by),
        isAccepted,
        what
      })
    }
    for (const kind of fieldBoundKindsOf(schemas, at)) {
      if (kind === "null") add(steps, at, ["null", null, true, "null"])
      else {
        const other = valueOfOtherType(schemas, isParameterPlace(at))!
        add(steps, at, ["type", other, false, JSON.stringify(other)])
      }
    }
    for (const schema of fitting) {
      for (const change of changesOf(schema, name, value)) add(steps, at, change)
      for (const needed of isObject(value) ? (schema.required ?? []) : []) {
        // Without it, the value may match another alternative.
        const { [needed]: _, ...without } = value as JsonObject
        const isAccepted = schemas.some((other) => matchesAlternative(definitions, other, without))
        add([...steps, needed], `${at}.${needed}`, ["required", undefined, isAccepted, "nothing"])
      }
      if (Array.isArray(value) && schema.items !== undefined) {
        for (const [index, item] of value.entries()) {
          visit(schema.items, item, [...steps, index], `${at}[]`, outer)
        }
      }
      if (!isObject(value)) continue
      for (const [key, inner] of Object.entries(value)) {
        const property = schema.properties?.[key]
        const others = schema.additionalProperties
        if (inner === undefined) continue
        if (property !== undefined) visit(property, inner, [...steps, key], `${at}.${key}`, outer)
        else if (typeof others === "object") visit(others, inner, [...steps, key], `${at}{}`, outer)
      }
    }
  }
  visit(schema, input, [], place, Number.POSITIVE_INFINITY)
  return found
}

/** The fields that an input has, by place, wherever they are in it. */
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
