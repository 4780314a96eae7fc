/**
 * The base URL of requests to another name of this machine. A server without a configured address is known under several
 * names, such as `127.0.0.1` and `localhost`. Pages of the one cannot load files from the other, or send files to it.
 */
import { isLoopbackHost } from "@lectern/core"
import { Effect } from "effect"
import type { Dispatcher } from "./Dispatcher.ts"

/**
 * Returns the public URL with the loopback host of a request, or `undefined` if the public URL applies. The port must be that of
 * the public URL: a proxy on this machine can have another one.
 */
export const loopbackBaseUrl = (publicUrl: string, host: string | undefined): string | undefined => {
  if (host === undefined || !isLoopbackHost(host)) return undefined
  if (!URL.canParse(publicUrl) || !URL.canParse(`http://${host}`)) return undefined
  const url = new URL(publicUrl)
  const requested = new URL(`http://${host}`)
  const isAlias = url.protocol === "http:" && isLoopbackHost(url.hostname) && requested.port === url.port
  if (!isAlias || requested.host === url.host) return undefined
  url.host = requested.host
  return url.href.replace(/\/+$/, "")
}

/** Sets the base URL of requests to another name of this machine than that of the public URL. */
export const withLoopbackBaseUrl =
  (dispatch: Dispatcher, publicUrl: string): Dispatcher =>
  (request) =>
    Effect.suspend(() => {
      const baseUrl = request.baseUrl ?? loopbackBaseUrl(publicUrl, request.header("host"))
      return dispatch(baseUrl === undefined ? request : { ...request, baseUrl })
    })
