/** Limits the number of audit records of denials, so that a caller cannot fill the log of an organization. */

/** The limits of one window. */
interface DenialLimits {
  /** The maximum number of records of a caller. */
  readonly perCaller: number
  /** The maximum number of records of all callers of a group, such as an organization. */
  readonly perGroup: number
}

/** The length of a window, in milliseconds. */
const windowMs = 60_000

/** The maximum number of callers that are counted. Beyond it, the oldest are removed. */
const maximumCallers = 10_000

interface Count {
  windowEndsAt: number
  recorded: number
  suppressed: number
}

/** Counts denials in memory. */
export const makeDenialLimit = ({ perCaller, perGroup }: DenialLimits) => {
  const counts = new Map<string, Count>()

  const countOf = (key: string, now: number): Count => {
    let count = counts.get(key)
    if (count === undefined) {
      if (counts.size >= maximumCallers) {
        const [oldest] = counts.keys()
        counts.delete(oldest!)
      }
      count = { windowEndsAt: now + windowMs, recorded: 0, suppressed: 0 }
      counts.set(key, count)
    } else if (count.windowEndsAt <= now) {
      count.windowEndsAt = now + windowMs
      count.recorded = 0
    }
    return count
  }

  /**
   * Counts a denial. Returns the number of earlier denials of the caller that were suppressed since their last record, or
   * undefined if this one is suppressed as well.
   */
  return (group: string, caller: string, now: number): number | undefined => {
    const ofGroup = countOf(`group ${group}`, now)
    const ofCaller = countOf(`caller ${group} ${caller}`, now)
    if (ofCaller.recorded >= perCaller || ofGroup.recorded >= perGroup) {
      ofCaller.suppressed += 1
      return undefined
    }
    ofGroup.recorded += 1
    ofCaller.recorded += 1
    const { suppressed } = ofCaller
    ofCaller.suppressed = 0
    return suppressed
  }
}
