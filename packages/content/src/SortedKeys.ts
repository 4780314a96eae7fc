/** A set of keys in their order, in which drafts find the changes of a range without reading all of them. */

/** The length from which a chunk is divided. Insertions move the keys of one chunk. */
const maximumChunk = 512

/** Returns the index of the first item that is not before a key. */
const firstNotBefore = <A>(items: ReadonlyArray<A>, isBefore: (item: A) => boolean): number => {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(items[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}

/** A set of keys in their order. To add a key, and to find the start of a range, takes logarithmic time. */
export class SortedKeys {
  private readonly chunks: Array<Array<string>> = [[]]

  /** The index of the chunk that a key belongs to: the last one that does not start after it. */
  private chunkOf(key: string): number {
    return Math.max(0, firstNotBefore(this.chunks, ([first = ""]) => first <= key) - 1)
  }

  /** Adds a key, which the set must lack. */
  add(key: string): void {
    const at = this.chunkOf(key)
    const chunk = this.chunks[at]!
    chunk.splice(
      firstNotBefore(chunk, (other) => other < key),
      0,
      key
    )
    if (chunk.length > maximumChunk) this.chunks.splice(at + 1, 0, chunk.splice(maximumChunk >> 1))
  }

  /** Iterates over the keys from `from` (inclusive) to `to` (exclusive) in their order. */
  *ascending(from: string, to: string): Generator<string> {
    for (let at = this.chunkOf(from); at < this.chunks.length; at++) {
      const chunk = this.chunks[at]!
      for (let index = firstNotBefore(chunk, (key) => key < from); index < chunk.length; index++) {
        if (chunk[index]! >= to) return
        yield chunk[index]!
      }
    }
  }

  /** Iterates over the keys of the same range in the opposite order. */
  *descending(from: string, to: string): Generator<string> {
    for (let at = this.chunkOf(to); at >= 0; at--) {
      const chunk = this.chunks[at]!
      for (let index = firstNotBefore(chunk, (key) => key < to) - 1; index >= 0; index--) {
        if (chunk[index]! < from) return
        yield chunk[index]!
      }
    }
  }
}
