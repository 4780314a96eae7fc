/** Validates documents with the JSON schema of the public contract. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { Ajv } from "ajv"
import { additionalTypes, corrections, fieldExceptions, nestingExceptions } from "./contractExceptions.ts"

type JsonSchema = { readonly [name: string]: unknown }
type Schemas = Record<string, JsonSchema>

const require = createRequire(import.meta.url)
const contract = JSON.parse(
  readFileSync(require.resolve("@gitbook/api").replace(/dist.*$/, "spec/openapi.json"), "utf8")
) as { readonly components: { readonly schemas: Schemas } }

/** The schemas of the contract by name. */
const contractSchemas: Readonly<Schemas> = contract.components.schemas

const compileDocumentSchema = (schemas: Schemas) => {
  const ajv = new Ajv({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: "contract", components: { schemas } })
  return ajv.compile({ $ref: "contract#/components/schemas/JSONDocument" })
}

const refOf = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const isObject = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null

/** The enumeration of the property `type`, which identifies the schema of a block. */
const typesOf = (schema: JsonSchema): ReadonlyArray<unknown> => {
  const { properties } = schema
  const type = isObject(properties) ? properties.type : undefined
  return isObject(type) && Array.isArray(type.enum) ? type.enum : []
}

const schemaOfType = (schemas: Schemas, type: string): string => {
  const found = Object.entries(schemas).find(
    ([name, schema]) => /^Document(?:Block|Inline)/.test(name) && typesOf(schema).includes(type)
  )
  if (found === undefined) throw new Error(`No schema has the type ${type}.`)
  return found[0]
}

/** Adds alternatives to a schema. */
const withAlternatives = (schema: unknown, names: ReadonlyArray<string>): JsonSchema => {
  const added = names.map(refOf)
  if (isObject(schema) && Array.isArray(schema.oneOf))
    return { ...schema, oneOf: [...schema.oneOf, ...added] }
  return { oneOf: [schema, ...added] }
}

/** Replaces the schema at a path of properties. */
const replaceAt = (
  schema: unknown,
  [name, ...path]: ReadonlyArray<string>,
  replace: (schema: unknown) => JsonSchema
): JsonSchema => {
  if (name === undefined) return replace(schema)
  if (!isObject(schema)) throw new Error(`The contract has no schema at ${name}.`)
  if (Array.isArray(schema)) {
    return schema.map((item, index) =>
      String(index) === name ? replaceAt(item, path, replace) : item
    ) as unknown as JsonSchema
  }
  return { ...schema, [name]: replaceAt(schema[name], path, replace) }
}

const withExceptions = (): Schemas => {
  const schemas: Schemas = { ...contractSchemas }
  for (const [type, { schema }] of Object.entries(additionalTypes)) {
    schemas[`DocumentBlock${type[0]!.toUpperCase()}${type.slice(1)}`] = schema
  }
  for (const { schema, keywords } of corrections) schemas[schema] = { ...schemas[schema], ...keywords }
  const extend = (name: string, path: ReadonlyArray<string>, added: ReadonlyArray<string>) => {
    schemas[name] = replaceAt(schemas[name], path, (schema) => withAlternatives(schema, added))
  }
  for (const { parent, path, children } of nestingExceptions) {
    const ofNodes = typesOf(schemas[parent]!).length === 0 ? [] : ["properties", "nodes", "items"]
    extend(
      parent,
      path ?? ofNodes,
      children.map((type) => schemaOfType(schemas, type))
    )
  }
  for (const { schema, field, permits } of fieldExceptions) {
    extend(schema, ["properties", "data", "properties", field], [permits])
  }
  return schemas
}

const validate = compileDocumentSchema(withExceptions())
const validateStrictly = compileDocumentSchema({ ...contractSchemas })

/** Returns the validation errors of a document, which can have the exceptions in `contractExceptions.ts`. */
export const contractErrors = (document: unknown): ReadonlyArray<unknown> =>
  validate(document) ? [] : (validate.errors ?? [])

/** Returns the validation errors of a document by the contract as it is, without exceptions. */
export const strictErrors = (document: unknown): ReadonlyArray<unknown> =>
  validateStrictly(document) ? [] : (validateStrictly.errors ?? [])

/** Whether a document is valid without exceptions. */
export const isStrictlyValid = (document: unknown): boolean => validateStrictly(document)

/** The types of blocks, inlines and marks of the contract. */
export const contractTypes: ReadonlyArray<string> = Object.entries(contractSchemas).flatMap(
  ([name, schema]) => (/^Document(?:Block|Inline|Mark)/.test(name) ? typesOf(schema).map(String) : [])
)
