/**
 * Derives fast-check arbitraries from schemas. Generated values pass all checks of their schema, and shrink.
 */
import { Result, Schema, type SchemaAST } from "effect"
import * as fc from "fast-check"
import { type Bounds, boundsOf, checksOf, isOptional, passesChecks, type SchemaNode } from "./nodes.ts"
import { stringOverrideOf } from "./overrides.ts"
import { textArbitrary, unstorableTexts } from "./texts.ts"

/** The maximum depth to which recursive schemas are unfolded. */
const maxDepth = 3

/** The maximum number of items of a list, and of fields of a map, unless the schema requires more. */
const maxItems = 3

/**
 * Returns the arbitrary for a field, or undefined to derive it from the schema. `name` is the name of the field; for an
 * item, that of its list or map. Use it for fields whose values must exist, such as ids.
 */
export type FieldOverride = (name: string, node: SchemaNode) => fc.Arbitrary<unknown> | undefined

/** An arbitrary of a node; undefined if it has no value within `maxDepth`, or none that passes its checks. */
type OptionalArbitrary = fc.Arbitrary<unknown> | undefined

const makeArbitraryFactory = (override: FieldOverride) => {
  const cache = new WeakMap<SchemaNode, Map<string, OptionalArbitrary>>()

  const arbitraryOf = (node: SchemaNode, name: string, depth: number): OptionalArbitrary => {
    const known = cache.get(node) ?? new Map<string, OptionalArbitrary>()
    cache.set(node, known)
    const key = `${depth} ${name}`
    if (!known.has(key))
      known.set(key, override(name, node) ?? withChecks(node, uncheckedArbitraryOf(node, name, depth)))
    return known.get(key)
  }

  const uncheckedArbitraryOf = (node: SchemaNode, name: string, depth: number): OptionalArbitrary => {
    switch (node._tag) {
      case "Never":
        return undefined
      case "Null":
        return fc.constant(null)
      case "Literal":
        return fc.constant(node.literal)
      case "Boolean":
        return fc.boolean()
      case "Number":
        return numberArbitrary(boundsOf(node))
      case "String":
        return stringOverrideOf(node) ?? stringArbitrary(node)
      case "Arrays":
        return arrayArbitrary(node, name, depth)
      case "Objects":
        return objectArbitrary(node, name, depth)
      case "Union": {
        const members = node.types.flatMap((type) => arbitraryOf(type, name, depth) ?? [])
        return members.length === 0 ? undefined : fc.oneof(...members)
      }
      case "Suspend":
        return depth >= maxDepth ? undefined : arbitraryOf(node.thunk(), name, depth + 1)
      case "Unknown":
      case "Any":
        return node.checks === undefined ? fc.jsonValue({ maxDepth: 2 }) : undefined
      default:
        if (node === Schema.Json.ast) return fc.jsonValue({ maxDepth: 2 })
        throw new Error(
          `No arbitrary can be derived from a schema of kind ${node._tag} (field "${name}"). Pass an override for the field.`
        )
    }
  }

  const arrayArbitrary = (node: SchemaAST.Arrays, name: string, depth: number): OptionalArbitrary => {
    if (node.elements.length > 0)
      throw new Error(
        `No arbitrary can be derived from a tuple (field "${name}"). Pass an override for the field.`
      )
    const item = node.rest[0] === undefined ? undefined : arbitraryOf(node.rest[0], name, depth)
    const { minLength, maxLength } = boundsOf(node)
    const most = Math.min(maxLength, Math.max(maxItems, minLength))
    return item === undefined ? fc.constant([]) : fc.array(item, { minLength, maxLength: most })
  }

  const objectArbitrary = (node: SchemaAST.Objects, name: string, depth: number): OptionalArbitrary => {
    const fields: Record<string, fc.Arbitrary<unknown>> = {}
    const required: Array<string> = []
    for (const { name: field, type } of node.propertySignatures) {
      const made = arbitraryOf(type, String(field), depth)
      if (made !== undefined) fields[String(field)] = made
      if (isOptional(type)) continue
      if (made === undefined) return undefined
      required.push(String(field))
    }
    const record = fc.record(fields, { requiredKeys: required, noNullPrototype: true })
    const [index] = node.indexSignatures
    if (index === undefined) return record
    const keys = arbitraryOf(index.parameter, name, depth)
    const values = arbitraryOf(index.type, name, depth)
    if (keys === undefined || values === undefined) return record
    const maxKeys = Math.min(maxItems, boundsOf(node).maxProperties)
    const others = fc.dictionary(keys as fc.Arbitrary<string>, values, { maxKeys, noNullPrototype: true })
    return fc.tuple(record, others).map(([known, more]) => ({ ...more, ...known }))
  }

  /** Restricts an arbitrary to values that pass the checks of the node and are equal after encoding and decoding. */
  const withChecks = (node: SchemaNode, made: OptionalArbitrary): OptionalArbitrary => {
    if (made === undefined) return undefined
    const whole = node.encoding === undefined ? made : normalized(node, made)
    if (checksOf(node).length === 0) return whole
    const filtered = whole.filter((value) => passesChecks(node, value))
    // If none of twelve samples passes, filtering would not terminate. Fields of this node are omitted.
    return fc.sample(whole, { numRuns: 12, seed: 1 }).some((value) => passesChecks(node, value))
      ? filtered
      : undefined
  }

  return (schema: Schema.Top): fc.Arbitrary<unknown> => {
    const made = arbitraryOf(schema.ast, "", 0)
    if (made === undefined)
      throw new Error(
        "No generated value passes the checks of the schema. Pass an override for the field that has them."
      )
    return made
  }
}

