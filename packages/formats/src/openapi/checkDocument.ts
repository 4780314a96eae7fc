/** Checks documents of specs: required fields, references, operation ids and security schemes. */

import { isObject, type Json, methods, valueAt } from "@lectern/markdown/openapi"
import type { SpecProblemCode } from "@lectern/model/openapi-specs"
import type { Path } from "./jsonPositions.ts"
import { InvalidDocument, problemOf, type ValueProblem } from "./specProblems.ts"

/** The maximum nesting depth of a document. */
const maximumNesting = 500

/** The maximum length of a value in a message. */
const maximumQuoted = 200

/** Creates the error of a document that is nested too deep. */
export const nestedTooDeep = (): InvalidDocument =>
  new InvalidDocument([
    problemOf("NESTED_TOO_DEEP", `The document is nested deeper than ${maximumNesting} levels.`)
  ])

/** Throws the error of a document that is nested too deep if a depth exceeds the maximum. */
export const checkDepth = (depth: number): void => {
  if (depth > maximumNesting) throw nestedTooDeep()
}

const error = (code: SpecProblemCode, path: Path, message: string): ValueProblem => ({
  code,
  message,
  path,
  severity: "error"
})
const warning = (code: SpecProblemCode, path: Path, message: string): ValueProblem => ({
  code,
  message,
  path,
  severity: "warning"
})

/** Whether the value of a key is data, in which `$ref` is not a reference. */
const isData = (key: string): boolean =>
  ["example", "examples", "default", "enum", "const"].includes(key) || key.startsWith("x-")

/** A key on the way to a value. Paths share their ancestors, so that a walk of a large document allocates few. */
interface Step {
  readonly key: string
  readonly parent: Step | undefined
}

const pathOf = (step: Step | undefined): Path => {
  const path: Array<string> = []
  for (let at = step; at !== undefined; at = at.parent) path.push(at.key)
  return path.reverse()
}

/**
 * Returns the references of a document, each with the path of its first occurrence. Throws `InvalidDocument` if it is nested
 * too deep.
 */
const referencesOf = (document: unknown): ReadonlyMap<string, Path> => {
  const found = new Map<string, Path>()
  const walk = (value: unknown, step: Step | undefined, depth: number): void => {
    checkDepth(depth)
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        if (typeof value[i] === "object") walk(value[i], { key: String(i), parent: step }, depth + 1)
      }
      return
    }
    if (!isObject(value)) return
    const { $ref } = value
    if (typeof $ref === "string" && !found.has($ref)) found.set($ref, [...pathOf(step), "$ref"])
    for (const key in value) {
      const inner = value[key]
      if (typeof inner === "object" && inner !== null && !isData(key)) {
        walk(inner, { key, parent: step }, depth + 1)
      }
    }
  }
  walk(document, undefined, 0)
  return found
}

const remedy = 'Use `swagger: "2.0"`, or `openapi` with a version of 3.0 or 3.1 such as "3.1.0".'

const checkVersion = ({ openapi, swagger }: Json): ReadonlyArray<ValueProblem> => {
  if (swagger === "2.0" || (typeof openapi === "string" && /^3\.[01]\.\d+(-.+)?$/.test(openapi))) return []
  const [key, value] = openapi === undefined ? ["swagger", swagger] : ["openapi", openapi]
  const shown = (JSON.stringify(value) ?? "").slice(0, maximumQuoted)
  return [error("UNSUPPORTED_VERSION", [key], `The version ${shown} is not supported. ${remedy}`)]
}

const checkFields = ({ info, paths, components, webhooks }: Json): ReadonlyArray<ValueProblem> => [
  ...(isObject(info) && typeof info.title === "string"
    ? []
    : [error("MISSING_FIELD", ["info"], "The document must have the text `info.title`.")]),
  ...(isObject(info) && info.version === undefined
    ? [warning("MISSING_FIELD", ["info"], "`info.version` is missing. OpenAPI requires it.")]
    : []),
  ...(paths === undefined && components === undefined && webhooks === undefined
    ? [error("MISSING_FIELD", [], "The document must have `paths`, `components` or `webhooks`.")]
    : []),
  ...(paths === undefined || isObject(paths)
    ? []
    : [error("MISSING_FIELD", ["paths"], "`paths` must be an object.")])
]

