/** The entry point for hosts that do not use Effect: the services of a workspace with promises. */

import { CallOrigin, CurrentUser, type Origin } from "@lectern/access"
import {
  type AnyFeature,
  BackgroundWork,
  EventLog,
  type ProvidedBy,
  Records,
  type RecordsAdapter,
  userServiceTagsOf
} from "@lectern/kernel"
import { presentEvent } from "@lectern/kernel/tables"
import { UserId } from "@lectern/model/users"
import { Cause, Effect, Exit, Fiber, Layer, ManagedRuntime, Stream } from "effect"
import { Administration } from "../features/organizations/Administration.ts"
import { ApiTokens } from "../features/tokens/ApiTokens.ts"
import type { EmbeddedWorkspace } from "./EmbeddedWorkspace.ts"
import type { SubscribeOptions, WorkspaceEvent } from "./eventTypes.ts"
import { userServices } from "./features.ts"
import { hostAuthenticator } from "./hostFunctions.ts"
import { hostTransaction, runCallback } from "./hostTransaction.ts"
import { joinTransaction } from "./joinedTransaction.ts"
import { promisedService, promisedServices } from "./promised.ts"
import type { UserServicesWith } from "./userServices.ts"
import * as Workspace from "./Workspace.ts"
import { settingsOf, type WorkspaceOptions } from "./workspaceOptions.ts"

/** Handles the events of a stream one after another. Returns the function that ends the subscription. */
const subscribe = <Event, R>(
  fork: (effect: Effect.Effect<void, unknown, R>) => Fiber.Fiber<void, unknown>,
  events: Stream.Stream<Event, unknown, R>,
  handle: (event: Event) => Promise<void> | void,
  onError: ((error: unknown) => void) | undefined
): (() => Promise<void>) => {
  const fiber = fork(
    Stream.runForEach(events, (event) =>
      Effect.tryPromise({ try: async () => await handle(event), catch: (error) => error })
    ).pipe(
      Effect.catch((error) =>
        onError === undefined
          ? Effect.logError("A subscription to events has ended.", error)
          : Effect.sync(() => onError(error))
      )
    )
  )
  return () => Effect.runPromise(Fiber.interrupt(fiber))
}

/** Runs a callback with the services of the fiber. Its effects are rejected once it has ended. */
const callbackInTransaction = <R, A>(
  body: (within: <B, E>(effect: Effect.Effect<B, E, R>) => Promise<B>) => Promise<A>
): Effect.Effect<A, unknown, R> =>
  Effect.flatMap(Effect.context<R>(), (context) => {
    let isOpen = true
    const within = <B, E>(effect: Effect.Effect<B, E, R>): Promise<B> =>
      isOpen
        ? Effect.runPromise(Effect.provideContext(effect, context))
        : Promise.reject(new Error("The transaction has ended; use the workspace instead of `tx`."))
    return Effect.ensuring(
      Effect.tryPromise({ try: () => body(within), catch: (error) => error }),
      Effect.sync(() => {
        isOpen = false
      })
    )
  })

/** Runs an effect as a user, with the origin of the call. */
const asUser = <A, E, R>(
  user: string,
  origin: Origin | undefined,
  effect: Effect.Effect<A, E, R | CurrentUser>
): Effect.Effect<A, E, R> =>
  Effect.provideService(
    Effect.provideService(effect, CurrentUser, { id: UserId.make(user) }),
    CallOrigin,
    origin
  ) as Effect.Effect<A, E, R>

/** Streams the events after a cursor, of all organizations or of one. */
const eventStream = ({ after, organization }: Omit<SubscribeOptions, "onError"> = {}) =>
  Stream.unwrap(
    Effect.map(EventLog, (log) =>
      Stream.map(
        log.stream({
          ...(after === undefined ? {} : { after: Number(after) }),
          ...(organization === undefined ? {} : { organization })
        }),
        presentEvent
      )
    )
  )

/**
 * Creates a workspace in an application without Effect. The store is opened by the first call of an operation.
 *
 * @example
 * const workspace = createWorkspace({ storage: sqlite("docs.db") })
 * const space = await workspace.as(userId).spaces.create({ organization, input: { title: "Handbook" } })
 */
