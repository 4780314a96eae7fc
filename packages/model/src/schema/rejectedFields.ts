/** Fields of other contracts that an input does not have, although a client would rely on their effect. */
import type * as SchemaAST from "effect/SchemaAST"
import type { InvalidField } from "../errors/errors.ts"

/** A field that is rejected. Other unknown fields are ignored. */
export interface RejectedField {
  /** Why the field is rejected, and the alternative. */
  readonly message: string
  /** The values that are accepted, because they state what is the case. */
  readonly accepted?: ReadonlyArray<unknown>
}

/** Fields that are rejected, by their names. */
export type RejectedFields = Readonly<Record<string, RejectedField>>

/** The annotation of an input with fields that are rejected. */
const annotation = "rejectedFields"

/**
 * Annotates an input with fields that are rejected: a client that sends one believes that it protects something.
 *
 * @example
 * Schema.Struct({ label }).annotate(rejecting({ readOnly: { message: "cannot be changed" } }))
 */
export const rejecting = (fields: RejectedFields): { readonly [annotation]: RejectedFields } => ({
  [annotation]: fields
})

/** Returns the fields that an input rejects. */
export const rejectedFieldsOf = ({ annotations }: SchemaAST.AST): RejectedFields =>
  (annotations?.[annotation] as RejectedFields | undefined) ?? {}

/** Returns the errors of the fields of an input that are rejected. */
export const findRejected = (
  fields: RejectedFields,
  input: unknown,
  prefix: ReadonlyArray<string>
): ReadonlyArray<InvalidField> =>
  typeof input !== "object" || input === null
    ? []
    : Object.entries(fields).flatMap(([name, { message, accepted = [] }]) =>
        Object.hasOwn(input, name) && !accepted.includes(Reflect.get(input, name))
          ? [{ path: [...prefix, name].join("."), message }]
          : []
      )
