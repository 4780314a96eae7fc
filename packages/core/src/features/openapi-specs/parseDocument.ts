/** Parses the documents of a spec: JSON or YAML, OpenAPI 2.0, 3.0 and 3.1. */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Lexer, parse as parseYaml } from "yaml"
import { isObject, valueAt } from "./openApiReferences.ts"

/** A parsed document. */
export interface ParsedDocument {
  /** The document as JSON. */
  readonly json: string
  /** The SHA-256 digest of the JSON. */
  readonly hash: string
  /** The other documents that it references, without fragments. */
  readonly files: ReadonlyArray<string>
}

/** The error of a document that is not a valid OpenAPI document. */
export class NotASpec extends Error {}

/** The maximum nesting depth of a document. */
const maximumNesting = 500

/** The maximum number of aliases in a YAML document, against adversarial input. */
const maximumAliases = 10_000

/** Whether a document is parsed as JSON: it begins with `{` or `[`. The YAML of a spec never does. */
export const isJsonText = (text: string): boolean => /^\s*[[{]/.test(text)

const tooDeep = () => new NotASpec(`The document is nested deeper than ${maximumNesting} levels.`)

/**
 * Throws `NotASpec` if YAML is nested too deep in flow collections, or in block collections that begin on one line. The time
 * of the parser is quadratic in their depth. Other block collections are indented, so that the size of the document bounds
 * their depth.
 */
const checkYamlNesting = (text: string): void => {
  let flowDepth = 0
  let lineDepth = 0
  for (const token of new Lexer().lex(text)) {
    if (token === "[" || token === "{") flowDepth++
    else if (token === "]" || token === "}") flowDepth--
    else if (token === "-" || token === "?") lineDepth++
    else if (token === "\n" || token === "\r\n") lineDepth = 0
    if (flowDepth + lineDepth > maximumNesting) throw tooDeep()
  }
}

const parseText = (text: string): unknown => {
  if (isJsonText(text)) return JSON.parse(text)
  checkYamlNesting(text)
  // The parser compares each key with all others to find duplicates: 900 kB of keys take it a minute. The last one applies,
  // as in JSON.
  return parseYaml(text, { maxAliasCount: maximumAliases, logLevel: "silent", uniqueKeys: false })
}

/** Whether the value of a key is data, in which `$ref` is not a reference. */
const isData = (key: string): boolean =>
  ["example", "examples", "default", "enum", "const"].includes(key) || key.startsWith("x-")

/** Returns the references of a document without duplicates. Throws `NotASpec` if it is nested too deep. */
const referencesOf = (document: unknown): ReadonlySet<string> => {
  const found = new Set<string>()
  const walk = (value: unknown, depth: number): void => {
    if (depth > maximumNesting) throw tooDeep()
    if (Array.isArray(value)) {
      for (const item of value) walk(item, depth + 1)
      return
    }
    if (!isObject(value)) return
    if (typeof value.$ref === "string") found.add(value.$ref)
    for (const [key, inner] of Object.entries(value)) if (!isData(key)) walk(inner, depth + 1)
  }
  walk(document, 0)
  return found
}

/** Throws `NotASpec` unless the value is an OpenAPI document of version 2.0, 3.0 or 3.1. */
const checkSpec = (document: unknown): void => {
  if (!isObject(document)) throw new NotASpec("The document must be an object.")
  const { openapi, swagger, info } = document
  const isKnown = swagger === "2.0" || (typeof openapi === "string" && /^3\.[01]\.\d+(-.+)?$/.test(openapi))
  if (!isKnown) throw new NotASpec("The version of the document must be 2.0, 3.0 or 3.1.")
  if (!isObject(info) || typeof info.title !== "string")
    throw new NotASpec("The document must have `info.title`.")
  const { paths, components, webhooks } = document
  const isEmpty = paths === undefined && components === undefined && webhooks === undefined
  if (isEmpty || (paths !== undefined && !isObject(paths)))
    throw new NotASpec("The document must have `paths`, `components` or `webhooks`.")
}

/**
 * Parses a document. The first document of a spec must be a valid OpenAPI document, and every reference within a
 * document must resolve. Throws `NotASpec` or the error of the JSON or YAML parser otherwise.
 */
export const parseDocument = (text: string, isFirst: boolean): ParsedDocument => {
  const document = parseText(text)
  if (isFirst) checkSpec(document)
  // Throws for cycles, which YAML can have and JSON cannot represent.
  const json = JSON.stringify(document)
  if (json === undefined) throw new NotASpec("The document is empty.")
  const files = new Set<string>()
  for (const reference of referencesOf(document)) {
    const [file = "", pointer = ""] = reference.split("#", 2)
    if (file !== "") files.add(file)
    else if (pointer.startsWith("/") && valueAt(document, pointer) === undefined) {
      throw new NotASpec(`The reference ${reference.slice(0, 200)} does not resolve.`)
    }
  }
  return { json, hash: bytesToHex(sha256(utf8ToBytes(json))), files: [...files] }
}
