/** A small website on this machine, for the server to import pages and read specifications from. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** What an address of the website answers. */
export interface Answer {
  readonly type: string
  readonly body: string
}

/** A website that runs. */
export interface Website {
  readonly url: string
  /** Sets what is at a path; anything else is not found. */
  readonly put: (path: string, answer: Answer) => void
  readonly close: () => Promise<void>
}

/** Starts a website that is reached at a name or address of this machine. */
export const openWebsite = async (name = "127.0.0.1"): Promise<Website> => {
  const answers = new Map<string, Answer>()
  const server = createServer((request, response) => {
    const answer = answers.get(new URL(request.url ?? "/", "http://localhost").pathname)
    if (answer === undefined) response.writeHead(404).end()
    else response.writeHead(200, { "content-type": answer.type }).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, name === "127.0.0.1" ? name : undefined, resolve))
  return {
    url: `http://${name}:${(server.address() as AddressInfo).port}`,
    put: (path, answer) => {
      answers.set(path, answer)
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}
