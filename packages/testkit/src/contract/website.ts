/** A small website on the machine of the tests, from which the server imports pages and specifications. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** The response at a path of the website. */
export interface WebsiteResponse {
  /** The content type. */
  readonly type: string
  readonly body: string
}

/** A running website. */
export interface Website {
  /** The base URL, as the server reaches it. */
  readonly url: string
  /** Sets the response at a path. Other paths return 404. */
  readonly put: (path: string, response: WebsiteResponse) => void
  /** Stops the website. */
  readonly close: () => Promise<void>
}

/** Starts a website on a free port. `name` is the host name or IP address at which the server reaches this machine. */
export const openWebsite = async (name = "127.0.0.1"): Promise<Website> => {
  const responses = new Map<string, WebsiteResponse>()
  const server = createServer((request, response) => {
    const content = responses.get(new URL(request.url ?? "/", "http://localhost").pathname)
    if (content === undefined) response.writeHead(404).end()
    else response.writeHead(200, { "content-type": content.type }).end(content.body)
  })
  await new Promise<void>((resolve) => server.listen(0, name === "127.0.0.1" ? name : undefined, resolve))
  return {
    url: `http://${name}:${(server.address() as AddressInfo).port}`,
    put: (path, response) => {
      responses.set(path, response)
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}
