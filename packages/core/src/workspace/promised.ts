/** Services with promises, for hosts that do not use Effect. */
import { type Context, Effect, Redacted, Stream } from "effect"

type RevealedValue<A> =
  A extends Redacted.Redacted<infer Value>
    ? Value
    : A extends Stream.Stream<infer Item, infer _E>
      ? AsyncIterable<Item>
      : A

type EffectData = Redacted.Redacted<unknown> | Stream.Stream<unknown, unknown>

type HasEffectData<A extends object> = Extract<A[keyof A], EffectData> extends never ? false : true

/**
 * A result without Effect data types: a secret is its value, and a stream is an `AsyncIterable`, as the result or as a
 * property of it. Other results keep their types.
 */
export type Revealed<A> = A extends EffectData
  ? RevealedValue<A>
  : A extends object
    ? HasEffectData<A> extends true
      ? { readonly [K in keyof A]: RevealedValue<A[K]> }
      : A
    : A

const isEffectData = (value: unknown): boolean => Redacted.isRedacted(value) || Stream.isStream(value)

const revealValue = (value: unknown): unknown => {
  if (Redacted.isRedacted(value)) return Redacted.value(value)
  // The operations whose results are streams close over their services.
  if (Stream.isStream(value)) return Stream.toAsyncIterable(value as Stream.Stream<unknown, unknown>)
  return value
}

/** Returns a result with the values of its secrets and iterables of its streams. Other results are returned as they are, not copied. */
const reveal = (result: unknown): unknown => {
  if (typeof result !== "object" || result === null || Array.isArray(result)) return result
  if (isEffectData(result)) return revealValue(result)
  return Object.values(result).some(isEffectData)
    ? Object.fromEntries(Object.entries(result).map(([name, value]) => [name, revealValue(value)]))
    : result
}

/**
 * A service whose methods return promises. A method rejects with the error that its effect fails with: see
 * `isLecternError`. Secrets in results are plain strings, and streams are iterables: see {@link Revealed}.
 */
export type Promised<Service> = {
  readonly [K in keyof Service]: Service[K] extends (
    ...args: infer Args
  ) => Effect.Effect<infer A, infer _E, infer _R>
    ? (...args: Args) => Promise<Revealed<A>>
    : Service[K] extends Effect.Effect<infer A, infer _E, infer _R>
      ? () => Promise<Revealed<A>>
      : never
}

/**
 * Creates the promised form of a service. The service is built when a method is first called. A method that does not exist
 * rejects with a `TypeError`.
 */
export const promisedService = <Identifier, Service extends object>(
  name: string,
  tag: Context.Key<Identifier, Service>,
  run: <A, E>(effect: Effect.Effect<A, E, Identifier>) => Promise<A>
): Promised<Service> =>
  new Proxy({} as Promised<Service>, {
    get: (_, method) =>
      // A service is not a promise: `await` would otherwise call `then`.
      method === "then" || typeof method === "symbol"
        ? undefined
        : (...args: ReadonlyArray<unknown>) =>
            run(
              Effect.flatMap(tag, (service) => {
                const member: unknown = Reflect.get(service, method)
                const effect = typeof member === "function" ? member(...args) : member
                return Effect.isEffect(effect)
                  ? Effect.map(effect as Effect.Effect<unknown, unknown, Identifier>, reveal)
                  : Effect.die(new TypeError(`${name} has no method "${method}".`))
              })
            )
  })

/** Creates the promised forms of several services by name. `tags` has the class of each service. */
export const promisedServices = <const Tags extends Readonly<Record<string, object>>>(
  tags: Tags,
  run: <A, E>(effect: Effect.Effect<A, E, never>) => Promise<A>
): { readonly [K in keyof Tags]: Promised<Context.Service.Shape<Tags[K]>> } =>
  Object.fromEntries(
    Object.entries(tags).map(([name, tag]) => [
      name,
      promisedService(name, tag as Context.Key<never, object>, run)
    ])
  ) as { readonly [K in keyof Tags]: Promised<Context.Service.Shape<Tags[K]>> }
