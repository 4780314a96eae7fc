/** Runs a request through a listener of Node's HTTP server, without a connection: the library of the authorization server has no other interface. */
import { IncomingMessage, type RequestListener, ServerResponse } from "node:http"
import { Socket } from "node:net"

/** A request to the listener. Its URL is below the URL of the issuer. */
export interface BridgedRequest {
  readonly method: string
  /** The path and the query, without the path of the issuer. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | undefined
}

/** The response of the listener. */
export interface BridgedResponse {
  readonly status: number
  readonly headers: Record<string, string>
  /** The cookies that it sets, by name. */
  readonly cookies: ReadonlyMap<string, string>
  readonly body: string
}

const cookiesOf = (header: number | string | ReadonlyArray<string> | undefined): Map<string, string> => {
  const lines = header === undefined || typeof header === "number" ? [] : [header].flat()
  return new Map(
    lines.map((line) => {
      const [pair = ""] = line.split(";", 1)
      const at = pair.indexOf("=")
      return [pair.slice(0, at), pair.slice(at + 1)] as const
    })
  )
}

const incomingOf = (issuer: URL, { method, url, headers, body }: BridgedRequest): IncomingMessage => {
  const socket = new Socket()
  if (issuer.protocol === "https:") Object.assign(socket, { encrypted: true })
  const incoming = new IncomingMessage(socket)
  const mountPath = issuer.pathname.replace(/\/$/, "")
  Object.assign(incoming, { method, url, originalUrl: `${mountPath}${url}`, httpVersion: "1.1" })
  Object.assign(incoming.headers, headers, { host: issuer.host })
  if (body !== undefined) {
    incoming.headers["content-length"] = String(body.length)
    incoming.push(body)
  }
  incoming.push(null)
  return incoming
}

/** Sends a request to a listener as the server at the URL of the issuer, and returns its response. */
export const sendToListener = (
  listener: RequestListener,
  issuer: URL,
  request: BridgedRequest
): Promise<BridgedResponse> =>
  new Promise((resolve) => {
    const incoming = incomingOf(issuer, request)
    const outgoing = new ServerResponse(incoming)
    const chunks: Array<Buffer> = []
    const add = (chunk: unknown): void => {
      if (typeof chunk === "string" || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
    }
    outgoing.write = (chunk: unknown): boolean => {
      add(chunk)
      return true
    }
    outgoing.end = (chunk?: unknown): ServerResponse => {
      add(chunk)
      const headers: Record<string, string> = {}
      for (const [name, value] of Object.entries(outgoing.getHeaders())) {
        if (name !== "set-cookie" && name !== "content-length" && value !== undefined) {
          headers[name] = String(value)
        }
      }
      const cookies = cookiesOf(outgoing.getHeader("set-cookie"))
      resolve({ status: outgoing.statusCode, headers, cookies, body: Buffer.concat(chunks).toString() })
      incoming.destroy()
      return outgoing
    }
    listener(incoming, outgoing)
  })
