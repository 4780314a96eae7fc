/** Attacks on the body of every operation of the API, derived from its schema: the most keys and values in each place that accepts some. */
import { addressOf, operations } from "@lectern/harness/operations"
import { encodedOf, type JsonBounds, jsonBoundsOf } from "@lectern/model/schema"
import type { SchemaAST } from "effect"
import { type Attack, fillWith, maximumBytes } from "../Attack.ts"
import type { HostileRequest, Scene } from "../scene.ts"

/** A place in a body: the JSON before and after the value there. */
interface Place {
  readonly before: string
  readonly after: string
}

/** The maximum number of places of one operation; documents have very many that are alike. */
const maximumPlaces = 12

/** The CPU time of one request, in milliseconds, on the machine that the budgets are stated for. */
const maximumCpuMs = 100

const shortKey = (index: number): string => index.toString(36)

/** The fields with one permitted value, which select the member of a union, as JSON. */
const literalsOf = (ast: SchemaAST.Objects, without: string): string =>
  ast.propertySignatures
    .flatMap(({ name, type }) => {
      const field = encodedOf(type)
      return field._tag === "Literal" && name !== without
        ? [`${JSON.stringify(name)}:${JSON.stringify(field.literal)},`]
        : []
    })
    .join("")

/** Lists the places of a schema: unknown fields of each object, entries of each map and list, and values of any kind. */
const placesOf = (schema: SchemaAST.AST): ReadonlyArray<Place> => {
  const places: Array<Place> = []
  const seen = new Set<SchemaAST.AST>()
  const visit = (given: SchemaAST.AST, before: string, after: string): void => {
    const ast = encodedOf(given)
    if (seen.has(ast) || places.length >= maximumPlaces) return
    seen.add(ast)
    switch (ast._tag) {
      case "Objects":
        places.push({ before: `${before}{${literalsOf(ast, "")}`, after: `}${after}` })
        for (const { name, type } of ast.propertySignatures) {
          visit(type, `${before}{${literalsOf(ast, String(name))}${JSON.stringify(name)}:`, `}${after}`)
        }
        for (const { type } of ast.indexSignatures) visit(type, `${before}{"key":`, `}${after}`)
        break
      case "Arrays":
        places.push({ before: `${before}[`, after: `]${after}` })
        for (const item of [...ast.elements, ...ast.rest]) visit(item, `${before}[`, `]${after}`)
        break
      case "Union":
        for (const type of ast.types) visit(type, before, after)
        break
      case "Suspend":
        visit(ast.thunk(), before, after)
        break
      case "Unknown":
      case "Any":
        places.push({ before: `${before}{`, after: `}${after}` })
        break
    }
  }
  visit(schema, "", "")
  return places
}

/** The largest bodies that the scan before the parser accepts, in every place of a schema. */
const largestBodies = (ast: SchemaAST.AST, { keys, values }: JsonBounds): ReadonlyArray<string> =>
  placesOf(ast).map(({ before, after }) => {
    const fits = (count: number) => Math.min(count, Math.floor(maximumBytes / 8))
    const entries = before.endsWith("[")
      ? Array(fits(values - 100))
          .fill("{}")
          .join(",")
      : Array.from({ length: fits(keys - 20) }, (_, i) => `"${shortKey(i)}":1`).join(",")
    return before + entries + after
  })

/** Divides bodies so that the ones of an attack have at most 1 MB together. */
const inAttacks = (bodies: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const groups: Array<Array<string>> = []
  let size = Number.POSITIVE_INFINITY
  for (const body of bodies) {
    size += body.length
    if (size > maximumBytes) {
      groups.push([])
      size = body.length
    }
    groups.at(-1)!.push(body)
  }
  return groups
}

const tooMany = (): string => `{${fillWith((i) => `"${shortKey(i)}":1`, ",")}}`

/** The attacks on all operations. */
export const operationAttacks: ReadonlyArray<Attack> = operations.flatMap((operation) => {
  const schema = operation.endpoint.payload.get("application/json")?.schemas[0]
  if (schema === undefined) return []
  const requestOf = (scene: Scene, body: string): HostileRequest => ({
    method: operation.method,
    path: addressOf(operation, {
      // Bodies are decoded before a resource is read.
      ...Object.fromEntries([...operation.path.matchAll(/:(\w+)/g)].map(([, name]) => [name!, "x"])),
      organizationId: scene.organization.slice("/v1/orgs/".length),
      spaceId: scene.space.slice("/v1/spaces/".length),
      siteId: scene.site.slice(scene.site.lastIndexOf("/") + 1)
    }),
    body
  })
  const attackOf = (name: string, bodies: ReadonlyArray<string>): Attack => ({
    parser: "operation",
    name: `${operation.id}: ${name}`,
    costs: { cpuMs: maximumCpuMs * bodies.length },
    prepare: (scene) => ({ requests: bodies.map((body) => requestOf(scene, body)) })
  })
  return [
    attackOf("950 kB of unknown keys", [tooMany()]),
    ...inAttacks(largestBodies(schema.ast, jsonBoundsOf(schema))).map((bodies) =>
      attackOf(`the largest values in ${bodies.length} places`, bodies)
    )
  ]
})
