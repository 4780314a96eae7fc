/** What keeps two sides of a merge from being put together: said of a page or a file, by kind, with both sides. */
import { Schema } from "effect"

/**
 * - `field`: both changed the same field, and not to the same value.
 * - `body`: both changed the same lines; `regions` has them.
 * - `deletion`: one changed what the other deleted.
 * - `move`: both moved the page, to different places.
 * - `parent`: one put the page below one that the other deleted.
 * - `cycle`: the moves of both, taken together, put pages below each other.
 * - `depth`: what both put below each other, taken together, nests too deep, from `page` on.
 */
export const ConflictKind = Schema.Literals(["field", "body", "deletion", "move", "parent", "cycle", "depth"])
export type ConflictKind = typeof ConflictKind.Type

const Lines = Schema.Array(Schema.String)

/** Lines that both sides changed, from the `line` of the base on, counted from 1. */
const Region = Schema.Struct({ line: Schema.Int, base: Lines, primary: Lines, change: Lines })
export type Region = typeof Region.Type

const Named = Schema.Struct({ id: Schema.String, title: Schema.String })

/**
 * A conflict. `primary` and `change` say what each side made of it (of a field its value, else `edited`, `deleted`,
 * or where it was moved to), `base` what it was before.
 */
export const MergeConflict = Schema.Struct({
  kind: ConflictKind,
  page: Schema.optionalKey(Named),
  file: Schema.optionalKey(Named),
  reusableContent: Schema.optionalKey(Named),
  field: Schema.optionalKey(Schema.String),
  base: Schema.optionalKey(Schema.Unknown),
  primary: Schema.optionalKey(Schema.Unknown),
  change: Schema.optionalKey(Schema.Unknown),
  regions: Schema.optionalKey(Schema.Array(Region)),
  pages: Schema.optionalKey(Schema.Array(Named)).annotate({ description: "Of a cycle: the pages in it." })
}).annotate({
  identifier: "Conflict",
  description: "What keeps two sides of a merge from being put together."
})
export type MergeConflict = typeof MergeConflict.Type
