/** Finds the roles that a value of an input grants, by the schema of the input. */
import * as SchemaAST from "effect/SchemaAST"
import type { Role } from "./Role.ts"

/** Calls a function with each role in a value. */
type Visit = (value: unknown, found: (role: Role) => void) => void

/** The schemas whose values are roles. */
const roleSchemas = new Set(["Role", "DefaultLevel"])

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const visitsOf = (
  asts: ReadonlyArray<SchemaAST.AST>,
  seen: ReadonlySet<SchemaAST.AST>
): Visit | undefined => {
  const visits = asts.flatMap((ast) => visitOf(ast, seen) ?? [])
  return visits.length === 0
    ? undefined
    : (value, found) => {
        for (const visit of visits) visit(value, found)
      }
}

const visitObject = (ast: SchemaAST.Objects, seen: ReadonlySet<SchemaAST.AST>): Visit | undefined => {
  const fields = ast.propertySignatures.flatMap(({ name, type }) => {
    const visit = visitOf(type, seen)
    return visit === undefined ? [] : [[String(name), visit] as const]
  })
  const entries = visitsOf(
    ast.indexSignatures.map(({ type }) => type),
    seen
  )
  if (fields.length === 0 && entries === undefined) return undefined
  return (value, found) => {
    if (!isObject(value)) return
    for (const [name, visit] of fields) visit(value[name], found)
    if (entries !== undefined) for (const entry of Object.values(value)) entries(entry, found)
  }
}

const visitArray = (ast: SchemaAST.Arrays, seen: ReadonlySet<SchemaAST.AST>): Visit | undefined => {
  const items = visitsOf([...ast.elements, ...ast.rest], seen)
  return (
    items &&
    ((value, found) => {
      if (Array.isArray(value)) for (const item of value) items(item, found)
    })
  )
}

/** A recursive schema is visited once: none contains roles below itself. */
const visitOf = (ast: SchemaAST.AST, seen: ReadonlySet<SchemaAST.AST>): Visit | undefined => {
  if (seen.has(ast)) return undefined
  const within = new Set([...seen, ast])
  if (roleSchemas.has(SchemaAST.resolveIdentifier(ast) ?? "")) {
    return (value, found) => {
      if (typeof value === "string" && value !== "inherit") found(value as Role)
    }
  }
  if (ast._tag === "Objects") return visitObject(ast, within)
  if (ast._tag === "Arrays") return visitArray(ast, within)
  if (ast._tag === "Union") return visitsOf(ast.types, within)
  return ast._tag === "Suspend" ? visitOf(ast.thunk(), within) : undefined
}

/**
 * Returns a function that lists the roles in a decoded value of a schema, anywhere in it; undefined for a schema without roles. An operation
 * can thus check the roles that its input grants in any of its fields.
 */
export const givenRolesOf = (schema: {
  readonly ast: SchemaAST.AST
}): ((value: unknown) => ReadonlyArray<Role>) | undefined => {
  const visit = visitOf(SchemaAST.toType(schema.ast), new Set())
  if (visit === undefined) return undefined
  return (value) => {
    const roles: Array<Role> = []
    visit(value, (role) => roles.push(role))
    return roles
  }
}
