/**
 * Mutated inputs: a valid input of a schema with exactly one defect, and the path at which a validation error must
 * report it. Use them to test that a server rejects invalid input and reports the right field.
 */
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import {
  acceptedKindsOf,
  boundsOf,
  checksOf,
  isOptional,
  type JsonKind,
  jsonKindOf,
  jsonKinds,
  type SchemaNode
} from "./nodes.ts"
import { unstorableTexts } from "./texts.ts"
import { type FieldOverride, inputArbitrary } from "./values.ts"

/** An input with one defect. */
export interface MutatedInput {
  /** The invalid input. */
  readonly input: unknown
  /** A description of the defect for failure messages, such as `too long`. */
  readonly change: string
  /** The path of the defect: field names and indexes, joined by dots. Empty for the input as a whole. */
  readonly path: string
  /**
   * The path of the outermost union around the defect, if the mutated value is ambiguous between its members: an
   * error may be reported there, too. Equal to `path` if there is no such union.
   */
  readonly unionPath: string
}

/**
 * Whether an error at `reportedPath` reports the defect of a mutated input. Inside a union, a decoder may take the
 * mutated value for another member and report a field that this member lacks, so the paths need not be equal.
 *
 * @example
 * const paths = body.error.details.map(({ path }) => path)
 * expect(paths.some((path) => isMutationPath(mutated, path))).toBe(true)
 */
export const isMutationPath = ({ path, unionPath }: MutatedInput, reportedPath: string): boolean =>
  reportedPath === path ||
  (path !== "" && reportedPath.startsWith(`${path}.`)) ||
  ((reportedPath === unionPath || reportedPath.startsWith(unionPath === "" ? "" : `${unionPath}.`)) &&
    (reportedPath === "" || path === reportedPath || path.startsWith(`${reportedPath}.`)))

type Path = ReadonlyArray<string | number>

/** A possible defect of an input. */
interface Candidate {
  readonly path: Path
  readonly unionPath: Path
  readonly change: string
  /** The invalid value; undefined removes the field. */
  readonly value: unknown
  /** The unions around the path, outermost first: a value that another member accepts is valid. */
  readonly unions: ReadonlyArray<EnclosingUnion>
}

/** A union, with the value of one of its members. */
interface EnclosingUnion {
  readonly path: Path
  readonly node: SchemaNode
  readonly value: unknown
  /** Whether another member accepts values of the same JSON kind, so that an error may be reported at the union. */
  readonly isAmbiguous: boolean
}

const isInvalid = ({ path, value, unions }: Candidate): boolean =>
  !unions.some((choice) =>
    accepts(choice.node, replaceAt(choice.value, path.slice(choice.path.length), value))
  )

const samplesByKind: Record<JsonKind, ReadonlyArray<unknown>> = {
  null: [null],
  boolean: [true],
  number: [-7.25, 1e300],
  string: ["no such value \u0001"],
  array: [[], [[[[]]]]],
  object: [{}, { "no such field": { "\u0001": null } }]
}

const valuesOfOtherKinds = (node: SchemaNode): ReadonlyArray<readonly [change: string, value: unknown]> => {
  const acceptedKinds = acceptedKindsOf(node)
  return jsonKinds
    .filter((kind) => !acceptedKinds.has(kind))
    .flatMap((kind) => samplesByKind[kind].map((value) => [`${kind} instead`, value] as const))
}

/** Longer maximum lengths are not exceeded, as the input would be too large. */
const maxStringLength = 100_000

