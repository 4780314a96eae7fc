/** Counts of site events that wait in memory, with a bound that organizations share fairly. */
import type { SiteEventCountRow } from "./siteEventCountTable.ts"

/** The counts of one organization, in the order in which they were added. */
interface OwnCounts {
  readonly rows: Map<string, SiteEventCountRow>
  readonly keys: Array<string>
}

const keyOf = ({ site, day, type, page }: SiteEventCountRow): string =>
  JSON.stringify([site, day, type, page])

/**
 * A number of counts. If it is full, a new count takes the place of the last one of the organization with the most, so that an
 * organization with many visitors does not end the counting of the others.
 */
export class PendingCounts {
  private readonly organizations = new Map<string, OwnCounts>()
  private readonly maximum: number
  private count = 0

  constructor(maximum: number) {
    this.maximum = maximum
  }

  /** The number of counts. */
  get size(): number {
    return this.count
  }

  /** Whether a new count takes the place of another one. */
  get isFull(): boolean {
    return this.count >= this.maximum
  }

  /** Returns all counts. */
  get rows(): ReadonlyArray<SiteEventCountRow> {
    return [...this.organizations.values()].flatMap(({ rows }) => [...rows.values()])
  }

  /** Adds a count to the one of the same site, day, type and page. */
  add(row: SiteEventCountRow): void {
    const key = keyOf(row)
    const own = this.organizations.get(row.organization)
    const before = own?.rows.get(key)
    if (own !== undefined && before !== undefined) {
      own.rows.set(key, { ...row, count: before.count + row.count })
      return
    }
    if (this.isFull && !this.makeRoom(own?.keys.length ?? 0)) return
    const counts: OwnCounts = own ?? { rows: new Map(), keys: [] }
    if (own === undefined) this.organizations.set(row.organization, counts)
    counts.rows.set(key, row)
    counts.keys.push(key)
    this.count += 1
  }

  /** Removes a count of the organization with the most, if it has more than another one with one more. */
  private makeRoom(ownSize: number): boolean {
    let largest: OwnCounts | undefined
    for (const counts of this.organizations.values()) {
      if (counts.keys.length > (largest?.keys.length ?? 0)) largest = counts
    }
    if (largest === undefined || largest.keys.length <= ownSize + 1) return false
    largest.rows.delete(largest.keys.pop()!)
    this.count -= 1
    return true
  }
}
