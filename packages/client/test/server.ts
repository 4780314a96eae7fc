/** Starts servers for tests: the real one, over SQLite in memory, and one that never responds. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createWorkspace } from "@lectern/core"
import { type HttpOptions, toNodeListener } from "@lectern/http"
import { sqlite } from "@lectern/storage-sqlite"
import { Redacted } from "effect"

/** A running server with one organization, and the token of its administrator. */
export interface TestServer {
  readonly baseUrl: string
  readonly token: Redacted.Redacted<string>
  readonly organizationId: string
  readonly close: () => Promise<void>
}

/** Starts a server on a free port. Its `baseUrl` includes the prefix of the options. */
export const startServer = async (options: HttpOptions = {}): Promise<TestServer> => {
  const workspace = createWorkspace({ storage: sqlite(":memory:") })
  const ada = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
  const organizationId = await workspace.administration.createOrganization({
    administrator: ada,
    input: { title: "Acme" }
  })
  const { secret } = await workspace.tokens.create({ input: { user: ada, label: "Test" } })
  const server = createServer(toNodeListener(workspace, options))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}${options.prefix ?? ""}`,
    token: Redacted.make(secret),
    organizationId,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await workspace.dispose()
    }
  }
}

/** Starts a server that accepts requests and never responds. */
export const startSilentServer = async () => {
  let onRequest: () => void
  let onClose: () => void
  const requested = new Promise<void>((resolve) => {
    onRequest = resolve
  })
  const closed = new Promise<void>((resolve) => {
    onClose = resolve
  })
  const server = createServer((_, response) => {
    response.once("close", () => onClose())
    onRequest()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Resolves when a request has arrived. */
    requested,
    /** Resolves when the client has closed the connection of a request. */
    closed,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
