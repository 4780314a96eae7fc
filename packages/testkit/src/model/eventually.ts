/** Waits for the effects of background jobs that a server runs itself. */

/** How long the jobs of a step can take, in milliseconds. */
const settleMs = 20_000

/** How long to wait between two attempts, in milliseconds: at first, and at most. */
const [firstWaitMs, maximumWaitMs] = [20, 500]

/** Repeats a check until it succeeds, for up to 20 s. Then rejects with the error of its last attempt. */
export const eventually = async (check: () => Promise<void>): Promise<void> => {
  const deadline = performance.now() + settleMs
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, maximumWaitMs)) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() + waitMs > deadline) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}
