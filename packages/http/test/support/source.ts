/** Something to import from: the same page of markdown at every path. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

/** Serves it until the test has finished; answers its address. */
export const startSource = async (): Promise<string> => {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/markdown" })
    response.end("# Imported\n\nText.\n")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What a server has to be told so that it fetches from there. */
export const fromSource = ["--fetch-allow", "127.0.0.1"]
