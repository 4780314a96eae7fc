/**
 * Arbitraries made from schemas: every resource and every input of the API, and of whatever else is declared by one.
 *
 * They are fast-check's, so that what fails becomes small. A schema's own checks have the last word: a value that one
 * of them refuses is never given.
 */
import { Result, Schema, type SchemaAST } from "effect"
import * as fc from "fast-check"
import { type Bounds, boundsOf, checksOf, isOptional, type Node, passes } from "./nodes.ts"
import { overrideOf } from "./overrides.ts"
import { impossibleTexts, texts } from "./texts.ts"

/** How deep schemas that contain themselves are followed. */
const deepest = 3

/** The most items of a list, and the most fields of a map, where its bounds allow more. */
const mostItems = 3

/** Makes the values of some fields in another way: `name` is that of the field, or of the list or map that it is in. */
export type ByName = (name: string, node: Node) => fc.Arbitrary<unknown> | undefined

/** An arbitrary of one node, or undefined where no value is small enough or passes its checks. */
type Made = fc.Arbitrary<unknown> | undefined

const makeArbitraries = (byName: ByName) => {
  const kept = new WeakMap<Node, Map<string, Made>>()

  const ofNode = (node: Node, name: string, depth: number): Made => {
    const known = kept.get(node) ?? new Map<string, Made>()
    kept.set(node, known)
    const key = `${depth} ${name}`
    if (!known.has(key)) known.set(key, byName(name, node) ?? checked(node, shaped(node, name, depth)))
    return known.get(key)
  }

  const shaped = (node: Node, name: string, depth: number): Made => {
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
        return numbers(boundsOf(node))
      case "String":
        return overrideOf(node) ?? strings(node)
      case "Arrays":
        return lists(node, name, depth)
      case "Objects":
        return objects(node, name, depth)
      case "Union": {
        const members = node.types.flatMap((type) => ofNode(type, name, depth) ?? [])
        return members.length === 0 ? undefined : fc.oneof(...members)
      }
      case "Suspend":
        return depth >= deepest ? undefined : ofNode(node.thunk(), name, depth + 1)
      case "Unknown":
      case "Any":
        return node.checks === undefined ? fc.jsonValue({ maxDepth: 2 }) : undefined
      default:
        throw new Error(
          `There is no arbitrary for a schema of the kind ${node._tag} (${name}): make one here.`
        )
    }
  }

  const lists = (node: SchemaAST.Arrays, name: string, depth: number): Made => {
    if (node.elements.length > 0)
      throw new Error(`There is no arbitrary for tuples (${name}): make one here.`)
    const item = node.rest[0] === undefined ? undefined : ofNode(node.rest[0], name, depth)
    const { minLength, maxLength } = boundsOf(node)
    const most = Math.min(maxLength, Math.max(mostItems, minLength))
    return item === undefined ? fc.constant([]) : fc.array(item, { minLength, maxLength: most })
  }

  const objects = (node: SchemaAST.Objects, name: string, depth: number): Made => {
    const fields: Record<string, fc.Arbitrary<unknown>> = {}
    const required: Array<string> = []
    for (const { name: field, type } of node.propertySignatures) {
      const made = ofNode(type, String(field), depth)
      if (made !== undefined) fields[String(field)] = made
      if (isOptional(type)) continue
      if (made === undefined) return undefined
      required.push(String(field))
    }
    const record = fc.record(fields, { requiredKeys: required, noNullPrototype: true })
    const [index] = node.indexSignatures
    if (index === undefined) return record
    const keys = ofNode(index.parameter, name, depth)
    const values = ofNode(index.type, name, depth)
    if (keys === undefined || values === undefined) return record
    const maxKeys = Math.min(mostItems, boundsOf(node).maxProperties)
    const others = fc.dictionary(keys as fc.Arbitrary<string>, values, { maxKeys, noNullPrototype: true })
    return fc.tuple(record, others).map(([known, more]) => ({ ...more, ...known }))
  }

  /** Only what the checks of a node let through, and what is the same after it was sent and taken in. */
  const checked = (node: Node, made: Made): Made => {
    if (made === undefined) return undefined
    const whole = node.encoding === undefined ? made : settled(node, made)
    if (checksOf(node).length === 0) return whole
    const filtered = whole.filter((value) => passes(node, value))
    // Where not one of some passes, none ever will: whoever refers to it has to do without.
    return fc.sample(whole, { numRuns: 12, seed: 1 }).some((value) => passes(node, value))
      ? filtered
      : undefined
  }

  return (schema: Schema.Top): fc.Arbitrary<unknown> => {
    const made = ofNode(schema.ast, "", 0)
    if (made === undefined) throw new Error("No value passes the checks of the schema.")
    return made
  }
}

/** What comes out of a schema is what went in once before: trimmed, in lower case, in UTC. */
const settled = (node: Node, made: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => {
  const schema = Schema.make<Schema.Codec<unknown, unknown>>(node)
  const decode = Schema.decodeUnknownResult(schema)
  const encode = Schema.encodeUnknownResult(schema)
  const again = (value: unknown) => Result.flatMap(encode(value), decode)
  return made
    .map(again)
    .filter(Result.isSuccess)
    .map((result) => result.success)
}

const strings = (node: Node): fc.Arbitrary<string> => {
  const { minLength, maxLength, patterns } = boundsOf(node)
  const [pattern] = patterns
  if (pattern !== undefined) return fc.stringMatching(pattern)
  const some = texts({ min: minLength, max: maxLength })
  const isAnything = node.checks === undefined
  return isAnything ? fc.oneof({ arbitrary: some, weight: 9 }, fc.constantFrom(...impossibleTexts)) : some
}

const numbers = ({ minimum, maximum, isInteger }: Bounds): fc.Arbitrary<number> => {
  const range = { min: minimum ?? Number.MIN_SAFE_INTEGER, max: maximum ?? Number.MAX_SAFE_INTEGER }
  const edges = fc.constantFrom(range.min, range.max, Math.min(Math.max(0, range.min), range.max))
  const integers = fc.oneof(
    fc.integer(range),
    fc.integer({ min: Math.max(range.min, -9), max: Math.min(range.max, 9) }),
    edges
  )
  // JSON has no negative zero.
  const others = fc.double({ ...range, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
  return isInteger ? integers : fc.oneof(integers, others)
}

const makers = new WeakMap<ByName, ReturnType<typeof makeArbitraries>>()

/** What is made for a way to make fields is kept with it. */
const makerOf = (byName: ByName): ReturnType<typeof makeArbitraries> => {
  const known = makers.get(byName) ?? makeArbitraries(byName)
  makers.set(byName, known)
  return known
}

const usual = makeArbitraries(() => undefined)

/** Values of a schema, as the program has them. */
export const valueOf = <S extends Schema.Top>(schema: S): fc.Arbitrary<S["Type"]> => usual(schema)

/** What is sent to say a value of a schema: what its decoder accepts. */
export const inputOf = <S extends Schema.Top>(schema: S, byName?: ByName): fc.Arbitrary<S["Encoded"]> => {
  const values = (byName === undefined ? usual : makerOf(byName))(schema)
  const encode = Schema.encodeUnknownSync(schema as unknown as Schema.Codec<unknown, unknown>)
  return values.map((value) => encode(value))
}
