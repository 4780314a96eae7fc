/** Measures how long an operation holds the event loop, relative to the speed of the machine. */

/** The CPU time of the current thread since `start`, in milliseconds. */
export const threadTimeMs = (start?: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1_000
}

/** The CPU time of twenty million multiplications, in milliseconds: a unit of time that grows with the slowness of a machine. */
export const measureUnitMs = (): number => {
  const times = Array.from({ length: 5 }, () => {
    const start = process.threadCpuUsage()
    let sum = 0
    for (let index = 0; index < 20_000_000; index++) sum = (Math.imul(sum, 31) + index) | 0
    // The sum is used, so that the loop is not removed.
    return sum === 1 ? 0 : threadTimeMs(start)
  })
  return Math.min(...times)
}

/**
 * The maximum CPU time of the event loop between two turns, in units. The bar is 100 ms on a machine whose unit is 28 ms;
 * the longest slice there is 76 ms. The margin is for processors that two busy processes share.
 */
export const maximumSlice = 6

/** Measures the longest time of the event loop between two turns in CPU time, which does not depend on other processes. */
export const longestSliceOf = async (run: () => Promise<unknown>): Promise<number> => {
  let [longest, isRunning, last] = [0, true, threadTimeMs()]
  const turn = () => {
    const next = threadTimeMs()
    longest = Math.max(longest, next - last)
    last = next
    if (isRunning) setImmediate(turn)
  }
  setImmediate(turn)
  await run()
  isRunning = false
  await new Promise((resolve) => setImmediate(resolve))
  turn()
  return longest
}
