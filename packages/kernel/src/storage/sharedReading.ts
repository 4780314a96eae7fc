/** The state of the caches of rows that a request reads. */
import { Context, type Fiber } from "effect"

/** The reading of the raised versions that the lookups of a request share. */
interface SharedReadingState {
  /** The time of the reading, and the number of the readings before it; undefined before the first lookup. */
  reading: { readonly time: number; readonly at: number } | undefined
}

/** The reading of the request of a fiber; undefined outside of requests. */
export const SharedReading = Context.Reference<SharedReadingState | undefined>(
  "@lectern/core/storage/SharedReading",
  { defaultValue: () => undefined }
)

/** Makes the next lookup of the request of a fiber read the raised versions, because the fiber has written. */
export const forgetReading = (fiber: Fiber.Fiber<unknown, unknown>): void => {
  const shared = fiber.getRef(SharedReading)
  if (shared !== undefined) shared.reading = undefined
}
