/** Decodes inputs of clients, whose size and content are arbitrary, in bounded time. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { InvalidField } from "../errors/errors.ts"
import { makeListBounds } from "./listBounds.ts"
import { findRejected, rejectedFieldsOf } from "./rejectedFields.ts"
import { fieldsOf } from "./schemaIssues.ts"

/** Decodes an input, or returns its invalid fields, at most 100. */
export type InputDecoder = (input: unknown) => Result.Result<unknown, ReadonlyArray<InvalidField>>

/** The maximum number of values in an input whose invalid fields are all reported. */
const maximumExaminedValues = 2_000

/** Whether an input consists of more values than `maximum`. It visits at most that many. */
const hasMoreValues = (input: unknown, maximum: number): boolean => {
  const pending: Array<unknown> = [input]
  let count = 0
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value !== "object" || value === null) continue
    if (Array.isArray(value)) {
      count += value.length
      if (count > maximum) return true
      for (const item of value) pending.push(item)
    } else {
      for (const name in value) {
        if (++count > maximum) return true
        pending.push((value as Readonly<Record<string, unknown>>)[name])
      }
    }
  }
  return false
}

/**
 * Creates the decoder of an input from its schema. The paths of invalid fields start with `prefix`.
 *
 * All invalid fields of an input of up to 2,000 values are reported. A larger input is examined in the order of cost:
 * first the lengths of its lists, and every list that is too long is reported; then its items, and the first invalid one
 * is reported. An input of any size is therefore decoded in linear time, and its errors are short.
 */
export const makeSchemaDecoder = (schema: Schema.Top, prefix: ReadonlyArray<string> = []): InputDecoder => {
  const codec = schema as Schema.Codec<unknown, unknown>
  const decodeAll = Schema.decodeUnknownResult(codec, { errors: "all" })
  const decodeFirst = Schema.decodeUnknownResult(codec, { errors: "first" })
  const rejected = rejectedFieldsOf(schema.ast)
  let listBounds: ReturnType<typeof makeListBounds> | undefined

  return (input) => {
    const isLarge = hasMoreValues(input, maximumExaminedValues)
    if (isLarge) {
      listBounds ??= makeListBounds(schema.ast)
      const oversized = listBounds(input)
      if (oversized.length > 0) {
        return Result.fail(
          oversized.map(({ path, message }) => ({
            path: [...prefix, ...(path === "" ? [] : [path])].join("."),
            message
          }))
        )
      }
    }
    const decoded = Result.mapError((isLarge ? decodeFirst : decodeAll)(input), ({ issue }) =>
      fieldsOf(issue, prefix)
    )
    const found = findRejected(rejected, input, prefix)
    if (found.length === 0) return decoded
    return Result.fail(Result.isFailure(decoded) ? [...decoded.failure, ...found] : found)
  }
}
