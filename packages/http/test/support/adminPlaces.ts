/** Finds where the bodies of operations can have the role `admin`. */
import { type Operation, operations, type Scene } from "@lectern/harness/operations"
import { type Schema, SchemaAST } from "effect"

const isLiteral = (ast: SchemaAST.AST, literal: string) => ast._tag === "Literal" && ast.literal === literal

/** A place of the literal `admin` in a schema, and a value of the schema that has it there. */
export interface Place {
  readonly path: string
  readonly value: unknown
}

/** A valid value of a field that is required next to one with a role. */
const sampleOf = (ast: SchemaAST.AST): unknown => {
  if (ast._tag === "Literal") return ast.literal
  if (ast._tag === "Union") return sampleOf(ast.types[0]!)
  return ast._tag === "Arrays" ? ["ada@example.com"] : "ada@example.com"
}

/** Finds the literal at any depth, and not by the name of its schema, so that a new schema of roles is found too. */
const placesOf = (ast: SchemaAST.AST, path: string, user: string): ReadonlyArray<Place> => {
  if (isLiteral(ast, "admin")) return [{ path, value: "admin" }]
  if (ast._tag === "Union") return ast.types.flatMap((type) => placesOf(type, path, user))
  if (ast._tag === "Arrays") {
    return [...ast.elements, ...ast.rest].flatMap((item) =>
      placesOf(item, `${path}[]`, user).map(({ path, value }) => ({ path, value: [value] }))
    )
  }
  if (ast._tag !== "Objects") return []
  const required = Object.fromEntries(
    ast.propertySignatures.flatMap(({ name, type }) =>
      SchemaAST.isOptional(type) ? [] : [[String(name), sampleOf(type)]]
    )
  )
  return [
    ...ast.propertySignatures.flatMap(({ name, type }) =>
      placesOf(type, `${path}.${String(name)}`, user).map(({ path, value }) => ({
        path,
        value: { ...required, [String(name)]: value }
      }))
    ),
    ...ast.indexSignatures.flatMap(({ type }) =>
      placesOf(type, `${path}.*`, user).map(({ path, value }) => ({ path, value: { [user]: value } }))
    )
  ]
}

/** The schemas of the bodies of an operation. */
const bodiesOf = ({ endpoint }: Operation): ReadonlyArray<Schema.Top> =>
  [...endpoint.payload.values()].flatMap(({ schemas }) => [...schemas])

/** The places of the role `admin` in the bodies of all operations, with a body that has it there. */
export const adminPlaces = (scene: Scene) =>
  operations.flatMap((operation) =>
    operation.isWrite
      ? bodiesOf(operation).flatMap((schema) =>
          placesOf(SchemaAST.toEncoded(schema.ast), "", scene.ids.userId!).map((place) => ({
            operation,
            schema,
            ...place
          }))
        )
      : []
  )
