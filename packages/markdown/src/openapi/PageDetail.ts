/**
 * How much detail the operations of one page show in all. References let a small document describe very much, so that a limit
 * per operation does not bound a page. Every printer takes its properties and its text from here.
 */
import { Expansions, type Property } from "./Expansions.ts"
import type { OpenApiDocument } from "./OpenApiDocument.ts"
import type { Json, Resolve } from "./openApiReferences.ts"
import { declaredExamples, exampleText, maximumValues, sampleOf } from "./sampleValues.ts"
import { type Nesting, nestedPropertiesOf } from "./schemas.ts"

/** The maximum detail of one page: its properties, the generated values of its samples, and the characters of both. */
export const maximumDetail = { properties: 5_000, values: 4_000, characters: 600_000 }

/** The maximum detail of one operation. */
const ofOperation = { properties: 500, values: 2_000 }

/** The properties that an operation shows after the detail of the page has been used up, without those nested in them. */
const flatProperties = 20

/** The maximum number of characters of such a property. */
const flatCharacters = 500

/** The maximum number of entries of a list of an operation, such as its parameters and its responses. */
const maximumEntries = 200

/** The detail that a page has left. */
export class PageDetail {
  /** The number of properties, values and characters. */
  readonly left = { ...maximumDetail }
  /** The samples by their schema. */
  readonly samples = new Map<unknown, unknown>()
  private readonly texts = new Map<unknown, string>()
  /** The expansions of its schemas, which other pages can share. */
  readonly expansions: Expansions

  constructor(expansions: Expansions = new Expansions()) {
    this.expansions = expansions
  }

  /** Starts an operation, which shares the detail of the page. */
  operation(): OperationDetail {
    return new OperationDetail(this)
  }

  /** Takes characters; none are left after there were too few. */
  takeCharacters(count: number): boolean {
    this.left.characters -= count
    return this.left.characters >= 0
  }

  /** Returns an example as text, which is printed once for the page. */
  textOf(example: unknown): string {
    if (typeof example !== "object" || example === null) return exampleText(example)
    const known = this.texts.get(example) ?? exampleText(example)
    this.texts.set(example, known)
    return known
  }
}

/** The detail of one operation, or of one schema that a page shows on its own. */
export class OperationDetail {
  private readonly page: PageDetail
  private readonly left = { ...ofOperation, flat: flatProperties }
  private hasOmitted = false

  constructor(page: PageDetail) {
    this.page = page
  }

  /** Whether anything was omitted, so that readers need the document itself. */
  get isIncomplete(): boolean {
    return this.hasOmitted
  }

  private note(isTaken: boolean): boolean {
    this.hasOmitted ||= !isTaken
    return isTaken
  }

  /** Takes characters of names, descriptions and samples. */
  takeCharacters(count: number): boolean {
    return this.note(this.page.takeCharacters(count))
  }

  /** Takes a property with the characters of its constraints. A few that are not nested are always there. */
  takeProperty(depth: number, characters = 0): boolean {
    const { left } = this.page
    if (left.properties > 0 && this.left.properties > 0 && this.page.takeCharacters(characters)) {
      left.properties--
      this.left.properties--
      return true
    }
    this.hasOmitted = true
    return depth === 0 && characters <= flatCharacters && this.left.flat-- > 0
  }

  /** Whether properties at a depth can be taken. Otherwise they need not be read. */
  hasProperties(depth: number): boolean {
    const { left } = this.page
    const hasMore = left.properties > 0 && this.left.properties > 0 && left.characters >= 0
    return this.note(hasMore) || (depth === 0 && this.left.flat > 0)
  }

  /** Returns the properties and the alternatives of a schema; nothing if the page has no steps left. */
  expand(schema: unknown, resolve: Resolve): ReturnType<Expansions["expand"]> {
    const { expansions } = this.page
    const expansion = expansions.expand(schema, resolve)
    this.note(!expansions.isExhausted)
    return expansion
  }

  /** Returns the first properties of a schema and of the schemas nested in it; fewer if the page has no steps left. */
  nestedPropertiesOf(schema: unknown, resolve: Resolve, nesting: Nesting): ReadonlyArray<Property> {
    const { expansions } = this.page
    const properties = nestedPropertiesOf(schema, resolve, nesting, expansions)
    this.note(!expansions.isExhausted)
    return properties
  }

  /** The first entries of a list. */
  firstOf<A>(entries: ReadonlyArray<A>): ReadonlyArray<A> {
    this.note(entries.length <= maximumEntries)
    return entries.slice(0, maximumEntries)
  }

  /** Returns an example of a parameter or of a media type: the first declared one, or a sample. */
  exampleOf(document: OpenApiDocument, holder: Json): unknown {
    const [declared] = declaredExamples(document, holder)
    return declared ?? this.sampleOf(document, holder.schema ?? holder)
  }

  /** Returns a sample of a schema, which is created once for the page; undefined without a type, or if no values are left. */
  sampleOf(document: OpenApiDocument, given: unknown): unknown {
    const { samples, left } = this.page
    const schema = document.resolve(given)
    if (samples.has(schema)) return samples.get(schema)
    const limit = Math.min(maximumValues, this.left.values, left.values)
    const budget = { values: limit }
    const sample = sampleOf(document, schema, budget, this.page.expansions)
    samples.set(schema, sample)
    const used = limit - Math.max(0, budget.values)
    this.left.values -= used
    left.values -= used
    this.note((limit === maximumValues || used < limit) && !this.page.expansions.isExhausted)
    return sample
  }

  /** Returns an example as text: JSON for structures. */
  textOf(example: unknown): string {
    return this.page.textOf(example)
  }

  /** Returns an example as JSON. */
  jsonOf(example: unknown): string {
    return typeof example === "object" && example !== null
      ? this.page.textOf(example)
      : (JSON.stringify(example) ?? "null")
  }
}