/** Maps values to what decoding their encoded form returns, such as trimmed text or a date in UTC. */
const normalized = (node: SchemaNode, made: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => {
  const schema = Schema.make<Schema.Codec<unknown, unknown>>(node)
  const decode = Schema.decodeUnknownResult(schema)
  const encode = Schema.encodeUnknownResult(schema)
  const again = (value: unknown) => Result.flatMap(encode(value), decode)
  return made
    .map(again)
    .filter(Result.isSuccess)
    .map((result) => result.success)
}

const stringArbitrary = (node: SchemaNode): fc.Arbitrary<string> => {
  const { minLength, maxLength, patterns } = boundsOf(node)
  const [pattern] = patterns
  if (pattern !== undefined) return fc.stringMatching(pattern)
  const ofLength = textArbitrary({ min: minLength, max: maxLength })
  const isUnchecked = node.checks === undefined
  return isUnchecked
    ? fc.oneof({ arbitrary: ofLength, weight: 9 }, fc.constantFrom(...unstorableTexts))
    : ofLength
}

const numberArbitrary = ({ minimum, maximum, isInteger }: Bounds): fc.Arbitrary<number> => {
  const range = { min: minimum ?? Number.MIN_SAFE_INTEGER, max: maximum ?? Number.MAX_SAFE_INTEGER }
  const edges = fc.constantFrom(range.min, range.max, Math.min(Math.max(0, range.min), range.max))
  const [min, max] = [Math.ceil(range.min), Math.floor(range.max)]
  const integers = fc.oneof(
    fc.integer({ min, max }),
    fc.integer({ min: Math.max(min, -9), max: Math.min(max, 9) }),
    edges
  )
  // JSON has no negative zero.
  const others = fc.double({ ...range, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
  return isInteger ? integers : fc.oneof(integers, others)
}

const factories = new WeakMap<FieldOverride, ReturnType<typeof makeArbitraryFactory>>()

/** Returns the factory of an override. Factories are cached, with the arbitraries that they derived. */
const factoryFor = (override: FieldOverride): ReturnType<typeof makeArbitraryFactory> => {
  const known = factories.get(override) ?? makeArbitraryFactory(override)
  factories.set(override, known)
  return known
}

const defaultFactory = makeArbitraryFactory(() => undefined)

/** Returns an arbitrary of the decoded values of a schema. Throws if none can be derived. */
export const valueArbitrary = <S extends Schema.Top>(schema: S): fc.Arbitrary<S["Type"]> =>
  defaultFactory(schema)

/**
 * Returns an arbitrary of the encoded values of a schema, which its decoder accepts. `override` replaces the
 * arbitraries of some fields. Throws if none can be derived.
 *
 * @example
 * inputArbitrary(CreateSpace, (name) => (name === "parent" ? fc.constantFrom(...collectionIds) : undefined))
 */
export const inputArbitrary = <S extends Schema.Top>(
  schema: S,
  override?: FieldOverride
): fc.Arbitrary<S["Encoded"]> => {
  const values = (override === undefined ? defaultFactory : factoryFor(override))(schema)
  const encode = Schema.encodeUnknownSync(schema as unknown as Schema.Codec<unknown, unknown>)
  return values.map((value) => encode(value))
}
