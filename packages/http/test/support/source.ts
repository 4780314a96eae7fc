/** A website for imports, with the same Markdown at every path. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

/** Starts the website until the test has finished; returns its URL. */
export const startImportSource = async (): Promise<string> => {
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

/** The flags with which a server can fetch from the website. */
export const allowImportSource = ["--fetch-allow", "127.0.0.1"]
