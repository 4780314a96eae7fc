/** Waits for conditions, so that tests do not depend on the speed of the machine. */
import { expect } from "vitest"

/** Shorter than the 120 s timeout of a test, so that a failure names the condition. */
const deadlineMillis = 100_000

/** Polls until a condition holds; fails with its description after 100 s. */
export const until = async (
  description: string,
  condition: () => boolean | Promise<boolean>
): Promise<void> => {
  await expect.poll(condition, { message: description, timeout: deadlineMillis, interval: 10 }).toBe(true)
}
