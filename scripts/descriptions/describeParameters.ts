/** The descriptions of the parameters of paths and queries. */
import { Api } from "@lectern/client"
import * as model from "@lectern/core/model"
import { Schema, SchemaAST } from "effect"
import { HttpApi, HttpApiEndpoint } from "effect/http-api"
import type { SchemaTree } from "./SchemaTree.ts"

const hasFields = (value: unknown): value is { readonly fields: Schema.Struct.Fields } =>
  typeof value === "function" || (typeof value === "object" && value !== null)
    ? "fields" in value && typeof value.fields === "object"
    : false

const propertiesOf = (schema: Schema.Top | undefined): ReadonlyArray<SchemaAST.PropertySignature> =>
  schema !== undefined && SchemaAST.isObjects(schema.ast) ? schema.ast.propertySignatures : []

/** A schema of the model, as the query of an endpoint has its fields. */
interface Candidate {
  readonly types: ReadonlyMap<string, SchemaAST.AST>
  readonly tree: SchemaTree
}

const listCandidates = (trees: ReadonlyMap<string, SchemaTree>): ReadonlyArray<Candidate> =>
  Object.entries(model).flatMap(([name, schema]) => {
    const tree = trees.get(name)
    if (!hasFields(schema) || tree === undefined) return []
    // An endpoint has its own form of the schemas of parameters, which is the same for the same field.
    const { query } = HttpApiEndpoint.get(name, "/", { query: schema.fields })
    return [{ types: new Map(propertiesOf(query).map(({ name, type }) => [String(name), type])), tree }]
  })

/**
 * The doc comments of the parameters of a query. Fields of the same type and name, such as `order`, have different
 * comments in different schemas: that of the schema counts that has the most of the parameters, and the fewest others.
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
 * Describes the parameters of the API: those of queries by the doc comment of the field of the model that a parameter is
 * declared with, else by the description of its schema, else by the doc comment of its schema. Returns descriptions by operation id and
 * name; under `*` are those that are the same in all operations. Throws if a parameter has no description.
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
        // Many fields share the schema of an id, which parameters of paths are.
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