export const createWorkspace = <const HostFeatures extends ReadonlyArray<AnyFeature> = readonly []>(
  options: WorkspaceOptions<HostFeatures>
): EmbeddedWorkspace<HostFeatures> => {
  type Services = Workspace.Services | ProvidedBy<HostFeatures[number]>
  const { features: hostFeatures } = options
  const services: Layer.Layer<Services, unknown, RecordsAdapter> =
    hostFeatures === undefined
      ? // Without features of the host, `Services` is `Workspace.Services`.
        (Workspace.layer as Layer.Layer<Services, never, RecordsAdapter>)
      : Workspace.layerWith<HostFeatures>(hostFeatures)
  const workspace = services.pipe(Layer.provide(options.storage))
  const tags = { ...userServices, ...userServiceTagsOf(hostFeatures ?? []) }
  const live =
    options.authenticate === undefined
      ? workspace
      : hostAuthenticator(options.authenticate).pipe(Layer.provideMerge(workspace))
  const runtime = ManagedRuntime.make(live.pipe(Layer.provideMerge(settingsOf(options))))

  const run = <A, E>(effect: Effect.Effect<A, E, Services>): Promise<A> => runtime.runPromise(effect)

  const servicesOfUser = (
    run: <A, E>(effect: Effect.Effect<A, E, Services | CurrentUser>) => Promise<A>
  ): UserServicesWith<HostFeatures> =>
    // The list of all features erases the types of their tags.
    promisedServices(tags, run) as UserServicesWith<HostFeatures>

  // The declarations of features determine the type of the data.
  const events = eventStream as unknown as EmbeddedWorkspace<HostFeatures>["events"]

  const on: EmbeddedWorkspace<HostFeatures>["on"] = (type, handle, { onError, ...start } = {}) =>
    subscribe(
      runtime.runFork,
      Stream.filter(
        events(start),
        (event) => type === "*" || (event as { readonly type: string }).type === type
      ),
      handle as (event: WorkspaceEvent<HostFeatures>) => Promise<void> | void,
      onError
    )

  let isDisposed = false
  /** Runs background work. Resolves, instead of rejecting, if `dispose` interrupts it. */
  const runUntilDisposed = async <A, E>(effect: Effect.Effect<A, E, Services>): Promise<A> => {
    const exit = await runtime.runPromiseExit(effect)
    if (Exit.isSuccess(exit)) return exit.value
    if (isDisposed && Cause.hasInterruptsOnly(exit.cause)) return undefined as A
    throw Cause.squash(exit.cause)
  }

  return {
    as: (user, origin) => {
      const asCaller = <A, E>(effect: Effect.Effect<A, E, Services | CurrentUser>): Promise<A> =>
        run(asUser<A, E, Services>(user, origin, effect))
      return {
        ...servicesOfUser(asCaller),
        transaction: <A>(body: (tx: UserServicesWith<HostFeatures>) => Promise<A>): Promise<A> =>
          asCaller(
            Effect.gen(function* () {
              const records = yield* Records
              return yield* records.transaction(
                callbackInTransaction<Services | CurrentUser, A>((within) => body(servicesOfUser(within)))
              )
            })
          )
      }
    },
    administration: promisedService("administration", Administration, run),
    transaction: (options, body) =>
      run(
        hostTransaction(options, ({ connection }) =>
          runCallback<Services>()((within) =>
            body({
              connection,
              as: (user, origin) => servicesOfUser((effect) => within(asUser(user, origin, effect))),
              administration: promisedService("administration", Administration, within)
            })
          )
        )
      ),
    joinTransaction: async (transaction) => {
      const joined = await run(joinTransaction(transaction))
      const within = <A, E>(effect: Effect.Effect<A, E, Services>): Promise<A> => run(joined.run(effect))
      return {
        as: (user, origin) => servicesOfUser((effect) => within(asUser(user, origin, effect))),
        administration: promisedService("administration", Administration, within),
        committed: () => run(joined.committed)
      }
    },
    tokens: promisedService("tokens", ApiTokens, run),
    events,
    on,
    work: promisedService("work", BackgroundWork, runUntilDisposed),
    runtime,
    dispose: () => {
      isDisposed = true
      return runtime.dispose()
    }
  }
}
