/** Responses to bytes that are not an HTTP request. No listener receives them, so that they are written to the socket. */
import type { Duplex } from "node:stream"
import { withoutDispatch } from "./completeResponses.ts"
import { malformedRequest } from "./messages/failures.ts"
import { byteLengthOf } from "./messages/Message.ts"

/** The status, its text and the message for the errors of Node's parser. All others are 400. */
const errors: Readonly<Record<string, readonly [status: number, text: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    "Request Header Fields Too Large",
    "The URL and the headers of the request must have at most 16 KiB."
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    413,
    "Content Too Large",
    "The chunk extensions of the request must have at most 16 KiB."
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout", "The headers of the request did not arrive in time."]
}

const malformed = [400, "Bad Request", "The request is not valid HTTP/1.1."] as const

/** Responds to a malformed request with the headers of all responses, and closes its connection. */
export const rejectMalformed = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  // A response that is being written must not be followed by another one.
  const { _httpMessage: pending } = socket as Duplex & { readonly _httpMessage?: unknown }
  if (error.code === "ECONNRESET" || !socket.writable || (pending !== undefined && pending !== null)) {
    socket.destroy()
    return
  }
  const [status, text, message] = errors[error.code ?? ""] ?? malformed
  const { headers, body = "" } = withoutDispatch(malformedRequest(status, message), undefined)
  const lines = Object.entries({
    ...headers,
    connection: "close",
    "content-length": String(byteLengthOf(body))
  }).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${status} ${text}\r\n${lines.join("\r\n")}\r\n\r\n${body}`)
}

/** Whether a request has several `Host` headers, which RFC 9112 requires to reject: proxies could use another one. */
export const hasSeveralHosts = (rawHeaders: ReadonlyArray<string>): boolean => {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === "host") count++
  }
  return count > 1
}

/** The response to a request with several `Host` headers. */
export const severalHosts = () => malformedRequest(400, "The request must have one Host header.")
