/** Finds lists and maps of an input that have more entries than their schema allows, without decoding their items. */
import type * as SchemaAST from "effect/SchemaAST"
import type { InvalidField } from "../errors/errors.ts"
import { maximumDetails } from "./schemaIssues.ts"

/** A path in an input, from its end to its start. */
type Path = { readonly step: string; readonly parent: Path } | undefined

/** Appends the oversized lists and maps of a value. Only values of the walker's kind are examined. */
type Walk = (value: unknown, path: Path, found: Array<InvalidField>) => void

/** The walkers of a schema by the kind of the values that they examine. */
interface Walkers {
  readonly list: Walk | undefined
  readonly object: Walk | undefined
}

const nothing: Walkers = { list: undefined, object: undefined }

const formatPath = (path: Path): string => {
  const steps: Array<string> = []
  for (let at = path; at !== undefined; at = at.parent) steps.unshift(at.step)
  return steps.join(".")
}

interface Bound {
  readonly maximum: number
  readonly message: string
}

/** The checks of Effect that bound the number of entries, and the names of their bounds. */
const cardinalityChecks: Readonly<Record<string, string>> = {
  "effect/schema/isMaxLength": "maxLength",
  "effect/schema/isLengthBetween": "maximum",
  "effect/schema/isMaxProperties": "maxProperties",
  "effect/schema/isPropertiesLengthBetween": "maximum"
}

