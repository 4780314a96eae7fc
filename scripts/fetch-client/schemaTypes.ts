/** Prints JSON schemas of the OpenAPI document as TypeScript types. */

export type Json = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const identifier = /^[A-Za-z_$][\w$]*$/

const keyOf = (name: string): string => (identifier.test(name) ? name : JSON.stringify(name))

/** The properties of a page of a list, whose type has a parameter for its items. `test/fetch/sameTypes.ts` compares it with the schema. */
const propertiesOfPage = "next count items"

const referencePrefix = "#/components/schemas/"

/** Returns a schema without descriptions, as text: equal schemas have equal text. */
const shapeOf = (schema: unknown): string =>
  JSON.stringify(schema, (key, value: unknown) => {
    if (!isJson(value) || key === "properties") return value
    const { description: _, ...shape } = value
    return shape
  })

/** Returns a doc comment for a description, or nothing. */
export const printComment = (description: unknown, indentation: string): string =>
  typeof description === "string" && description !== ""
    ? `${indentation}/** ${description.replaceAll("*/", "*\\/").replace(/\s*\n\s*/g, " ")} */\n`
    : ""

/** Prints the schemas of a document. A schema that equals a component is printed as its name. */
export class SchemaPrinter {
  readonly #components: Readonly<Record<string, Json>>
  readonly #namesByShape = new Map<string, string>()

  constructor(components: Readonly<Record<string, Json>>) {
    this.#components = components
    for (const [name, schema] of Object.entries(components)) {
      if (
        schema.type === "object" &&
        isJson(schema.properties) &&
        Object.keys(schema.properties).length > 1
      ) {
        this.#namesByShape.set(shapeOf(schema), name)
      }
    }
  }

  /** Returns the names of the required properties of an object, or `undefined` for other schemas. */
  requiredOf(schema: unknown): ReadonlyArray<unknown> | undefined {
    const resolved = this.#resolve(schema)
    if (!isJson(resolved) || resolved.type !== "object") return undefined
    return Array.isArray(resolved.required) ? resolved.required : []
  }

  /** Prints the reasons of an error, from the schema of its response. */
  printReasons(schema: Json): string {
    const error = this.#resolve(isJson(schema.properties) ? schema.properties.error : undefined)
    const reason = isJson(error) && isJson(error.properties) ? error.properties.reason : undefined
    return this.print(reason)
  }

  /** Prints the declaration of a component. */
  declare(name: string): string {
    const schema = this.#components[name]!
    const comment = printComment(schema.description, "")
    const type = this.#printShape(schema, "")
    return isJson(schema.properties) && type.startsWith("{\n")
      ? `${comment}export interface ${name} ${type}\n`
      : `${comment}export type ${name} = ${type}\n`
  }

  /** Prints the type of a schema. Lines after the first start with the indentation. */
  print(schema: unknown, indentation = ""): string {
    if (!isJson(schema)) return "unknown"
    const name = this.#namesByShape.get(shapeOf(schema))
    return name ?? this.#printShape(schema, indentation)
  }

  #resolve(schema: unknown): unknown {
    return isJson(schema) && typeof schema.$ref === "string"
      ? this.#components[schema.$ref.slice(referencePrefix.length)]
      : schema
  }

  #printShape(schema: Json, indentation: string): string {
    if (typeof schema.$ref === "string") return schema.$ref.slice(referencePrefix.length)
    if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" | ")
    const members = schema.anyOf ?? schema.oneOf
    if (Array.isArray(members)) {
      return [...new Set(members.map((member) => this.print(member, indentation)))].join(" | ")
    }
    if (Array.isArray(schema.allOf)) {
      const { allOf: [first] = [], ...rest } = schema as { readonly allOf: ReadonlyArray<Json> }
      return this.#printShape({ ...first, ...rest }, indentation)
    }
    if ("not" in schema) return isJson(schema.not) && schema.not.type === "null" ? "{}" : "never"
    switch (schema.type) {
      case "string":
        return "string"
      case "integer":
      case "number":
        return "number"
      case "boolean":
        return "boolean"
      case "null":
        return "null"
      case "array":
        return this.#printArray(schema, indentation)
      case "object":
        return this.#printObject(schema, indentation)
      default:
        return "unknown"
    }
  }

  #printArray(schema: Json, indentation: string): string {
    if (Array.isArray(schema.prefixItems)) {
      return `readonly [${schema.prefixItems.map((item) => this.print(item, indentation)).join(", ")}]`
    }
    const items = this.print(schema.items, indentation)
    return `ReadonlyArray<${items}>`
  }

  #printObject(schema: Json, indentation: string): string {
    const properties = isJson(schema.properties) ? Object.entries(schema.properties) : []
    const values = schema.additionalProperties
    if (properties.length === 0) {
      if (values === false) return "{}"
      return isJson(values)
        ? `{ readonly [key: string]: ${this.print(values, indentation)} }`
        : "{ readonly [key: string]: unknown }"
    }
    if (properties.map(([name]) => name).join(" ") === propertiesOfPage) {
      const [, , [, items]] = properties as [unknown, unknown, [string, Json]]
      return `ListPage<${this.print(items.items, indentation)}>`
    }
    const required = new Set(Array.isArray(schema.required) ? schema.required : [])
    const inner = `${indentation}  `
    const lines = properties.map(([name, property]) => {
      const comment = isJson(property) ? printComment(property.description, inner) : ""
      const mark = required.has(name) ? "" : "?"
      return `${comment}${inner}readonly ${keyOf(name)}${mark}: ${this.print(property, inner)}\n`
    })
    const index = isJson(values) ? [`${inner}readonly [key: string]: ${this.print(values, inner)}\n`] : []
    return `{\n${[...lines, ...index].join("")}${indentation}}`
  }
}
