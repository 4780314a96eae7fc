/** The changes that the connection of the browser has received, for tabs that were opened while it was. */
import type { AnnouncedChange } from "@lectern/client/fetch"

/** The maximum number of changes that are stored. A tab that missed more of them loads everything again. */
const maximumChanges = 300

/** The last changes of a stream. */
export class ChangeHistory {
  private changes: ReadonlyArray<AnnouncedChange> = []
  /** The position after which all changes are known; undefined if it is unknown. */
  private start: number | undefined

  constructor(start: string | undefined) {
    this.start = start === undefined ? undefined : Number(start)
  }

  /** Forgets the changes before an interruption in which some were lost. */
  interrupt(): void {
    this.changes = []
    this.start = undefined
  }

  /** Adds a change. */
  add(change: AnnouncedChange): void {
    this.changes = [...this.changes, change]
    // After an interruption, what follows the first change is known again.
    this.start ??= Number(change.cursor)
    const removed = this.changes.slice(0, -maximumChanges)
    if (removed.length === 0) return
    this.start = Number(removed.at(-1)!.cursor)
    this.changes = this.changes.slice(-maximumChanges)
  }

  /** Returns the changes after a position; `undefined` if some of them are not known. */
  since(position: string | undefined): ReadonlyArray<AnnouncedChange> | undefined {
    if (position === undefined || this.start === undefined || Number(position) < this.start) return undefined
    return this.changes.filter(({ cursor }) => Number(cursor) > Number(position))
  }
}
