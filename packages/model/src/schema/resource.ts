/** Named types of resources and inputs. */
import type * as Schema from "effect/Schema"

/** The schema of a resource: a class that exists as a type and a schema, and is never constructed. */
export interface Resource<Self, Fields extends Schema.Struct.Fields>
  extends Schema.Opaque<Self, Schema.Struct<Fields>, unknown> {
  /** The schemas of its properties, to build others from. */
  readonly fields: Fields
}

/**
 * Declares the schema of a resource as a class, so that its type has a name in editors and in declarations. Values are
 * plain objects.
 *
 * @example
 * class Space extends resource<Space>()(Schema.Struct({ id: SpaceId, title: Schema.String })) {}
 */
export const resource =
  <Self>() =>
  <const Fields extends Schema.Struct.Fields>(schema: Schema.Struct<Fields>): Resource<Self, Fields> =>
    schema as unknown as Resource<Self, Fields>
