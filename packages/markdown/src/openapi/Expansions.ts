/**
 * The properties and the alternatives of the schemas of one view: of a page, or of all pages of a spec. Each schema is expanded once, and
 * all expansions together take a number of steps. References let a small document have very many heirs of each schema.
 */
import { isObject, type Json, listOf, type Resolve } from "./openApiReferences.ts"

/** The maximum number of steps of the expansions of a page: the schemas, properties and alternatives that they visit. */
export const maximumPageSteps = 100_000

/** The maximum depth of nested `allOf` schemas. */
const maximumDepth = 6

/** The maximum number of schemas that the properties of one are collected from. */
const maximumSchemas = 200

/** The maximum number of properties that are collected from them, of which each heir has its own. */
const maximumCollected = 3_000

/** A property of an object. */
export interface Property {
  /** Its name. In a table also the names of its ancestors: `owner.name`, `items[].id`. */
  readonly name: string
  /** Its schema, which may be a reference. */
  readonly schema: unknown
  /** Whether the object must have it. */
  readonly isRequired: boolean
}

/** The alternatives that a schema has itself, without the alternatives of its `allOf` schemas. */
export const ownAlternativesOf = (schema: Json): ReadonlyArray<unknown> => [
  ...listOf(schema.oneOf),
  ...listOf(schema.anyOf)
]

/** The properties and alternatives that a schema expands to. */
interface Expansion {
  readonly properties: ReadonlyArray<Property>
  readonly alternatives: ReadonlyArray<unknown>
}

const nothing: Expansion = { properties: [], alternatives: [] }

/** The expansions of a view. */
export class Expansions {
  private stepsLeft: number
  private readonly known = new WeakMap<Resolve, WeakMap<object, Expansion>>()
  private readonly entries = new WeakMap<object, ReadonlyArray<readonly [string, unknown]>>()

  constructor(steps: number = maximumPageSteps) {
    this.stepsLeft = steps
  }

  /** Whether there are no steps left, so that further schemas expand to nothing. */
  get isExhausted(): boolean {
    return this.stepsLeft <= 0
  }

  /** Takes steps. Returns whether there were enough. */
  take(steps: number): boolean {
    this.stepsLeft -= steps
    return this.stepsLeft > 0
  }

  /** Returns the entries of an object, which are read once. */
  entriesOf(value: unknown): ReadonlyArray<readonly [string, unknown]> {
    if (!isObject(value)) return []
    const known = this.entries.get(value) ?? Object.entries(value)
    this.entries.set(value, known)
    return known
  }

  /** Returns the properties and the alternatives of a schema and of its `allOf` schemas. */
  expand(given: unknown, resolve: Resolve): Expansion {
    const schema = resolve(given)
    if (!isObject(schema)) return nothing
    const ofResolve = this.known.get(resolve) ?? new WeakMap<object, Expansion>()
    this.known.set(resolve, ofResolve)
    const known = ofResolve.get(schema)
    if (known !== undefined) return known
    const expansion = {
      properties: this.collectProperties(schema, resolve),
      alternatives: this.collectAlternatives(schema, resolve)
    }
    ofResolve.set(schema, expansion)
    return expansion
  }

  /** Own properties replace inherited ones. */
  private collectProperties(root: Json, resolve: Resolve): ReadonlyArray<Property> {
    let schemas = maximumSchemas
    let free = maximumCollected
    const collect = (given: unknown, depth: number): ReadonlyMap<string, Property> => {
      const found = new Map<string, Property>()
      const schema = resolve(given)
      if (!isObject(schema) || depth > maximumDepth || --schemas < 0 || free < 0) return found
      const names = listOf(schema.required)
      if (!this.take(1 + names.length)) return found
      const required = new Set(names)
      const add = (name: string, property: Property): boolean => {
        if (--free < 0 || !this.take(1)) return false
        found.set(name, property)
        return true
      }
      for (const part of listOf(schema.allOf)) {
        for (const [name, property] of collect(part, depth + 1)) {
          const isRequired = property.isRequired || required.has(name)
          const own = isRequired === property.isRequired ? property : { ...property, isRequired }
          if (!add(name, own)) return found
        }
        if (schemas < 0 || this.isExhausted) break
      }
      for (const [name, inner] of this.entriesOf(schema.properties)) {
        if (!add(name, { name, schema: inner, isRequired: required.has(name) })) return found
      }
      return found
    }
    return [...collect(root, 0).values()]
  }

  private collectAlternatives(root: Json, resolve: Resolve): ReadonlyArray<unknown> {
    let schemas = maximumSchemas
    const found: Array<unknown> = []
    const collect = (schema: unknown, depth: number): void => {
      if (!isObject(schema) || depth > maximumDepth || --schemas < 0 || !this.take(1)) return
      for (const part of listOf(schema.allOf)) {
        if (schemas < 0 || this.isExhausted) break
        collect(resolve(part), depth + 1)
      }
      for (const alternative of ownAlternativesOf(schema)) {
        if (found.length >= maximumCollected || !this.take(1)) return
        found.push(alternative)
      }
    }
    collect(root, 0)
    return found
  }
}
