/**
 * Selects the fields of a resource that an input has too. The input of the target determines them, so that a field which is added to it
 * is copied without another change.
 */
import { fieldsOf } from "@lectern/model/schema"
import { Result, Schema } from "effect"
import type { Fields } from "./ApiClient.ts"

/** The fields for an input, and the problems of values that it does not accept. */
export interface TransferredFields {
  readonly values: Record<string, unknown>
  /** One sentence for each value that is not valid. */
  readonly problems: ReadonlyArray<string>
}

/** Returns the fields of `source` that the input declares, without the fields in `omit`. Values that are not valid are omitted. */
export const transferFields = (
  fields: Schema.Struct.Fields,
  source: Fields,
  omit: ReadonlyArray<string> = []
): TransferredFields => {
  const values: Record<string, unknown> = {}
  const problems: Array<string> = []
  for (const [name, schema] of Object.entries(fields)) {
    const value = source[name]
    if (value === undefined || omit.includes(name)) continue
    const single = Schema.Struct({ [name]: schema }) as unknown as Schema.Codec<Fields, Fields>
    const result = Schema.decodeUnknownResult(single)({ [name]: value })
    if (Result.isSuccess(result)) values[name] = result.success[name]
    else if (value !== null && value !== "") {
      const [field] = fieldsOf(result.failure.issue)
      problems.push(
        `The field \`${field?.path ?? name}\` was not copied: it ${field?.message ?? "is not valid"}.`
      )
    }
  }
  return { values, problems }
}
