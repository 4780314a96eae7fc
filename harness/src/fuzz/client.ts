/**
 * A client that sends requests unmodified. Others, such as `fetch`, normalize URLs and headers, which hides defects.
 */
import { Agent, request as open } from "node:http"

/** A request. */
export interface HttpRequest {
  readonly method: string
  /** The path with the query, already encoded. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
}

/** A response. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
}

/** A client of one server. */
export interface Client {
  /** Sends a request. Rejects if the response takes longer than the timeout. */
  readonly send: (request: HttpRequest) => Promise<HttpResponse>
  /** Closes all connections. */
  readonly close: () => void
}

/** Creates a client of the server at a base URL. */
export const makeClient = (url: string, timeoutMs: number): Client => {
  const agent = new Agent({ keepAlive: true })
  const { hostname, port } = new URL(url)
  return {
    send: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => outgoing.destroy(new Error(`The server did not respond within ${timeoutMs} ms.`)),
          timeoutMs
        )
        const settle =
          <A>(settle: (value: A) => void) =>
          (value: A) => {
            clearTimeout(timer)
            settle(value)
          }
        const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) }
        const outgoing = open(
          { agent, hostname, port, method, path, headers: { ...headers, ...length } },
          (incoming) => {
            const chunks: Array<Uint8Array> = []
            incoming.on("data", (chunk: Uint8Array) => chunks.push(chunk))
            incoming.on("error", settle(reject))
            incoming.on("end", () =>
              settle(resolve)({
                status: incoming.statusCode ?? 0,
                headers: incoming.headers,
                text: Buffer.concat(chunks).toString()
              })
            )
          }
        )
        outgoing.on("error", settle(reject))
        outgoing.end(body)
      }),
    close: () => agent.destroy()
  }
}

const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/**
 * Returns a request as a `curl` command. A valid token is replaced by `$TOKEN`, as the server under test is temporary.
 */
export const toCurl = (url: string, { method, path, headers, body }: HttpRequest): string =>
  [
    "curl -i --path-as-is -X",
    method,
    quoteForShell(url + path),
    ...Object.entries(headers).map(([name, value]) =>
      name === "authorization" && value.length > 40
        ? `-H "authorization: Bearer $TOKEN"`
        : `-H ${quoteForShell(`${name}: ${value}`)}`
    ),
    ...(body === undefined
      ? []
      : [
          "--data-binary",
          quoteForShell(typeof body === "string" ? body : Buffer.from(body).toString("latin1"))
        ])
  ].join(" ")
