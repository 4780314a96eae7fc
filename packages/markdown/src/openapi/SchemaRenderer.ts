/** Renders schemas of an API: types, constraints, and nested properties that readers expand. */

import { type ApiBuilder, type ApiContent, isEmpty } from "./ApiBuilder.ts"
import { entriesOf, isObject, type Json, listOf, type OpenApiDocument, textOf } from "./OpenApiDocument.ts"

/** The maximum depth of nested properties. */
const maximumDepth = 6

/** The maximum number of properties of one operation. */
const maximumProperties = 1_000

/** The maximum number of values of an enumeration. */
const maximumChoices = 50

/** The name of the target of a reference: its last part. */
const nameOfReference = (reference: string): string => reference.split("/").at(-1) ?? reference

/** The text of the value of a constraint: JSON, except for strings. */
const constraintText = (value: unknown): string =>
  (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).slice(0, 200)

/** Renders the schemas of one operation: at most 1,000 properties, each at most 6 levels deep. */
export class SchemaRenderer<Node> {
  private readonly builder: ApiBuilder<Node>
  private readonly document: OpenApiDocument
  private left = maximumProperties

  constructor(builder: ApiBuilder<Node>, document: OpenApiDocument) {
    this.builder = builder
    this.document = document
  }

  /** Returns the type of a schema as text, such as `array of Pet`. */
  typeOf(given: unknown, depth = 0): string {
    if (!isObject(given) || depth > maximumDepth) return "any"
    const reference = typeof given.$ref === "string" ? nameOfReference(given.$ref) : undefined
    const schema = this.document.object(given)
    if (schema === undefined) return reference ?? "any"
    const alternatives = [...listOf(schema.oneOf), ...listOf(schema.anyOf)]
    if (alternatives.length > 0) {
      return reference ?? [...new Set(alternatives.map((one) => this.typeOf(one, depth + 1)))].join(" | ")
    }
    const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter(
      (type) => typeof type === "string"
    )
    const words = types.map((type) => (type === "array" ? `${this.typeOf(schema.items, depth + 1)}[]` : type))
    const own = words.length > 0 ? words.join(" | ") : this.propertiesOf(schema).length > 0 ? "object" : "any"
    const named = own === "object" && reference !== undefined ? reference : own
    const format = textOf(schema.format)
    return `${named}${format === "" ? "" : ` (${format})`}${schema.nullable === true ? " | null" : ""}`
  }

  /** Returns the properties of a schema and of its `allOf` schemas. */
  private propertiesOf(
    given: unknown,
    depth = 0
  ): ReadonlyArray<readonly [name: string, schema: unknown, isRequired: boolean]> {
    const schema = this.document.object(given)
    if (schema === undefined || depth > maximumDepth) return []
    const required = new Set(listOf(schema.required))
    const inherited = listOf(schema.allOf).flatMap((part) => this.propertiesOf(part, depth + 1))
    const found = new Map(inherited.map((property) => [property[0], property]))
    for (const [name, property] of entriesOf(schema.properties))
      found.set(name, [name, property, required.has(name)])
    return [...found.values()].map(([name, property, isRequired]) => [
      name,
      property,
      isRequired || required.has(name)
    ])
  }

  private constraintsOf(schema: Json): ReadonlyArray<readonly [label: string, value: string]> {
    const { messages } = this.builder
    const choices = listOf(schema.enum)
    const shown = choices.slice(0, maximumChoices).map(constraintText)
    const pairs: ReadonlyArray<readonly [string, unknown]> = [
      [messages.default, schema.default],
      [messages.example, schema.example ?? (Array.isArray(schema.examples) ? schema.examples[0] : undefined)],
      [messages.minimum, schema.minimum],
      [messages.maximum, schema.maximum],
      [messages.minLength, schema.minLength],
      [messages.maxLength, schema.maxLength],
      [messages.minItems, schema.minItems],
      [messages.maxItems, schema.maxItems],
      [messages.pattern, schema.pattern]
    ]
    return [
      ...(choices.length === 0
        ? []
        : ([[messages.options, shown.join(", ") + (choices.length > shown.length ? ", …" : "")]] as const)),
      ...pairs.flatMap(([label, value]) =>
        value === undefined || value === null ? [] : [[label, constraintText(value)] as const]
      )
    ]
  }