const invalidStrings = (node: SchemaNode): ReadonlyArray<readonly [change: string, value: unknown]> => {
  const { minLength, maxLength, patterns } = boundsOf(node)
  const isText = checksOf(node).some(({ annotations }) => /^text\b/.test(String(annotations?.expected)))
  const candidates = ["", ".", "..", " ", "/", "\u0001", "-", "é è", "x".repeat(3_000)]
  return [
    ...(minLength > 0 ? [["too short", "x".repeat(minLength - 1)] as const] : []),
    ...(maxLength < maxStringLength ? [["too long", "𝕏".repeat(maxLength + 1)] as const] : []),
    ...(isText ? unstorableTexts.map((text) => ["not storable", text] as const) : []),
    ...candidates
      .filter((text) =>
        // The text must be invalid whether or not the schema trims and lower-cases it first.
        patterns.some((pattern) => !pattern.test(text) && !pattern.test(text.trim().toLowerCase()))
      )
      .map((text) => ["does not match the pattern", text] as const)
  ]
}

const invalidNumbers = (node: SchemaNode): ReadonlyArray<readonly [change: string, value: unknown]> => {
  const { minimum, maximum, isInteger } = boundsOf(node)
  return [
    ...(minimum === undefined ? [] : [["too small", minimum - 1] as const]),
    ...(maximum === undefined ? [] : [["too large", maximum + 1] as const]),
    ...(isInteger ? [["not an integer", 0.5] as const, ["beyond the safe integers", 1e300] as const] : [])
  ]
}

/** Returns the literals that a node accepts; undefined if it accepts other values, too. */
const literalsOf = (node: SchemaNode): ReadonlyArray<unknown> | undefined => {
  if (node._tag === "Literal") return [node.literal]
  if (node._tag === "Null") return [null]
  if (node._tag !== "Union") return undefined
  const all = node.types.map(literalsOf)
  return all.every((literals) => literals !== undefined) ? all.flat() : undefined
}

type Decode = (input: unknown) => Result.Result<unknown, unknown>

const decoders = new WeakMap<SchemaNode, Decode>()

const accepts = (node: SchemaNode, value: unknown): boolean => {
  const known = decoders.get(node)
  const decode = known ?? Schema.decodeUnknownResult(Schema.make<Schema.Codec<unknown, unknown>>(node))
  if (known === undefined) decoders.set(node, decode)
  return Result.isSuccess(decode(value))
}

const invalidValues = (node: SchemaNode): ReadonlyArray<readonly [change: string, value: unknown]> => {
  const literals = literalsOf(node)
  if (literals !== undefined) {
    return [
      ...valuesOfOtherKinds(node),
      ...(acceptedKindsOf(node).has("string") ? [["not one of the literals", "no-such-value"] as const] : [])
    ]
  }
  if (node._tag === "String") return [...valuesOfOtherKinds(node), ...invalidStrings(node)]
  if (node._tag === "Number") return [...valuesOfOtherKinds(node), ...invalidNumbers(node)]
  return valuesOfOtherKinds(node)
}

/** Longer maximum numbers of items are not exceeded. */
const maxListLength = 200

