/**
 * Asynchronous functions of the platform: WebCrypto, compression, and libraries that use them. Core reaches them only through this
 * service, so that a simulation can make a workspace wait for them without running anything else.
 */
import { Context, Effect } from "effect"

/** Runs asynchronous functions of the platform. */
export interface PlatformCalls {
  /** Starts a function, and waits for its result. A rejection is a defect. */
  readonly run: <A>(start: () => Promise<A>) => Effect.Effect<A>
}

/** How asynchronous functions of the platform run: as promises, by default. A simulation replaces it. */
export const PlatformCalls: Context.Reference<PlatformCalls> = Context.Reference<PlatformCalls>(
  "@lectern/core/PlatformCalls",
  { defaultValue: () => ({ run: Effect.promise }) }
)

/** Runs an asynchronous function of the platform. See {@link PlatformCalls}. */
export const callPlatform = <A>(start: () => Promise<A>): Effect.Effect<A> =>
  Effect.withFiber((fiber) => fiber.getRef(PlatformCalls).run(start))
