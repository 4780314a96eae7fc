/** Describes the parameters of paths and queries. */
import { Api } from "@lectern/client"
import * as model from "@lectern/model"
import { Schema, SchemaAST } from "effect"
import { HttpApi, HttpApiEndpoint } from "effect/http-api"
import type { SchemaTree } from "./SchemaTree.ts"

const hasFields = (value: unknown): value is { readonly fields: Schema.Struct.Fields } =>
  typeof value === "function" || (typeof value === "object" && value !== null)
    ? "fields" in value && typeof value.fields === "object"
    : false

const propertiesOf = (schema: Schema.Top | undefined): ReadonlyArray<SchemaAST.PropertySignature> =>
  schema !== undefined && SchemaAST.isObjects(schema.ast) ? schema.ast.propertySignatures : []

/** A schema of the model whose fields can be query parameters. */
interface Candidate {
  readonly types: ReadonlyMap<string, SchemaAST.AST>
  readonly tree: SchemaTree
}

const listCandidates = (trees: ReadonlyMap<string, SchemaTree>): ReadonlyArray<Candidate> =>
  Object.entries(model).flatMap(([name, schema]) => {
    const tree = trees.get(name)
    if (!hasFields(schema) || tree === undefined) return []
    // Endpoints convert the schemas of parameters. Equal fields convert to the same object, which identifies them.
    const { query } = HttpApiEndpoint.get(name, "/", { query: schema.fields })
    return [{ types: new Map(propertiesOf(query).map(({ name, type }) => [String(name), type])), tree }]
  })

/**
 * Returns the doc comments of the parameters of a query. Fields of the same name and type, such as `order`, have different
 * comments in different schemas. The schema with the most parameters of the query and the fewest other fields applies.
 */
const describeQuery = (
  query: ReadonlyArray<SchemaAST.PropertySignature>,
  candidates: ReadonlyArray<Candidate>
): ReadonlyMap<string, string> => {
  const descriptions = new Map<string, string>()
  const ranked = candidates
    .map(({ types, tree }) => {
      const shared = query.filter(({ name, type }) => types.get(String(name)) === type)
      return { shared, others: types.size - shared.length, tree }
    })
    .sort((one, other) => other.shared.length - one.shared.length || one.others - other.others)
  for (const { shared, tree } of ranked) {
    for (const { name } of shared) {
      const description = tree.properties.get(String(name))?.description
      if (description !== undefined && !descriptions.has(String(name))) {
        descriptions.set(String(name), description)
      }
    }
  }
  return descriptions
}

/**
 * Returns the descriptions of all parameters by operation id and name, and under `*` the descriptions that are equal in all operations.
 * A description is the doc comment of the model's field, for queries; otherwise the `description` of the parameter's
 * schema, or its doc comment. Throws if a parameter has no description.
 */
export const describeParameters = (
  trees: ReadonlyMap<string, SchemaTree>
): Readonly<Record<string, Readonly<Record<string, string>>>> => {
  const candidates = listCandidates(trees)
  const bySchema = new Map<SchemaAST.AST, string>()
  for (const [name, schema] of Object.entries(model)) {
    const description = trees.get(name)?.description
    if (Schema.isSchema(schema) && description !== undefined) bySchema.set(schema.ast, description)
  }
  const byName = new Map<string, Map<string, string>>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { identifier, params, query } }) => {
      for (const schema of [params, query]) {
        // Parameters of paths are ids, whose schemas are shared by many fields with other comments.
        const fields = schema === query ? describeQuery(propertiesOf(query), candidates) : undefined
        for (const { name, type } of propertiesOf(schema)) {
          const description =
            fields?.get(String(name)) ?? SchemaAST.resolveDescription(type) ?? bySchema.get(type)
          if (description === undefined) {
            throw new Error(`The parameter ${String(name)} of ${identifier} has no description.`)
          }
          const operations = byName.get(String(name)) ?? new Map<string, string>()
          byName.set(String(name), operations.set(identifier, description))
        }
      }
    }
  })
  const descriptions: Record<string, Record<string, string>> = {}
  for (const [name, operations] of [...byName].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const isSame = new Set(operations.values()).size === 1
    for (const [operation, description] of operations) {
      const key = isSame ? "*" : operation
      descriptions[key] = { ...descriptions[key], [name]: description }
    }
  }
  return descriptions
}
