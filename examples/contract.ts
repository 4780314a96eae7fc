/** Runs the contract suite of the API in the tests of a host, against the server that the host embeds. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { converters } from "@lectern/converters"
import { createWorkspace } from "@lectern/core"
import { nodeFetcher, toNodeListener } from "@lectern/http"
import { sqlite } from "@lectern/storage-sqlite"
import { type Host, serverContract } from "@lectern/testkit/contract"

const prefix = "/docs-api"

/** Starts the host's server. The suite creates users, tokens and organizations with the returned functions. */
export const openHost = async (): Promise<Host> => {
  const workspace = createWorkspace({
    storage: sqlite(":memory:"),
    publicUrl: `https://acme.example${prefix}`,
    // The suite imports a website from the local machine.
    fetcher: nodeFetcher({ allow: ["127.0.0.1"] }),
    ...converters()
  })
  const { administration, tokens, work } = workspace
  const server = createServer(toNodeListener(workspace, { prefix }))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const users = new Map<string, string>()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    createToken: async (email) => {
      const user = users.get(email) ?? (await administration.createUser({ input: { email } }))
      users.set(email, user)
      const { secret } = await tokens.create({ input: { user, label: "Contract" } })
      return secret
    },
    createOrganization: (title, admin) =>
      administration.createOrganization({ administrator: users.get(admin)!, input: { title } }),
    runJobs: () => work.drain(),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await workspace.dispose()
    }
  }
}

/** Declares the tests. Call it in a test file. */
export const declareContractTests = (): void => serverContract("The API of Acme", openHost)
