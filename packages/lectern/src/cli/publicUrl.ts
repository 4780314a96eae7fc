/** The public URL of the server: the base of all URLs in responses, and in what commands print. */
import { Effect, Option } from "effect"
import { readRequiredSetting, readSetting } from "../settings/Setting.ts"
import * as Settings from "../settings/Settings.ts"

/** Returns a URL of the server for clients on the same machine. */
export const localUrl = (host: string, port: number): string => {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** The flags that determine the public URL. Without them, the environment variables do. */
export interface AddressFlags {
  readonly publicUrl?: Option.Option<string>
  readonly host?: Option.Option<string>
  readonly port?: Option.Option<string>
}

/**
 * Reads the public URL without a slash at its end: as configured, or else of the host and port on which the server listens.
 * `reservedPort` replaces the configured port, if that is 0.
 */
export const readPublicUrl = Effect.fnUntraced(function* (flags: AddressFlags = {}, reservedPort?: number) {
  const configured = yield* readSetting(Settings.publicUrl, flags.publicUrl ?? Option.none())
  const host = yield* readRequiredSetting(Settings.host, flags.host ?? Option.none())
  const port = yield* readRequiredSetting(Settings.port, flags.port ?? Option.none())
  return (configured ?? localUrl(host, reservedPort ?? port)).replace(/\/+$/, "")
})
