/** Finds the roles that an input grants, by its schema. */
import * as SchemaAST from "effect/SchemaAST"
import type { Role } from "./Role.ts"

/** Calls a function with each role in a value. */
type Visit = (value: unknown, found: (role: Role) => void) => void

/** The schemas whose values are roles. */
const roleSchemas = new Set(["Role", "DefaultLevel"])

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const visitsOf = (asts: ReadonlyArray<SchemaAST.AST>): Visit | undefined => {
  const all = asts.flatMap((ast) => visitOf(ast) ?? [])
  return all.length === 0
    ? undefined
    : (value, found) => {
        for (const visit of all) visit(value, found)
      }
}

const visitObject = (ast: SchemaAST.Objects): Visit | undefined => {
  const fields = ast.propertySignatures.flatMap(({ name, type }) => {
    const visit = visitOf(type)
    return visit === undefined ? [] : [[String(name), visit] as const]
  })
  const entries = visitsOf(ast.indexSignatures.map(({ type }) => type))
  if (fields.length === 0 && entries === undefined) return undefined
  return (value, found) => {
    if (!isObject(value)) return
    for (const [name, visit] of fields) visit(value[name], found)
    if (entries !== undefined) for (const entry of Object.values(value)) entries(entry, found)
  }
}

const visitArray = (ast: SchemaAST.Arrays): Visit | undefined => {
  const items = visitsOf([...ast.elements, ...ast.rest])
  return (
    items &&
    ((value, found) => {
      if (Array.isArray(value)) for (const item of value) items(item, found)
    })
  )
}

const makeVisit = (ast: SchemaAST.AST): Visit | undefined => {
  if (roleSchemas.has(SchemaAST.resolveIdentifier(ast) ?? "")) {
    return (value, found) => {
      if (typeof value === "string" && value !== "inherit") found(value as Role)
    }
  }
  if (ast._tag === "Objects") return visitObject(ast)
  if (ast._tag === "Arrays") return visitArray(ast)
  if (ast._tag === "Union") return visitsOf(ast.types)
  return ast._tag === "Suspend" ? visitOf(ast.thunk()) : undefined
}

/** The visits of schemas. Many schemas contain the same ones. */
const visits = new WeakMap<SchemaAST.AST, { readonly visit: Visit | undefined }>()

/** A recursive schema is visited once: none contains roles below itself. */
const visitOf = (ast: SchemaAST.AST): Visit | undefined => {
  const known = visits.get(ast)
  if (known !== undefined) return known.visit
  visits.set(ast, { visit: undefined })
  const visit = makeVisit(ast)
  visits.set(ast, { visit })
  return visit
}

/**
 * Returns a function that lists the roles in a decoded value of a schema, anywhere in it; undefined for a schema without roles. An operation
 * can thus check all roles that its input grants.
 */
export const givenRolesOf = (schema: {
  readonly ast: SchemaAST.AST
}): ((value: unknown) => ReadonlyArray<Role>) | undefined => {
  const visit = visitOf(SchemaAST.toType(schema.ast))
  if (visit === undefined) return undefined
  return (value) => {
    const roles: Array<Role> = []
    visit(value, (role) => roles.push(role))
    return roles
  }
}
