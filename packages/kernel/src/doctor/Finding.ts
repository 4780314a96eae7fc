/** The events of a doctor run: progress, findings and the summary. */

/** A violated check. */
export interface Finding {
  /** The name of the check. */
  readonly check: string
  /** `damage` is corrupted data. `notice` is consistent data that an operator should review. */
  readonly severity: "damage" | "notice"
  /** The table of the row. */
  readonly table: string
  /** The key of the row. The columns of a composite key are joined by slashes. */
  readonly row: string
  /** The problem, as a predicate about the row: "counts 3 open comments; there are 2". */
  readonly message: string
  /** Whether a repair is possible. Repairs rebuild derived data and never change what users wrote. */
  readonly isRepairable: boolean
  /** Whether this run has repaired it, confirmed by a second check. */
  readonly isRepaired: boolean
}

/** The progress of a scan. */
export interface Progress {
  /** The name of the scan. */
  readonly what: string
  /** The number of rows checked so far. */
  readonly done: number
  /** The number of rows in the table when the scan started. */
  readonly total: number
}

/** The result of a run. */
export interface Summary {
  /** The number of rows that were checked. */
  readonly rows: number
  /** The number of findings with the severity `damage`. */
  readonly damage: number
  /** The number of them that this run has repaired. */
  readonly repaired: number
  /** The number of the remaining ones that a repair would fix. */
  readonly repairable: number
  /** The number of findings with the severity `notice`. */
  readonly notices: number
  /** The number of blobs. */
  readonly blobs: number
  /** The number of unreachable blobs. The daily garbage collection deletes them after one day. */
  readonly unreached: number
}

/** An event of a doctor run. */
export type Event =
  | { readonly _tag: "Progress"; readonly progress: Progress }
  | { readonly _tag: "Found"; readonly finding: Finding }
  | { readonly _tag: "Done"; readonly summary: Summary }
