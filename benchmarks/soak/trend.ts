/** Judges whether samples of a resource are flat. */

/** A series of one resource: a value per sample, at equal distances. */
export interface Series {
  readonly name: string
  readonly unit: string
  readonly values: ReadonlyArray<number>
  /** The growth that counts as flat, as a share of the median. */
  readonly relativeTolerance: number
  /** The growth that counts as flat, in the unit. The larger of both applies. */
  readonly absoluteTolerance: number
}

/** The trend of a series over the judged samples. */
export interface Trend {
  readonly first: number
  readonly median: number
  readonly last: number
  /** The growth over all judged samples: the slope times their number. */
  readonly growth: number
  readonly tolerance: number
  readonly isFlat: boolean
}

/**
 * Returns the minimum of each group of consecutive values. Requests in progress add memory to a sample and never remove any, so
 * minima show what remains.
 */
export const minimaOf = (values: ReadonlyArray<number>, groupSize: number): ReadonlyArray<number> =>
  Array.from({ length: Math.ceil(values.length / groupSize) }, (_, index) =>
    Math.min(...values.slice(index * groupSize, (index + 1) * groupSize))
  )

/** Returns the median of numbers; 0 for an empty list. */
export const medianOf = (values: ReadonlyArray<number>): number => percentileOf(values, 0.5)

/** Returns a percentile of numbers; 0 for an empty list. */
export const percentileOf = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/**
 * Returns the trend of a series: the median of the slopes between all pairs of samples, which single outliers
 * of a busy machine do not influence. The series is flat if its growth over all samples is within the tolerance.
 */
export const judgeTrend = ({ values, relativeTolerance, absoluteTolerance }: Series): Trend => {
  const slopes: Array<number> = []
  for (let i = 0; i < values.length; i++) {
    for (let j = i + 1; j < values.length; j++) slopes.push((values[j]! - values[i]!) / (j - i))
  }
  const growth = medianOf(slopes) * Math.max(0, values.length - 1)
  const median = medianOf(values)
  const tolerance = Math.max(absoluteTolerance, relativeTolerance * Math.abs(median))
  const third = Math.max(1, Math.floor(values.length / 3))
  return {
    first: medianOf(values.slice(0, third)),
    median,
    last: medianOf(values.slice(-third)),
    growth,
    tolerance,
    isFlat: growth <= tolerance
  }
}
