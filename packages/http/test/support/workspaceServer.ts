/** A server on a workspace of `createWorkspace`, whose public URL is that of its socket, as identity providers require. */
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { createWorkspace } from "@lectern/core"
import { type HttpOptions, nodeFetcher, toNodeListener } from "@lectern/http"
import { onTestFinished } from "vitest"
import type { memory } from "../stores.ts"

type Options = Parameters<typeof createWorkspace>[0]

/** A server that requests addresses on the loopback interface. */
export interface WorkspaceServer {
  readonly url: string
  readonly workspace: ReturnType<typeof createWorkspace>
  readonly createUser: (email: string) => Promise<string>
  readonly createOrganization: (title: string, administrator: string) => Promise<string>
  readonly tokenOf: (user: string) => Promise<string>
  readonly fetch: (path: string, init?: RequestInit & { readonly token?: string }) => Promise<Response>
}

/** Starts a server, and closes it when the test has finished. */
export const startWorkspace = async (
  { make }: Pick<typeof memory, "make">,
  optionsOf: (url: string) => Partial<Options> = () => ({}),
  httpOptions: HttpOptions = {}
): Promise<WorkspaceServer> => {
  let listener: RequestListener | undefined
  const server = createServer((request, response) => listener?.(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const workspace = createWorkspace({
    storage: await make(),
    publicUrl: url,
    fetcher: nodeFetcher({ allow: ["127.0.0.1"] }),
    ...optionsOf(url)
  } as Options)
  listener = toNodeListener(workspace, httpOptions)
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await workspace.dispose()
  })
  return {
    url,
    workspace,
    createUser: (email) => workspace.administration.createUser({ input: { email } }),
    createOrganization: (title, administrator) =>
      workspace.administration.createOrganization({
        administrator: administrator as never,
        input: { title }
      }),
    tokenOf: async (user) =>
      (await workspace.tokens.create({ input: { user: user as never, label: "Test" } })).secret,
    fetch: (path, { token, ...init } = {}) =>
      fetch(url + path, {
        ...init,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(init.body === undefined ? {} : { "content-type": "application/json" }),
          ...init.headers
        }
      })
  }
}
