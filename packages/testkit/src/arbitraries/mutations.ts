/**
 * Inputs that are wrong in one place: what is sent for a valid value, with one thing in it changed so that no server
 * that reads its schema can take it, and the path by which the answer has to name it.
 */
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import {
  boundsOf,
  checksOf,
  isOptional,
  type JsonKind,
  jsonKinds,
  kindOf,
  kindsOf,
  type Node
} from "./nodes.ts"
import { impossibleTexts } from "./texts.ts"
import { type ByName, inputOf } from "./values.ts"

/** An input that is wrong. */
export interface Mutated {
  readonly input: unknown
  /** What was done to it, for people. */
  readonly change: string
  /** Where it is wrong: names and indexes joined by dots. */
  readonly path: string
  /**
   * The path of the outermost choice between variants that the place is within: where the change makes it unclear
   * which variant was meant, that is where the input is wrong. As `path`, where there is none.
   */
  readonly choice: string
}

/**
 * Whether a path that an answer names is where an input was made wrong: what was put in the place of a variant may be
 * taken for another, that lacks something.
 */
export const mutationNames = ({ path, choice }: Mutated, named: string): boolean =>
  named === path ||
  (path !== "" && path === choice && named.startsWith(`${path}.`)) ||
  ((named === choice || named.startsWith(choice === "" ? "" : `${choice}.`)) &&
    (named === "" || path === named || path.startsWith(`${named}.`)))

type Path = ReadonlyArray<string | number>

/** Somewhere in an input where something can be made wrong. */
interface Place {
  readonly path: Path
  readonly choice: Path
  readonly change: string
  /** The wrong value; undefined takes the field away. */
  readonly value: unknown
  /** The choices between variants that the place is within: what another variant takes is not wrong. */
  readonly within: ReadonlyArray<Choice>
}

/** A value of one of several variants. */
interface Choice {
  readonly path: Path
  readonly node: Node
  readonly value: unknown
  /** Whether another variant is of the same kind, so that what is wrong may be the choice itself. */
  readonly isOpen: boolean
}

const isWrong = ({ path, value, within }: Place): boolean =>
  !within.some((choice) => accepts(choice.node, changed(choice.value, path.slice(choice.path.length), value)))

const samples: Record<JsonKind, ReadonlyArray<unknown>> = {
  null: [null],
  boolean: [true],
  number: [-7.25, 1e300],
  string: ["no such value \u0001"],
  array: [[], [[[[]]]]],
  object: [{}, { "no such field": { "\u0001": null } }]
}

const wrongKinds = (node: Node): ReadonlyArray<readonly [change: string, value: unknown]> => {
  const taken = kindsOf(node)
  return jsonKinds
    .filter((kind) => !taken.has(kind))
    .flatMap((kind) => samples[kind].map((value) => [`${kind} instead`, value] as const))
}

/** No longer text than this is made to be too long. */
const longest = 100_000

const wrongTexts = (node: Node): ReadonlyArray<readonly [change: string, value: unknown]> => {
  const { minLength, maxLength, patterns } = boundsOf(node)
  const isText = checksOf(node).some(({ annotations }) => /^text\b/.test(String(annotations?.expected)))
  const candidates = ["", ".", "..", " ", "/", "\u0001", "-", "é è", "x".repeat(3_000)]
  return [
    ...(minLength > 0 ? [["too short", "x".repeat(minLength - 1)] as const] : []),
    ...(maxLength < longest ? [["too long", "𝕏".repeat(maxLength + 1)] as const] : []),
    ...(isText ? impossibleTexts.map((text) => ["not storable", text] as const) : []),
    ...candidates
      .filter((text) =>
        // Whether it is trimmed and put into lower case before it is looked at or not.
        patterns.some((pattern) => !pattern.test(text) && !pattern.test(text.trim().toLowerCase()))
      )
      .map((text) => ["not of the pattern", text] as const)
  ]
}

const wrongNumbers = (node: Node): ReadonlyArray<readonly [change: string, value: unknown]> => {
  const { minimum, maximum, isInteger } = boundsOf(node)
  return [
    ...(minimum === undefined ? [] : [["too small", minimum - 1] as const]),
    ...(maximum === undefined ? [] : [["too large", maximum + 1] as const]),
    ...(isInteger ? [["not whole", 0.5] as const, ["beyond all whole numbers", 1e300] as const] : [])
  ]
}

/** The values of literals that a node takes; undefined where it takes others too. */
const literalsOf = (node: Node): ReadonlyArray<unknown> | undefined => {
  if (node._tag === "Literal") return [node.literal]
  if (node._tag === "Null") return [null]
  if (node._tag !== "Union") return undefined
  const all = node.types.map(literalsOf)
  return all.every((literals) => literals !== undefined) ? all.flat() : undefined
}

type Decode = (input: unknown) => Result.Result<unknown, unknown>

const decoders = new WeakMap<Node, Decode>()

const accepts = (node: Node, value: unknown): boolean => {
  const known = decoders.get(node)
  const decode = known ?? Schema.decodeUnknownResult(Schema.make<Schema.Codec<unknown, unknown>>(node))
  if (known === undefined) decoders.set(node, decode)
  return Result.isSuccess(decode(value))
}

