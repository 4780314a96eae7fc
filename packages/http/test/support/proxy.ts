/** A proxy that edits requests and responses. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** A request. */
export interface ProxiedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  body: string
}

/** A response. */
export interface ProxiedResponse {
  status: number
  readonly headers: Record<string, string>
  body: string
}

/** The edits that the proxy makes, which simulate a server that violates its contract. */
export interface ProxyEdits {
  readonly editRequest?: (request: ProxiedRequest) => void
  readonly editResponse?: (response: ProxiedResponse, request: ProxiedRequest) => void
}

/** Edits the JSON body of a request or a response. */
export const editJson = (
  message: { body: string },
  change: (value: Record<string, unknown>) => unknown
): void => {
  const value = JSON.parse(message.body) as Record<string, unknown>
  change(value)
  message.body = JSON.stringify(value)
}

/** The headers that describe the transfer. `fetch` decompresses bodies. */
const connectionHeaders = /^(content-length|content-encoding|connection|keep-alive|date|transfer)/

/** Starts a proxy in front of a server. */
export const startProxy = async (
  target: string,
  { editRequest, editResponse }: ProxyEdits
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> => {
  const proxy = createServer(async (incoming, outgoing) => {
    const parts: Array<Buffer> = []
    for await (const part of incoming) parts.push(part as Buffer)
    const { host: _, connection: __, "content-length": ___, ...headers } = incoming.headers
    const request: ProxiedRequest = {
      method: incoming.method!,
      path: incoming.url!,
      headers: headers as Record<string, string>,
      body: Buffer.concat(parts).toString()
    }
    editRequest?.(request)
    const received = await fetch(`${target}${request.path}`, {
      method: request.method,
      headers: request.headers,
      ...(request.body === "" ? {} : { body: request.body })
    })
    const response: ProxiedResponse = {
      status: received.status,
      headers: Object.fromEntries([...received.headers].filter(([name]) => !connectionHeaders.test(name))),
      body: await received.text()
    }
    editResponse?.(response, request)
    outgoing.writeHead(response.status, response.headers).end(response.body)
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close: async () => {
      proxy.closeAllConnections()
      proxy.close()
    }
  }
}
