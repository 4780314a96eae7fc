/** What a doctor says: what is wrong, how far it is, and what came of it in the end. */

/** Something that is wrong. */
export interface Finding {
  /** The name of the check. */
  readonly check: string
  /** `notice` for what is no damage, and only good to know. */
  readonly severity: "damage" | "notice"
  /** The table of the row that it was seen at. */
  readonly table: string
  /** The key of that row; several columns have slashes between. */
  readonly row: string
  /** What is wrong with it, as the rest of a sentence. */
  readonly message: string
  /** Whether a repair puts it right. What people wrote is never touched. */
  readonly isRepairable: boolean
  /** Whether it was put right just now: it was looked at again. */
  readonly isRepaired: boolean
}

/** How far an examination is: how many rows of a table were looked at, of how many that there were at its beginning. */
export interface Progress {
  readonly what: string
  readonly done: number
  readonly total: number
}

/** What was looked at, and what came of it. */
export interface Summary {
  readonly rows: number
  /** How many findings were damage. */
  readonly damage: number
  /** How much of the damage was put right. */
  readonly repaired: number
  /** How much of the damage that is left a repair would put right. */
  readonly repairable: number
  readonly notices: number
  /** How many blobs there are, and how many of these nothing reaches: the daily sweep removes them after a day. */
  readonly blobs: number
  readonly unreached: number
}

/** What happens while a workspace is examined. */
export type Event =
  | { readonly _tag: "Progress"; readonly progress: Progress }
  | { readonly _tag: "Found"; readonly finding: Finding }
  | { readonly _tag: "Done"; readonly summary: Summary }
