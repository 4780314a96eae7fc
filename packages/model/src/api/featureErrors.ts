/** Declarations of the errors of features of hosts, for their endpoints, clients and the OpenAPI document. */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { FeatureError, type FeatureErrorStatus } from "../errors/FeatureError.ts"
import { requireFeatureName } from "../roles/featureActions.ts"
import type { Failure } from "./shared/declaredErrors.ts"

/** An error of a feature: its HTTP status, and when it occurs. */
export interface ErrorDeclaration {
  /** The HTTP status of the response. */
  readonly status: FeatureErrorStatus
  /** When the error occurs, for the OpenAPI document. */
  readonly description: string
}

/** A `FeatureError` with its reason. */
export type FeatureErrorOf<Reason extends string> = FeatureError & { readonly reason: Reason }

/** An error that a feature has declared. */
export interface DeclaredError<Reason extends string> {
  /** Creates the error. `message` is one sentence that a person can act on, safe to show to the caller. */
  readonly make: (message: string) => FeatureErrorOf<Reason>
  /** The reason of the error, as in `labels.NameTaken`. */
  readonly reason: Reason
  /** Whether a caught value is this error. */
  readonly is: (value: unknown) => value is FeatureErrorOf<Reason>
  /** The declaration for the `error` of endpoints. */
  readonly schema: Failure<FeatureErrorOf<Reason>>
}

/** The errors of a feature by their names. */
export type DeclaredErrors<Feature extends string, Names extends string> = {
  readonly [Name in Names]: DeclaredError<`${Feature}.${Name}`>
}

const declare = <Reason extends string>(
  reason: Reason,
  { status, description }: ErrorDeclaration
): DeclaredError<Reason> => {
  const is = (value: unknown): value is FeatureErrorOf<Reason> =>
    value instanceof FeatureError && value.reason === reason
  const identifier = reason.replaceAll(/(?:^|\.)[a-z]/g, (start) => start.toUpperCase()).replaceAll(".", "")
  const schema = Schema.Struct({
    error: Schema.Struct({
      code: Schema.Literal(status).annotate({ description: "The HTTP status." }),
      reason: Schema.Literal(reason).annotate({ description: "The reason of the error for programs." }),
      message: Schema.String.annotate({ description: "A description of the error for people." })
    }).annotate({ description: "The error." })
  })
    .annotate({
      identifier: `${identifier}Error`,
      description: `The body of a response with the error \`${reason}\`.`
    })
    .pipe(
      Schema.decodeTo(
        FeatureError,
        SchemaTransformation.transform({
          decode: ({ error: { message } }) => ({
            _tag: "FeatureError" as const,
            reason: reason as string,
            status,
            message
          }),
          encode: ({ message }) => ({ error: { code: status, reason, message } })
        })
      )
    )
    .annotate({ identifier: undefined, description, httpApiStatus: status })
  return {
    make: (message) => new FeatureError({ reason, status, message }) as FeatureErrorOf<Reason>,
    reason,
    is,
    // The transformation sets the reason.
    schema: schema as unknown as Failure<FeatureErrorOf<Reason>>
  }
}

/**
 * Declares the errors of a feature: each has a name, an HTTP status and a description. Operations fail with `make`, endpoints list
 * `schema` among their errors, and clients recognize an error with `is`. Throws a `TypeError` if a name has other characters than
 * letters and digits.
 *
 * @example
 * const labelErrors = defineErrors("labels", {
 *   NameTaken: { status: 409, description: "Another label of the space has this name." }
 * })
 * labelErrors.NameTaken.reason // "labels.NameTaken"
 */
export const defineErrors = <const Feature extends string, const Names extends string>(
  feature: Feature,
  errors: Readonly<Record<Names, ErrorDeclaration>>
): DeclaredErrors<Feature, Names> =>
  Object.fromEntries(
    Object.entries<ErrorDeclaration>(errors).map(([name, error]) => [
      name,
      declare(`${requireFeatureName(feature)}.${requireFeatureName(name)}`, error)
    ])
  ) as unknown as DeclaredErrors<Feature, Names>
