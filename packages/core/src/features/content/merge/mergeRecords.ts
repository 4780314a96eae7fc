/** Three-way merge of a single record, field by field. */
import { Effect } from "effect"
import type { BlobHash, StorageUnavailable } from "../../../kernel/storage/index.ts"
import type { RecordKind } from "../../../model/content/ContentRecord.ts"
import type { MergeConflict } from "../../../model/content/MergeConflict.ts"
import type { ContentStore } from "../ContentStore.ts"
import type { Json } from "../MerkleNode.ts"
import { mergeTexts } from "./text.ts"

type Fields = { readonly [field: string]: Json | undefined }

/** The three states of a record; `undefined` where it is not there. */
export interface Sides {
  readonly kind: RecordKind
  readonly id: string
  readonly base: Fields | undefined
  readonly primary: Fields | undefined
  readonly change: Fields | undefined
}

/** A merged record (`undefined` where it is deleted), with what collides in it. */
export interface MergedRecord {
  readonly value: Fields | undefined
  readonly conflicts: ReadonlyArray<MergeConflict>
}

/** Whether two values are equal: those of a map are written with their keys in order. */
export const equal = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** Fields that both sides move on without saying anything by it: the later one holds. */
const moments = new Set(["updatedAt"])

/** A parent and a position are one place. */
const placeOf = ({ parent, position }: Fields): Json => ({ parent: parent ?? "", position: position ?? "" })

/** What a conflict is about. */
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
  if (equal(primary, change)) return { value: primary, conflicts: [] }
  if (primary === undefined || change === undefined) {
    const [mine, its] = primary === undefined ? ["deleted", "edited"] : ["edited", "deleted"]
    // What is left stays for the tree to be looked at: what stands below it is not in the way as well.
    return {
      value: primary ?? change,
      conflicts: [{ kind: "deletion", ...subject, primary: mine, change: its }]
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
    // Else both put it below the same page, which it was not below: where exactly, the primary side says.
  }
  for (const field of new Set([...Object.keys(was), ...Object.keys(primary), ...Object.keys(change)])) {
    const [b, p, c] = [was[field], primary[field], change[field]]
    if (field === "parent" || field === "position" || equal(p, c) || equal(b, c)) continue
    if (equal(b, p)) value[field] = c
    else if (moments.has(field)) value[field] = String(p) > String(c) ? p : c
    else if (field === "body") {
      const [before, mine, its] = yield* Effect.forEach([b, p, c], (hash) => textAt(content, hash))
      const text = mergeTexts(before!, mine!, its!)
      if (text._tag === "Merged") value.body = yield* content.putText(text.text)
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
