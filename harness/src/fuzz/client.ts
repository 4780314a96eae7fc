/** Sends requests as they are: a client that mends addresses, or headers, would mend what is to be found out. */
import { Agent, request as open } from "node:http"

/** A request, as it goes out. */
export interface Request {
  readonly method: string
  /** The path with its query, encoded as it is to be sent. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
}

/** What came back. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
}

/** Sends to one server, and closes its connections at the end. */
export interface Client {
  /** Fails where no answer is there in time. */
  readonly send: (request: Request) => Promise<Answer>
  readonly close: () => void
}

/** A client of a server; `timeoutMs` is how long an answer may take. */
export const clientOf = (url: string, timeoutMs: number): Client => {
  const agent = new Agent({ keepAlive: true })
  const { hostname, port } = new URL(url)
  return {
    send: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(
          () => outgoing.destroy(new Error(`No answer within ${timeoutMs} ms.`)),
          timeoutMs
        )
        const end =
          <A>(settle: (value: A) => void) =>
          (value: A) => {
            clearTimeout(late)
            settle(value)
          }
        const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) }
        const outgoing = open(
          { agent, hostname, port, method, path, headers: { ...headers, ...length } },
          (incoming) => {
            const chunks: Array<Uint8Array> = []
            incoming.on("data", (chunk: Uint8Array) => chunks.push(chunk))
            incoming.on("error", end(reject))
            incoming.on("end", () =>
              end(resolve)({
                status: incoming.statusCode ?? 0,
                headers: incoming.headers,
                text: Buffer.concat(chunks).toString()
              })
            )
          }
        )
        outgoing.on("error", end(reject))
        outgoing.end(body)
      }),
    close: () => agent.destroy()
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A request as people send it again: its token is left out, for it is of a server that is gone. */
export const curl = (url: string, { method, path, headers, body }: Request): string =>
  [
    "curl -i --path-as-is -X",
    method,
    quoted(url + path),
    ...Object.entries(headers).map(([name, value]) =>
      name === "authorization" && value.length > 40
        ? `-H "authorization: Bearer $TOKEN"`
        : `-H ${quoted(`${name}: ${value}`)}`
    ),
    ...(body === undefined
      ? []
      : ["--data-binary", quoted(typeof body === "string" ? body : Buffer.from(body).toString("latin1"))])
  ].join(" ")
