/** The status and the times of saving. */
import type { BackendFailure } from "../EditorBackend.ts"

/** Where the text of the editor is. `isStored` is whether the browser has stored the text. */
export type SaveStatus =
  | { readonly _tag: "Saved" }
  | { readonly _tag: "Changed"; readonly isStored: boolean }
  | { readonly _tag: "Saving"; readonly isStored: boolean }
  | { readonly _tag: "Conflict"; readonly isStored: boolean; readonly count: number }
  | {
      readonly _tag: "Failed"
      readonly isStored: boolean
      readonly reason: BackendFailure["reason"]
      readonly message: string
      /** The block that the server did not accept, if it is known: its index in the document, from 0, and its type. */
      readonly block?: { readonly index: number; readonly type: string }
    }

/** The times of saving, in milliseconds. */
export interface SaveTimes {
  /** The rest after the last change, until the server saves it. 3,000 by default. */
  readonly rest: number
  /** The longest time that a change waits. 15,000 by default. */
  readonly longest: number
  /** The rest until the browser stores a draft. 150 by default. */
  readonly draft: number
}

/** The default times of saving. */
export const defaultTimes: SaveTimes = { rest: 3_000, longest: 15_000, draft: 150 }
