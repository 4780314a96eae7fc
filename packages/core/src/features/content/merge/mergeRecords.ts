/** Three-way merge of a single record, field by field. */

import type { Json } from "@lectern/content"
import type { BlobHash, StorageUnavailable } from "@lectern/kernel"
import type { RecordKind } from "@lectern/kernel/tables"
import { mergeTextsInSteps, runInSteps } from "@lectern/markdown/merge"
import type { MergeConflict } from "@lectern/model/content"
import { Effect } from "effect"
import type { ContentStore } from "../ContentStore.ts"

type Fields = { readonly [field: string]: Json | undefined }

/** The three states of a record. A state is `undefined` if the record does not exist there. */
export interface Sides {
  readonly kind: RecordKind
  readonly id: string
  readonly base: Fields | undefined
  readonly primary: Fields | undefined
  readonly change: Fields | undefined
}

/** A merged record (`undefined` if it is deleted) and its conflicts. */
export interface MergedRecord {
  readonly value: Fields | undefined
  readonly conflicts: ReadonlyArray<MergeConflict>
}

/** Whether two values are equal. Map values have sorted keys, so that equal values have equal JSON. */
export const equal = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** Timestamps that every edit sets: the later one wins without a conflict. */
const timestampFields = new Set(["updatedAt"])

/** The location and the bytes of the source, which imports set: the values of the change, the later import, win. */
const sourceFields = new Set(["source", "git", "imported"])

/** Returns the parent and the position, which are merged as one value. */
const placeOf = ({ parent, position }: Fields): Json => ({ parent: parent ?? "", position: position ?? "" })

/** Returns the part of a conflict that names the record. */
export const subjectOf = ({ kind, id, base, primary, change }: Sides): Partial<MergeConflict> => {
  const record = base ?? primary ?? change ?? {}
  return { [kind]: { id, title: String(record.title ?? record.name ?? "") } }
}

/** Merges a record that both sides changed. */
export const mergeRecord = Effect.fnUntraced(function* (
  content: ContentStore["Service"],
  sides: Sides
): Effect.fn.Return<MergedRecord, StorageUnavailable> {
  const { base, primary, change } = sides
  const subject = subjectOf(sides)
  // Users do not edit the files of a repository that are not content.
  if (sides.kind === "source") return { value: change, conflicts: [] }
  if (equal(primary, change)) return { value: primary, conflicts: [] }
  if (primary === undefined || change === undefined) {
    const [byPrimary, byChange] = primary === undefined ? ["deleted", "edited"] : ["edited", "deleted"]
    // The surviving record stays in the tree, so that pages below it do not conflict as well.
    return {
      value: primary ?? change,
      conflicts: [{ kind: "deletion", ...subject, primary: byPrimary, change: byChange }]
    }
  }
  const was = base ?? {}
  const value: { [field: string]: Json | undefined } = { ...primary }
  const conflicts: Array<MergeConflict> = []

  const place = { base: placeOf(was), primary: placeOf(primary), change: placeOf(change) }
  if (!equal(place.base, place.change) && !equal(place.primary, place.change)) {
    if (equal(place.base, place.primary)) {
      value.parent = change.parent
      value.position = change.position
    } else if (primary.parent !== change.parent || was.parent === change.parent) {
      conflicts.push({ kind: "move", ...subject, ...place })
    }
    // Otherwise both sides moved it below the same new parent: the position of the primary side wins.
  }
  for (const field of new Set([...Object.keys(was), ...Object.keys(primary), ...Object.keys(change)])) {
    const [b, p, c] = [was[field], primary[field], change[field]]
    if (field === "parent" || field === "position" || equal(p, c) || equal(b, c)) continue
    if (equal(b, p)) value[field] = c
    else if (sourceFields.has(field)) value[field] = c
    else if (timestampFields.has(field)) value[field] = String(p) > String(c) ? p : c
    else if (field === "body") {
      const [baseText, primaryText, changeText] = yield* Effect.forEach([b, p, c], (hash) =>
        textAt(content, hash)
      )
      const text = yield* runInSteps(mergeTextsInSteps(baseText!, primaryText!, changeText!))
      if (text._tag === "Merged") value.body = yield* content.putText(text.text, p as BlobHash | undefined)
      else conflicts.push({ kind: "body", ...subject, regions: text.regions })
    } else {
      conflicts.push({
        kind: "field",
        ...subject,
        field,
        base: b ?? null,
        primary: p ?? null,
        change: c ?? null
      })
    }
  }
  return { value, conflicts }
})

const textAt = (content: ContentStore["Service"], hash: Json | undefined) =>
  hash === undefined ? Effect.succeed("") : content.texts.get(hash as BlobHash)
