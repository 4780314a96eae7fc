/** Reading the documents of a spec: JSON or YAML, of the versions 2.0, 3.0 and 3.1. */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { parse as parseYaml } from "yaml"
import { at, isObject } from "./openApiReferences.ts"

/** A document, read. */
export interface ParsedDocument {
  /** It as JSON. */
  readonly json: string
  /** Of the JSON. */
  readonly hash: string
  /** The other documents that it refers to, as it names them, without the places in them. */
  readonly files: ReadonlyArray<string>
}

/** The document is not what it has to be. */
export class NotASpec extends Error {}

/** Documents nest no deeper, so that going through them ends. */
const maximumNesting = 500

/** How often parts of a YAML document may be used again: more is made to hurt. */
const maximumAliases = 10_000

/** Whether a document is parsed as JSON: it begins with an object or a list, as no YAML of a spec does. */
export const isJsonText = (text: string): boolean => /^\s*[[{]/.test(text)

const read = (text: string): unknown => {
  if (isJsonText(text)) return JSON.parse(text)
  return parseYaml(text, { maxAliasCount: maximumAliases, logLevel: "silent" })
}

/** What is under these names is data of the API, and not of its description. */
const isData = (key: string): boolean =>
  ["example", "examples", "default", "enum", "const"].includes(key) || key.startsWith("x-")

/** All references of a document, each once. */
const referencesOf = (document: unknown): ReadonlySet<string> => {
  const found = new Set<string>()
  const walk = (value: unknown, depth: number): void => {
    if (depth > maximumNesting) throw new NotASpec("It is nested too deep.")
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

const checkSpec = (document: unknown): void => {
  if (!isObject(document)) throw new NotASpec("It is no object.")
  const { openapi, swagger, info } = document
  const isKnown = swagger === "2.0" || (typeof openapi === "string" && /^3\.[01]\.\d+(-.+)?$/.test(openapi))
  if (!isKnown) throw new NotASpec("It is of no version that is known: 2.0, 3.0 and 3.1 are.")
  if (!isObject(info) || typeof info.title !== "string") throw new NotASpec("It has no title.")
  const { paths, components, webhooks } = document
  const isEmpty = paths === undefined && components === undefined && webhooks === undefined
  if (isEmpty || (paths !== undefined && !isObject(paths))) throw new NotASpec("It has no paths.")
}

/**
 * Reads a document; the first of a spec has to be one by itself. Every place of its own that it refers to has to be
 * there. Throws whatever is wrong with it.
 */
export const parseDocument = (text: string, isFirst: boolean): ParsedDocument => {
  const document = read(text)
  if (isFirst) checkSpec(document)
  // A document with a circle in it, as YAML can have, has no JSON.
  const json = JSON.stringify(document)
  if (json === undefined) throw new NotASpec("It is empty.")
  const files = new Set<string>()
  for (const reference of referencesOf(document)) {
    const [file = "", pointer = ""] = reference.split("#", 2)
    if (file !== "") files.add(file)
    else if (pointer.startsWith("/") && at(document, pointer) === undefined) {
      throw new NotASpec(`It refers to ${reference.slice(0, 200)}, which is not there.`)
    }
  }
  return { json, hash: bytesToHex(sha256(utf8ToBytes(json))), files: [...files] }
}
