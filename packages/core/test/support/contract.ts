/** Validates documents with the JSON schema of the public contract. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { Ajv } from "ajv"

const require = createRequire(import.meta.url)
const contract = JSON.parse(
  readFileSync(require.resolve("@gitbook/api").replace(/dist.*$/, "spec/openapi.json"), "utf8")
) as { readonly components: { readonly schemas: Record<string, unknown> } }

const ajv = new Ajv({ strict: false, validateFormats: false })
ajv.addSchema({ $id: "contract", components: contract.components })
const validate = ajv.compile({ $ref: "contract#/components/schemas/JSONDocument" })

/** Returns the validation errors of a document. */
export const contractErrors = (document: unknown): ReadonlyArray<unknown> =>
  validate(document) ? [] : (validate.errors ?? [])