  /** Renders one value: its name, type, description, constraints, and the properties below it. */
  renderProperty(
    name: string,
    given: unknown,
    isRequired: boolean,
    description: string,
    depth: number,
    above: ReadonlyArray<unknown>
  ): ApiContent<Node> {
    if (this.left-- <= 0) return undefined
    const { element, messages } = this.builder
    const schema = this.document.object(given) ?? {}
    const text =
      description || textOf(isObject(given) ? given.description : undefined) || textOf(schema.description)
    const constraints = this.constraintsOf(schema)
    return element(
      "li",
      { class: "property" },
      element(
        "div",
        { class: "property-head" },
        element("code", { class: "property-name" }, name),
        element("span", { class: "property-type" }, this.typeOf(given)),
        isRequired && element("span", { class: "property-required" }, messages.required),
        schema.deprecated === true && element("span", { class: "badge deprecated" }, messages.deprecated)
      ),
      text !== "" && element("div", { class: "property-text" }, this.builder.markdown(text)),
      constraints.length > 0 &&
        element(
          "dl",
          { class: "constraints" },
          constraints.map(([label, value]) =>
            element("div", {}, element("dt", {}, label), element("dd", {}, element("code", {}, value)))
          )
        ),
      this.renderChildren(schema, depth, above)
    )
  }

  private renderChildren(schema: Json, depth: number, above: ReadonlyArray<unknown>): ApiContent<Node> {
    if (depth >= maximumDepth || above.includes(schema)) return undefined
    const inside = [...above, schema]
    const content = this.renderContent(schema, depth + 1, inside)
    if (isEmpty(content)) return undefined
    const { element } = this.builder
    return element(
      "details",
      { class: "child-properties" },
      element("summary", {}, this.builder.chevron(), this.builder.messages.properties),
      content
    )
  }

  /** Renders the alternatives of a schema, each of which readers expand. */
  private renderAlternatives(schema: Json, depth: number, above: ReadonlyArray<unknown>): ApiContent<Node> {
    const { element } = this.builder
    return this.alternativesOf(schema).map((one, index) => {
      const alternative = this.document.object(one)
      if (alternative === undefined || above.includes(alternative) || this.left-- <= 0) return undefined
      const content = this.renderContent(alternative, depth + 1, [...above, alternative])
      const title = textOf(alternative.title) || this.typeOf(one)
      return isEmpty(content)
        ? element("p", { class: "alternative" }, title)
        : element(
            "details",
            { class: "alternative", open: index === 0 && depth === 0 },
            element("summary", {}, this.builder.chevron(), title),
            content
          )
    })
  }

  /** Returns the alternatives of a schema and of its `allOf` schemas. */
  private alternativesOf(schema: Json, depth = 0): ReadonlyArray<unknown> {
    const inherited =
      depth > maximumDepth
        ? []
        : listOf(schema.allOf).flatMap((part) => {
            const resolved = this.document.object(part)
            return resolved === undefined ? [] : this.alternativesOf(resolved, depth + 1)
          })
    return [...inherited, ...listOf(schema.oneOf), ...listOf(schema.anyOf)]
  }

  /** Renders the properties of a schema, of its items, or of its alternatives. */
  renderContent(given: unknown, depth = 0, above: ReadonlyArray<unknown> = []): ApiContent<Node> {
    const { element } = this.builder
    const schema = this.document.object(given)
    if (schema === undefined || depth > maximumDepth) return undefined
    const properties = this.propertiesOf(schema)
    const hasAlternatives = this.alternativesOf(schema).length > 0
    if (properties.length > 0 || hasAlternatives) {
      return [
        properties.length > 0 &&
          element(
            "ul",
            { class: "properties" },
            properties.map(([name, property, isRequired]) =>
              this.renderProperty(name, property, isRequired, "", depth, above)
            )
          ),
        hasAlternatives && this.renderAlternatives(schema, depth, above)
      ]
    }
    const items = schema.items ?? schema.additionalProperties
    const item = this.document.object(items)
    return item === undefined || above.includes(item)
      ? undefined
      : this.renderContent(item, depth + 1, [...above, item])
  }
}