const wrongHere = (node: Node): ReadonlyArray<readonly [change: string, value: unknown]> => {
  const literals = literalsOf(node)
  if (literals !== undefined) {
    return [
      ...wrongKinds(node),
      ...(kindsOf(node).has("string") ? [["no such choice", "no-such-value"] as const] : [])
    ]
  }
  if (node._tag === "String") return [...wrongKinds(node), ...wrongTexts(node)]
  if (node._tag === "Number") return [...wrongKinds(node), ...wrongNumbers(node)]
  return wrongKinds(node)
}

/** The most items that a list is made too long with. */
const mostItems = 200

/** Every place of an input where it can be made wrong. */
const placesOf = (root: Node, input: unknown): ReadonlyArray<Place> => {
  const places: Array<Place> = []

  const visit = (node: Node, value: unknown, path: Path, within: ReadonlyArray<Choice>): void => {
    // A variant is told by its literals: where one is wrong, it is as if there were no variant.
    const tells = literalsOf(node) !== undefined
    const choice = within.find(({ isOpen }) => isOpen || tells)
    const add = (where: Path, change: string, wrong: unknown) =>
      places.push({ path: where, choice: choice?.path ?? where, change, value: wrong, within })
    const addAll = (wrong: ReturnType<typeof wrongHere>, where = path) => {
      for (const [change, value] of wrong) add(where, change, value)
    }
    switch (node._tag) {
      case "Suspend":
        visit(node.thunk(), value, path, within)
        return
      case "Union": {
        addAll(wrongHere(node))
        const taken = node.types.find((type) => accepts(type, value))
        if (taken === undefined || literalsOf(taken) !== undefined) return
        const isOpen = node.types.some((type) => type !== taken && kindsOf(type).has(kindOf(value)))
        visit(taken, value, path, [...within, { path, node, value, isOpen }])
        return
      }
      case "Arrays": {
        addAll(wrongKinds(node))
        const items = value as ReadonlyArray<unknown>
        const { minLength, maxLength } = boundsOf(node)
        if (items.length > 0 && maxLength < mostItems) {
          const tooMany = Array.from({ length: maxLength + 1 }, () => items[0])
          add(path, "too many", tooMany)
        }
        if (minLength > 0) add(path, "too few", [])
        const [item] = node.rest
        if (item === undefined) return
        for (const [index, inner] of items.entries()) visit(item, inner, [...path, index], within)
        return
      }
      case "Objects": {
        addAll(wrongKinds(node))
        const fields = value as Readonly<Record<string, unknown>>
        for (const { name, type } of node.propertySignatures) {
          const where = [...path, String(name)]
          const inner = fields[String(name)]
          // A field that is left out could as well have been sent wrong.
          if (inner === undefined) addAll(wrongKinds(type), where)
          else visit(type, inner, where, within)
          if (inner === undefined || isOptional(type)) continue
          if (literalsOf(type) === undefined) add(where, "missing", undefined)
          else
            places.push({
              path: where,
              choice: within[0]?.path ?? where,
              change: "missing",
              value: undefined,
              within
            })
        }
        const [index] = node.indexSignatures
        if (index === undefined) return
        const known = new Set(node.propertySignatures.map(({ name }) => String(name)))
        for (const [key, inner] of Object.entries(fields)) {
          if (!known.has(key)) visit(index.type, inner, [...path, key], within)
        }
        return
      }
      default:
        addAll(wrongHere(node))
    }
  }

  visit(root, input, [], [])
  return places
}

/** A value with one place in it changed. */
const changed = (value: unknown, path: Path, wrong: unknown): unknown => {
  const [step, ...rest] = path
  if (step === undefined) return wrong
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? changed(item, rest, wrong) : item))
  const fields = { ...(value as Record<string, unknown>) }
  if (rest.length === 0 && wrong === undefined) delete fields[step]
  else fields[step] = changed(fields[step], rest, wrong)
  return fields
}

/** Wrong inputs of a schema; undefined where nothing that can be sent is wrong for it. */
export const mutatedOf = (schema: Schema.Top, byName?: ByName): fc.Arbitrary<Mutated> | undefined => {
  const inputs = inputOf(schema, byName)
  const mutated = fc
    .tuple(inputs, fc.nat(), fc.nat())
    .map(([input, field, nth]) => mutate(schema.ast, input, field, nth))
  if (fc.sample(mutated, { numRuns: 8, seed: 1 }).every((made) => made === undefined)) return undefined
  return mutated.filter((made) => made !== undefined)
}

const mutate = (root: Node, input: unknown, field: number, nth: number): Mutated | undefined => {
  const places = placesOf(root, input)
  // Each place as likely as each other, however many ways there are to make it wrong.
  const byPath = Map.groupBy(places, ({ path }) => path.join("."))
  const ways = [...byPath.values()][field % Math.max(1, byPath.size)] ?? []
  const turned = ways.map((_, index) => ways[(nth + index) % ways.length]!)
  const place = turned.find(isWrong)
  if (place === undefined) return undefined
  const { path, choice, change, value } = place
  return { input: changed(input, path, value), change, path: path.join("."), choice: choice.join(".") }
}
