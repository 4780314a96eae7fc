/** Pseudorandom numbers that a seed determines. */

/** A source of pseudorandom numbers. Two sources with the same seed return the same numbers. */
export interface SeededRandom {
  /** Returns an integer from 0 to `bound - 1`. */
  readonly below: (bound: number) => number
  /** Returns true with this probability. */
  readonly chance: (probability: number) => boolean
  /** Returns an element of a list that is not empty. */
  readonly pick: <A>(list: ReadonlyArray<A>) => A
}

/** Mixes the bits of an integer: the finalizer of MurmurHash3. */
const mix = (value: number): number => {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Combines numbers to a seed, so that each part of a simulation has a source of its own. */
export const combineSeeds = (...parts: ReadonlyArray<number>): number =>
  parts.reduce((seed, part) => mix(seed ^ mix(Math.imul(part, 0x9e3779b9) + 0x7f4a7c15)), 0x243f6a88)

/** Creates a source: the generator mulberry32. */
export const makeSeededRandom = (seed: number): SeededRandom => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return (value ^ (value >>> 14)) >>> 0
  }
  const below = (bound: number): number => next() % bound
  return {
    below,
    chance: (probability) => next() < probability * 2 ** 32,
    pick: (list) => list[below(list.length)]!
  }
}