/** Returns every possible defect of an input. */
const findCandidates = (root: SchemaNode, input: unknown): ReadonlyArray<Candidate> => {
  const candidates: Array<Candidate> = []

  const visit = (
    node: SchemaNode,
    value: unknown,
    path: Path,
    unions: ReadonlyArray<EnclosingUnion>
  ): void => {
    // A literal discriminates the members of a union: if it is invalid, no member matches.
    const isDiscriminator = literalsOf(node) !== undefined
    const choice = unions.find(({ isAmbiguous }) => isAmbiguous || isDiscriminator)
    const add = (where: Path, change: string, wrong: unknown) =>
      candidates.push({ path: where, unionPath: choice?.path ?? where, change, value: wrong, unions })
    const addAll = (wrong: ReturnType<typeof invalidValues>, where = path) => {
      for (const [change, value] of wrong) add(where, change, value)
    }
    switch (node._tag) {
      case "Suspend":
        visit(node.thunk(), value, path, unions)
        return
      case "Union": {
        addAll(invalidValues(node))
        const matching = node.types.find((type) => accepts(type, value))
        if (matching === undefined || literalsOf(matching) !== undefined) return
        const isAmbiguous = node.types.some(
          (type) => type !== matching && acceptedKindsOf(type).has(jsonKindOf(value))
        )
        visit(matching, value, path, [...unions, { path, node, value, isAmbiguous }])
        return
      }
      case "Arrays": {
        addAll(valuesOfOtherKinds(node))
        const items = value as ReadonlyArray<unknown>
        const { minLength, maxLength } = boundsOf(node)
        if (items.length > 0 && maxLength < maxListLength) {
          const tooMany = Array.from({ length: maxLength + 1 }, () => items[0])
          add(path, "too many", tooMany)
        }
        if (minLength > 0) add(path, "too few", [])
        const [item] = node.rest
        if (item === undefined) return
        for (const [index, inner] of items.entries()) visit(item, inner, [...path, index], unions)
        return
      }
      case "Objects": {
        addAll(valuesOfOtherKinds(node))
        const fields = value as Readonly<Record<string, unknown>>
        for (const { name, type } of node.propertySignatures) {
          const where = [...path, String(name)]
          const inner = fields[String(name)]
          // An omitted field may be present with an invalid value.
          if (inner === undefined) addAll(valuesOfOtherKinds(type), where)
          else visit(type, inner, where, unions)
          if (inner === undefined || isOptional(type)) continue
          if (literalsOf(type) === undefined) add(where, "missing", undefined)
          else
            candidates.push({
              path: where,
              unionPath: unions[0]?.path ?? where,
              change: "missing",
              value: undefined,
              unions
            })
        }
        const [index] = node.indexSignatures
        if (index === undefined) return
        const known = new Set(node.propertySignatures.map(({ name }) => String(name)))
        for (const [key, inner] of Object.entries(fields)) {
          if (!known.has(key)) visit(index.type, inner, [...path, key], unions)
        }
        return
      }
      default:
        addAll(invalidValues(node))
    }
  }

  visit(root, input, [], [])
  return candidates
}

/** Returns a value with the value at a path replaced; undefined removes a field. */
const replaceAt = (value: unknown, path: Path, wrong: unknown): unknown => {
  const [step, ...rest] = path
  if (step === undefined) return wrong
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? replaceAt(item, rest, wrong) : item))
  const fields = { ...(value as Record<string, unknown>) }
  if (rest.length === 0 && wrong === undefined) delete fields[step]
  else fields[step] = replaceAt(fields[step], rest, wrong)
  return fields
}

/**
 * Returns an arbitrary of inputs of a schema with one defect: a wrong type, a violated bound, a missing field. Returns
 * undefined if every input is valid. `override` replaces the arbitraries of some fields (see `inputArbitrary`).
 */
export const mutatedInputArbitrary = (
  schema: Schema.Top,
  override?: FieldOverride
): fc.Arbitrary<MutatedInput> | undefined => {
  const inputs = inputArbitrary(schema, override)
  const mutated = fc
    .tuple(inputs, fc.nat(), fc.nat())
    .map(([input, field, nth]) => mutate(schema.ast, input, field, nth))
  if (fc.sample(mutated, { numRuns: 8, seed: 1 }).every((made) => made === undefined)) return undefined
  return mutated.filter((made) => made !== undefined)
}

const mutate = (root: SchemaNode, input: unknown, field: number, nth: number): MutatedInput | undefined => {
  const candidates = findCandidates(root, input)
  // Each path is equally likely, regardless of the number of defects that are possible there.
  const byPath = Map.groupBy(candidates, ({ path }) => path.join("."))
  const alternatives = [...byPath.values()][field % Math.max(1, byPath.size)] ?? []
  const rotated = alternatives.map((_, index) => alternatives[(nth + index) % alternatives.length]!)
  const candidate = rotated.find(isInvalid)
  if (candidate === undefined) return undefined
  const { path, unionPath, change, value } = candidate
  return {
    input: replaceAt(input, path, value),
    change,
    path: path.join("."),
    unionPath: unionPath.join(".")
  }
}
