/** The parameters of paths. */
import type * as Schema from "effect/Schema"

/** Parameters of a path, by their names. */
export type PathParams = { readonly [name: string]: Schema.Codec<string, string> }
