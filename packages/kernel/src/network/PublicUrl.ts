/** The public address of the workspace. */
import { Context, Effect } from "effect"

/** The base URL of all addresses in responses, without a trailing slash. */
export const PublicUrl = Context.Reference<string>("@lectern/core/PublicUrl", {
  defaultValue: () => "http://127.0.0.1:4400"
})

/**
 * The base URL of the links in the results for the current request, without a trailing slash; `undefined`, the default, for
 * `PublicUrl`. A server sets it if it has no configured address, from headers of a proxy that it trusts. Nothing that is
 * stored, shared between callers, signed or sent to others may contain it: such URLs use `PublicUrl`.
 */
export const RequestBaseUrl = Context.Reference<string | undefined>("@lectern/core/RequestBaseUrl", {
  defaultValue: () => undefined
})

/** Whether the operator lists a host, at which the server also serves the application and the API; no host by default. */
export const ApplicationHosts = Context.Reference<(host: string) => boolean>(
  "@lectern/core/ApplicationHosts",
  {
    defaultValue: () => () => false
  }
)

/** Creates the effect that returns the base URL of links in results: that of the current request, or `PublicUrl`. */
export const makeLinkBase: Effect.Effect<Effect.Effect<string>> = Effect.map(PublicUrl, (configured) =>
  Effect.map(RequestBaseUrl, (requested) => requested ?? configured)
)
