/** A list of distinct ids that other lists are merged into, which each have a part of the ids in the same order. */
export class Sequence implements Iterable<string> {
  private readonly next = new Map<string | undefined, string | undefined>()
  private readonly previous = new Map<string, string | undefined>()
  private last: string | undefined

  /** The number of ids. */
  get size(): number {
    return this.previous.size
  }

  /** Whether the list has an id. */
  has(id: string): boolean {
    return this.previous.has(id)
  }

  private insertAfter(before: string | undefined, id: string): void {
    const after = this.next.get(before)
    this.next.set(before, id)
    this.next.set(id, after)
    this.previous.set(id, before)
    if (after === undefined) this.last = id
    else this.previous.set(after, id)
  }

  /** Inserts the ids that the list lacks: after the id before them in the other list, or before the id after them. */
  merge(ids: ReadonlyArray<string>): void {
    const firstKnown = ids.findIndex((id) => this.has(id))
    let before = firstKnown < 0 ? this.last : this.previous.get(ids[firstKnown]!)
    for (const id of ids) {
      if (!this.has(id)) this.insertAfter(before, id)
      before = id
    }
  }

  *[Symbol.iterator](): Generator<string> {
    for (let at = this.next.get(undefined); at !== undefined; at = this.next.get(at)) yield at
  }
}
