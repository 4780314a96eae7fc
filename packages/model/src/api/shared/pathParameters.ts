/** The parameters of paths. */
import type { Schema } from "effect"

/** Parameters of a path, by their names. */
export type PathParams = { readonly [name: string]: Schema.Codec<string, string> }
