<<<<<<< HEAD
/** Validates documents with the JSON schema of the public contract. */
=======
/** Validates documents by the schema of the public contract. */
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
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

<<<<<<< HEAD
/** Returns the validation errors of a document. */
=======
/** Returns the validation errors of a document; empty if it is valid. */
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
export const contractErrors = (document: unknown): ReadonlyArray<unknown> =>
  validate(document) ? [] : (validate.errors ?? [])