/** The names of the security schemes that the document declares. */
const schemesOf = ({ components, securityDefinitions }: Json): ReadonlySet<string> => {
  const declared = isObject(components) ? components.securitySchemes : securityDefinitions
  return new Set(isObject(declared) ? Object.keys(declared) : [])
}

const checkSecurity = (requirements: unknown, schemes: ReadonlySet<string>, path: Path) =>
  (Array.isArray(requirements) ? requirements : []).flatMap((requirement, index) =>
    (isObject(requirement) ? Object.keys(requirement) : [])
      .filter((name) => !schemes.has(name))
      .map((name) =>
        warning(
          "UNKNOWN_SECURITY_SCHEME",
          [...path, String(index), name],
          `The security scheme "${name.slice(0, maximumQuoted)}" is not declared.`
        )
      )
  )

/** Checks what operations refer to by name. These problems are warnings. */
const checkOperations = (document: Json): ReadonlyArray<ValueProblem> => {
  const schemes = schemesOf(document)
  const ids = new Set<string>()
  const problems: Array<ValueProblem> = [...checkSecurity(document.security, schemes, ["security"])]
  for (const [path, item] of Object.entries(isObject(document.paths) ? document.paths : {})) {
    if (!isObject(item)) continue
    for (const method of methods) {
      const operation = item[method]
      if (!isObject(operation)) continue
      const at = ["paths", path, method]
      problems.push(...checkSecurity(operation.security, schemes, [...at, "security"]))
      const { operationId } = operation
      if (typeof operationId !== "string") continue
      if (ids.has(operationId)) {
        const shown = operationId.slice(0, maximumQuoted)
        const message = `Several operations have the \`operationId\` "${shown}".`
        problems.push(warning("DUPLICATE_OPERATION_ID", [...at, "operationId"], message))
      }
      ids.add(operationId)
    }
  }
  return problems
}

/** Checks the first document of a spec. */
const checkSpec = (document: unknown): ReadonlyArray<ValueProblem> => {
  if (!isObject(document)) return [error("NOT_OPENAPI", [], "The document must be an object.")]
  return document.openapi === undefined && document.swagger === undefined
    ? [error("NOT_OPENAPI", [], `The document has neither \`openapi\` nor \`swagger\`. ${remedy}`)]
    : [...checkVersion(document), ...checkFields(document), ...checkOperations(document)]
}

/** The result of {@link checkDocument}. */
export interface CheckedDocument {
  readonly problems: ReadonlyArray<ValueProblem>
  /** The other documents that it references, without fragments, each with the path of its first reference. */
  readonly files: ReadonlyMap<string, Path>
}

/**
 * Checks a document. The first document of a spec must be a valid OpenAPI document, and every reference within a
 * document must resolve. Throws `InvalidDocument` if it is nested too deep.
 */
export const checkDocument = (document: unknown, isFirst: boolean): CheckedDocument => {
  const problems: Array<ValueProblem> = isFirst ? [...checkSpec(document)] : []
  const files = new Map<string, Path>()
  for (const [reference, path] of referencesOf(document)) {
    const [file = "", pointer = ""] = reference.split("#", 2)
    if (file !== "") {
      if (!files.has(file)) files.set(file, path)
    } else if (pointer.startsWith("/") && valueAt(document, pointer) === undefined) {
      const shown = reference.slice(0, maximumQuoted)
      problems.push(error("REFERENCE_NOT_FOUND", path, `The reference "${shown}" does not resolve.`))
    }
  }
  return { problems, files }
}
