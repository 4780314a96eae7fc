/** The contract of the API as a test of a host's own: of the server that it embeds, under a path of its own. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { converters } from "@lectern/converters"
import { createWorkspace } from "@lectern/core"
import { nodeFetcher, toNodeListener } from "@lectern/http"
import { sqlite } from "@lectern/storage-sqlite"
import { contract, type Host } from "@lectern/testkit/contract"
import { Redacted } from "effect"

const prefix = "/docs-api"

/** Starts the host's server, and says how the suite gets people and organizations in it. */
export const openHost = async (): Promise<Host> => {
  const workspace = createWorkspace({
    storage: sqlite(":memory:"),
    publicUrl: `https://acme.example${prefix}`,
    // The suite imports from a website on this machine.
    fetcher: nodeFetcher({ allow: ["127.0.0.1"] }),
    ...converters()
  })
  const { administration, tokens, work } = workspace
  const server = createServer(toNodeListener(workspace, { prefix }))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const users = new Map<string, string>()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    token: async (email) => {
      const user = users.get(email) ?? (await administration.createUser({ email }))
      users.set(email, user)
      const { secret } = await tokens.create({ user, label: "Contract" })
      return Redacted.value(secret)
    },
    organization: (title, admin) => administration.createOrganization({ title }, users.get(admin)!),
    work: () => work.drain(),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await workspace.dispose()
    }
  }
}

/** In a test file of the host: declares the tests. */
export const checkServer = (): void => contract("The API of Acme", openHost)
