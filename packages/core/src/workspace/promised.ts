/** Services with promises, for hosts that do not use Effect. */
import { type Context, Effect } from "effect"

/**
 * A service whose methods return promises. A method rejects with the error that its effect fails with: see
 * `isLecternError`.
 */
export type Promised<Service> = {
  readonly [K in keyof Service]: Service[K] extends (
    ...args: infer Args
  ) => Effect.Effect<infer A, infer _E, infer _R>
    ? (...args: Args) => Promise<A>
    : Service[K] extends Effect.Effect<infer A, infer _E, infer _R>
      ? () => Promise<A>
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
                  ? (effect as Effect.Effect<unknown, unknown, Identifier>)
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