/** Returns the maximum number of entries of a list or a map; undefined without one. */
export const boundOf = (ast: SchemaAST.AST): Bound | undefined => {
  for (const check of ast.checks ?? []) {
    const { representation, message } = (check.annotations ?? {}) as {
      readonly representation?: { readonly id: string; readonly payload?: Readonly<Record<string, unknown>> }
      readonly message?: string
    }
    const maximum = representation?.payload?.[cardinalityChecks[representation.id] ?? ""]
    if (typeof maximum === "number")
      return { maximum, message: message ?? `must have at most ${maximum} entries` }
  }
  return undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The properties of an object schema whose value is one literal, which distinguish the members of a union. */
const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<readonly [name: string, literal: unknown]> =>
  ast._tag === "Objects"
    ? ast.propertySignatures.flatMap(({ name, type }) =>
        type._tag === "Literal" && typeof name === "string" ? [[name, type.literal] as const] : []
      )
    : []

/** Returns the schema of the JSON that a schema decodes. */
export const encodedOf = (ast: SchemaAST.AST): SchemaAST.AST =>
  ast.encoding === undefined ? ast : encodedOf(ast.encoding[ast.encoding.length - 1]!.to)

const walkEntry = ({ list, object }: Walkers, value: unknown, path: Path, found: Array<InvalidField>) => {
  if (Array.isArray(value)) list?.(value, path, found)
  else if (isObject(value)) object?.(value, path, found)
}

const hasWalker = ({ list, object }: Walkers): boolean => list !== undefined || object !== undefined

/** A member of a union. */
interface Member {
  readonly literals: ReadonlyArray<readonly [name: string, literal: unknown]>
  readonly kinds: SchemaAST.AST["_tag"]
  readonly walkers: Walkers
}

/**
 * Returns a function from a value to the members that it can belong to, by the property that distinguishes most members of the
 * union. A list can have hundreds of thousands of values, and a union of blocks 40 members.
 */
const candidatesOf = (
  members: ReadonlyArray<Member>
): ((value: Readonly<Record<string, unknown>>) => ReadonlyArray<Member>) => {
  const literalOf = ({ literals }: Member, name: string) => literals.find(([own]) => own === name)
  const shared = (members[0]?.literals ?? [])
    .map(([name]) => name)
    .filter((name) => members.every((member) => literalOf(member, name) !== undefined))
    .map((name) => ({ name, groups: Map.groupBy(members, (member) => literalOf(member, name)![1]) }))
  const [best] = shared.toSorted((one, other) => other.groups.size - one.groups.size)
  if (best === undefined) return () => members
  return (value) => best.groups.get(value[best.name]) ?? []
}

/** Creates the walkers of a schema, in which recursive schemas refer to themselves. */
const makeCompiler = () => {
  const compiled = new Map<SchemaAST.AST, Walkers>()

  const compile = (schema: SchemaAST.AST): Walkers => {
    const ast = encodedOf(schema)
    const known = compiled.get(ast)
    if (known !== undefined) return known
    const walkers = create(ast)
    compiled.set(ast, walkers)
    return walkers
  }

  const compileList = (ast: SchemaAST.Arrays): Walk | undefined => {
    const bound = boundOf(ast)
    const items = ast.rest.length === 1 && ast.elements.length === 0 ? compile(ast.rest[0]!) : nothing
    if (bound === undefined && !hasWalker(items)) return undefined
    return (value, path, found) => {
      const list = value as ReadonlyArray<unknown>
      if (bound !== undefined && list.length > bound.maximum) {
        found.push({ path: formatPath(path), message: bound.message })
        return
      }
      for (let i = 0; i < list.length && found.length < maximumDetails; i++) {
        walkEntry(items, list[i], { step: String(i), parent: path }, found)
      }
    }
  }

  const compileObject = (ast: SchemaAST.Objects): Walk | undefined => {
    const bound = boundOf(ast)
    const properties = ast.propertySignatures.flatMap(({ name, type }) => {
      const walkers = compile(type)
      return typeof name === "string" && hasWalker(walkers) ? [[name, walkers] as const] : []
    })
    const entries = ast.indexSignatures[0] === undefined ? nothing : compile(ast.indexSignatures[0].type)
    if (bound === undefined && properties.length === 0 && !hasWalker(entries)) return undefined
    return (value, path, found) => {
      const object = value as Readonly<Record<string, unknown>>
      if (bound !== undefined && Object.keys(object).length > bound.maximum) {
        found.push({ path: formatPath(path), message: bound.message })
        return
      }
      for (const [name, walkers] of properties) {
        if (Object.hasOwn(object, name)) walkEntry(walkers, object[name], { step: name, parent: path }, found)
      }
      if (!hasWalker(entries)) return
      for (const name of Object.keys(object)) {
        if (found.length >= maximumDetails) return
        walkEntry(entries, object[name], { step: name, parent: path }, found)
      }
    }
  }

  /** A value of a union is oversized if it is oversized for each member that its literals permit. */
  const compileUnion = (ast: SchemaAST.Union): Walkers => {
    const members = ast.types.map(
      (type): Member => ({
        literals: literalsOf(encodedOf(type)),
        kinds: encodedOf(type)._tag,
        walkers: compile(type)
      })
    )
    const walkWith = (kind: keyof Walkers): Walk | undefined => {
      if (members.every(({ walkers }) => walkers[kind] === undefined)) return undefined
      const candidates = candidatesOf(members)
      return (value, path, found) => {
        let fewest: Array<InvalidField> | undefined
        for (const { literals, kinds, walkers } of candidates(value as Readonly<Record<string, unknown>>)) {
          if (kind === "object" ? kinds === "Arrays" : kinds === "Objects") continue
          const isPermitted = literals.every(
            ([name, literal]) => (value as Readonly<Record<string, unknown>>)[name] === literal
          )
          if (!isPermitted) continue
          const ofMember: Array<InvalidField> = []
          walkers[kind]?.(value, path, ofMember)
          if (fewest === undefined || ofMember.length < fewest.length) fewest = ofMember
          if (fewest.length === 0) return
        }
        if (fewest !== undefined) found.push(...fewest)
      }
    }
    return { list: walkWith("list"), object: walkWith("object") }
  }

  const create = (ast: SchemaAST.AST): Walkers => {
    switch (ast._tag) {
      case "Arrays":
        return { list: compileList(ast), object: undefined }
      case "Objects":
        return { list: undefined, object: compileObject(ast) }
      case "Union":
        return compileUnion(ast)
      case "Suspend": {
        // The schema contains itself: its walkers are created when an input first reaches it.
        const walk =
          (kind: keyof Walkers): Walk =>
          (value, path, found) =>
            compile(ast.thunk())[kind]?.(value, path, found)
        return { list: walk("list"), object: walk("object") }
      }
      default:
        return nothing
    }
  }
  return compile
}

/**
 * Creates a function that returns the lists and maps of an input that have too many entries, at most 100. Its cost is
 * linear in the number of entries that the bounds permit.
 */
export const makeListBounds = (schema: SchemaAST.AST): ((input: unknown) => ReadonlyArray<InvalidField>) => {
  const walkers = makeCompiler()(schema)
  return (input) => {
    const found: Array<InvalidField> = []
    walkEntry(walkers, input, undefined, found)
    return found
  }
}
