/** The events of a doctor run: progress, findings and the summary. */

/** A violated check. */
export interface Finding {
  /** The name of the check. */
  readonly check: string
  /** `damage` is corrupted data. `notice` is consistent data that an operator should look at. */
  readonly severity: "damage" | "notice"
  /** The table of the row. */
  readonly table: string
  /** The key of the row. The columns of a composite key are joined by slashes. */
  readonly row: string
  /** What is wrong, as a predicate about the row. */
  readonly message: string
  /** Whether a repair is possible. Repairs rebuild derived data and never change what users wrote. */
  readonly isRepairable: boolean
  /** Whether this run has repaired it, confirmed by a second check. */
  readonly isRepaired: boolean
}

/** The progress of a scan: rows checked so far, and rows in the table when the scan started. */
export interface Progress {
  readonly what: string
  readonly done: number
  readonly total: number
}

/** The result of a run. */
export interface Summary {
  readonly rows: number
  /** The number of findings with the severity `damage`. */
  readonly damage: number
  /** How many of them this run has repaired. */
  readonly repaired: number
  /** How many of the remaining ones a repair would fix. */
  readonly repairable: number
  readonly notices: number
  /** The number of blobs. */
  readonly blobs: number
  /** How many blobs are unreachable. The daily garbage collection deletes them after one day. */
  readonly unreached: number
}

/** An event of a doctor run. */
export type Event =
  | { readonly _tag: "Progress"; readonly progress: Progress }
  | { readonly _tag: "Found"; readonly finding: Finding }
  | { readonly _tag: "Done"; readonly summary: Summary }
