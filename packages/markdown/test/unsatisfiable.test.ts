/**
 * The parts of the public contract that no value satisfies: alternatives whose values always match another one too, and closed
 * alternatives of resources. `docs/contract.md` lists them.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { Ajv } from "ajv"
import { expect, it } from "vitest"

type Json = { readonly [name: string]: unknown }

const require = createRequire(import.meta.url)
const { components } = JSON.parse(
  readFileSync(require.resolve("@gitbook/api").replace(/dist.*$/, "spec/openapi.json"), "utf8")
) as { readonly components: { readonly schemas: Readonly<Record<string, Json>> } }

const ajv = new Ajv({ strict: false, validateFormats: false, discriminator: false })
ajv.addSchema({ $id: "contract", components })

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const nameOf = (schema: Json): string | undefined =>
  typeof schema.$ref === "string" ? schema.$ref.split("/").at(-1) : undefined

const resolve = (schema: Json): Json => {
  const name = nameOf(schema)
  return name === undefined ? schema : resolve(components.schemas[name]!)
}

const alternativesOf = (schema: Json): ReadonlyArray<Json> =>
  ((schema.oneOf ?? schema.anyOf ?? []) as ReadonlyArray<Json>).filter(isJson)

/** Values of a schema: with its required properties only, and with all of them. At most a few for each alternative. */
const samplesOf = (given: Json, depth: number): ReadonlyArray<unknown> => {
  const schema = resolve(given)
  if (depth > 7) return []
  if (Array.isArray(schema.enum)) return schema.enum.slice(0, 1)
  const alternatives = alternativesOf(schema)
  if (alternatives.length > 0) return alternatives.flatMap((one) => samplesOf(one, depth + 1).slice(0, 2))
  if (Array.isArray(schema.allOf)) {
    const parts = (schema.allOf as ReadonlyArray<Json>).map((part) => samplesOf(part, depth + 1))
    const [first = [], ...rest] = parts
    return rest.reduce<ReadonlyArray<unknown>>(
      (all, more) =>
        all
          .flatMap((one) =>
            more.map((other) => (isJson(one) && isJson(other) ? { ...one, ...other } : other))
          )
          .slice(0, 12),
      first
    )
  }
  if (schema.type === "string") return ["a"]
  if (schema.type === "number" || schema.type === "integer") return [1]
  if (schema.type === "boolean") return [true]
  if (schema.type === "array") {
    const items = isJson(schema.items) ? samplesOf(schema.items, depth + 1).slice(0, 1) : []
    return schema.minItems === undefined ? [[], items] : [items]
  }
  const properties = isJson(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required.map(String) : []
  const valuesOf = (names: ReadonlyArray<string>) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const property = properties[name]
        const [sample] = isJson(property) ? samplesOf(property, depth + 1) : []
        return sample === undefined ? [] : [[name, sample]]
      })
    )
  return [valuesOf(required), valuesOf(Object.keys(properties))]
}

const validators = new Map<string, ReturnType<typeof ajv.compile>>()

const isValid = (schema: Json, value: unknown): boolean => {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"contract#/components/')
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text) as Json)
  validators.set(text, validate)
  return validate(value) === true
}

/** The alternatives of a union and of the unions in it, by their names. */
const leavesOf = (
  schema: Json,
  path: ReadonlyArray<string> = []
): ReadonlyArray<readonly [label: string, schema: Json]> =>
  path.length > 3
    ? []
    : alternativesOf(resolve(schema)).flatMap((alternative, index) => {
        const label = [...path, nameOf(alternative) ?? String(alternative.title ?? alternative.type ?? index)]
        const inner = Array.isArray(resolve(alternative).oneOf) ? leavesOf(alternative, label) : []
        return inner.length > 0 ? inner : [[label.join("/"), alternative] as const]
      })

/** The alternatives of a schema of which no sample is valid, because each matches another alternative too. */
const impossibleIn = (schema: Json): ReadonlyArray<string> =>
  leavesOf(schema).flatMap(([label, alternative]) => {
    const own = samplesOf(alternative, 0).filter((sample) => isValid(alternative, sample))
    return own.length === 0 || own.some((sample) => isValid(schema, sample)) ? [] : [label]
  })

/** The `oneOf` in a schema, with their paths. References to other schemas are not followed. */
const unionsIn = (value: unknown, path: string): ReadonlyArray<readonly [path: string, schema: Json]> => {
  if (Array.isArray(value)) return value.flatMap((item, index) => unionsIn(item, `${path}.${index}`))
  if (!isJson(value)) return []
  const own = Array.isArray(value.oneOf) ? [[path, value] as const] : []
  const skipped = new Set(["properties", "items", "additionalProperties", "oneOf", "allOf"])
  const inner = Object.entries(value).flatMap(([name, field]) =>
    unionsIn(field, skipped.has(name) ? path : `${path}.${name}`)
  )
  return [...own, ...inner]
}

/** The names of the schemas that are parts of others by `allOf`. */
const partsIn = (value: unknown): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return []
  const own = isJson(value) && Array.isArray(value.allOf) ? (value.allOf as ReadonlyArray<Json>) : []
  return [...own.flatMap((part) => nameOf(part) ?? []), ...Object.values(value).flatMap(partsIn)]
}

const parts = new Set(partsIn(components))

/** The schemas that are parts of a resource with required properties, and have an alternative that permits none. */
const closed = Object.entries(components.schemas).filter(
  ([name, schema]) =>
    parts.has(name) &&
    alternativesOf(schema).some(
      (one) =>
        one.additionalProperties === false &&
        isJson(one.properties) &&
        Object.keys(one.properties).length === 0
    )
)

it("docs/contract.md lists the schemas that no value satisfies, with reasons", () => {
  const unions = Object.entries(components.schemas)
    .filter(([name]) => /^(Document|PlainObject|ContentRef)/.test(name))
    .flatMap(([name, schema]) => unionsIn(schema, name))
  const found = [
    ...unions.flatMap(([path, schema]) =>
      impossibleIn(schema).map((alternative) => `${path}: ${alternative}`)
    ),
    ...closed.map(([name]) => `${name}: Empty`)
  ].sort()
  const documentation = readFileSync(new URL("../../../docs/contract.md", import.meta.url), "utf8")
  const [, section = ""] = documentation.split("## Schemas that no value satisfies")
  const listed = [...section.split("\n## ", 1)[0]!.matchAll(/^\| `([^`]+)` \|/gm)]
    .map(([, path]) => path!)
    .sort()
  expect(listed).toEqual(found)
})
