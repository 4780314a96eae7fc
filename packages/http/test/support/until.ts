/** Waits for conditions, so that no test depends on how fast the machine is. */
import { expect } from "vitest"

/** Shorter than the 120 s that a test may take, so that a failure names the condition. */
const deadlineMillis = 100_000

/** Waits until a condition holds. Fails with its description after 100 s. */
export const until = async (
  description: string,
  condition: () => boolean | Promise<boolean>
): Promise<void> => {
  await expect.poll(condition, { message: description, timeout: deadlineMillis, interval: 10 }).toBe(true)
}
