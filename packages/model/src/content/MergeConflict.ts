/** Merge conflicts: changes of the primary content and of a change request that contradict each other. */

import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"

/**
 * The kind of a conflict.
 *
 * - `field`: both sides set the same field to different values.
 * - `body`: both sides changed the same lines, which `regions` contains.
 * - `deletion`: one side changed a page, a file or a reusable content that the other deleted.
 * - `move`: both sides moved the page to different places.
 * - `parent`: one side placed the page below a page that the other deleted.
 * - `cycle`: the moves of both sides together place pages below each other.
 * - `depth`: the moves of both sides together nest pages too deep, starting at `page`.
 */
export const ConflictKind = Schema.Literals(["field", "body", "deletion", "move", "parent", "cycle", "depth"])
/** The kind of a conflict. */
export type ConflictKind = typeof ConflictKind.Type

const Lines = Schema.Array(Schema.String)

/** Lines of a body that both sides changed. */
export class Region extends resource<Region>()(
  Schema.Struct({
    /** The line of the base that the region begins at, counted from 1. */
    line: Schema.Int,
    /** The name of the tag of the innermost block around the lines, such as `hint`. Absent outside of blocks with tags. */
    block: Schema.optionalKey(Schema.String),
    /** The lines before the changes. */
    base: Lines,
    /** The lines of the primary content. */
    primary: Lines,
    /** The lines of the change request. */
    change: Lines
  })
) {}

class Named extends resource<Named>()(
  Schema.Struct({
    /** The id. */
    id: Schema.String,
    /** The title of a page or a reusable content, or the name of a file. */
    title: Schema.String
  })
) {}

/** A conflict between the primary content and a change request. */
export class MergeConflict extends resource<MergeConflict>()(
  Schema.Struct({
    /** The kind of the conflict. */
    kind: ConflictKind,
    /** The page that the conflict is in. Absent for conflicts in files and reusable contents. */
    page: Schema.optionalKey(Named),
    /** The file that the conflict is in. Absent for other conflicts. */
    file: Schema.optionalKey(Named),
    /** The reusable content that the conflict is in. Absent for other conflicts. */
    reusableContent: Schema.optionalKey(Named),
    /** The name of the field. Present for conflicts of the kind `field`. */
    field: Schema.optionalKey(Schema.String),
    /** The value of the field, or the place of the page, before the changes; a field without value is null. */
    base: Schema.optionalKey(Schema.Unknown),
    /** The primary side: the value of the field, the place of the page, `edited` or `deleted`. */
    primary: Schema.optionalKey(Schema.Unknown),
    /** The side of the change request: the value of the field, the place of the page, `edited` or `deleted`. */
    change: Schema.optionalKey(Schema.Unknown),
    /** The lines that both sides changed. Present for conflicts of the kind `body`. */
    regions: Schema.optionalKey(Schema.Array(Region)),
    /** The pages of the cycle. Present for conflicts of the kind `cycle`. */
    pages: Schema.optionalKey(Schema.Array(Named))
  }).annotate({
    identifier: "Conflict",
    description: "A conflict between the primary content and a change request."
  })
) {}
