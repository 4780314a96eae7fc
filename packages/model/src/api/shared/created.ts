/** Responses to requests that have created a resource. */
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import type * as Schema from "effect/Schema"

/** A schema whose response has the status 201. It keeps the name of the schema in declarations, which would write out its fields otherwise. */
export interface Created<S extends Schema.Top>
  extends Schema.Codec<S["Type"], S["Encoded"], S["DecodingServices"], S["EncodingServices"]> {}

/** Returns a schema whose response has the status 201. */
export const created = <S extends Schema.Top>(schema: S): Created<S> =>
  // The status changes nothing but the annotations of the schema.
  HttpApiSchema.status(201)(schema) as unknown as Created<S>
