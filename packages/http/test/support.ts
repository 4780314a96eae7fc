/** A server for tests: the production server on a free port, with any store. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { converters } from "@lectern/converters"
import {
  ApiTokens,
  GitPacks,
  ImportReader,
  MarkdownEngine,
  PdfMaker,
  type RecordsAdapter,
  SpecParser
} from "@lectern/core"
import { type HttpOptions, toNodeListener } from "@lectern/http"
import { makeCoreApi } from "@lectern/testkit/model"
import { Clock, Effect, Layer, Redacted, References } from "effect"
import { onTestFinished } from "vitest"
import { countOperation } from "./support/operations.ts"

/** A server on a workspace whose clock the test controls. */
export interface TestServer {
  readonly url: string
  /** The workspace itself, which creates users and organizations: the API has no operations for that. */
  readonly core: ReturnType<typeof makeCoreApi>
  /** Creates an API token of a user. */
  readonly tokenOf: (user: string) => Promise<string>
  /** Calls the server with a token, or without authentication. */
  readonly fetch: (path: string, init?: RequestInit & { readonly token?: string }) => Promise<Response>
  readonly close: () => Promise<void>
}

const { markdownEngine, importReader, gitPacks, specParser, pdfMaker } = converters()

/** The converters, for stores whose layer does not provide them. */
const defaultConverters = Layer.mergeAll(
  Layer.succeed(MarkdownEngine, markdownEngine),
  Layer.succeed(ImportReader, importReader),
  Layer.succeed(GitPacks, gitPacks),
  Layer.succeed(SpecParser, specParser)
)

/** Starts a server on a store. */
export const startServer = async (
  storage: Layer.Layer<RecordsAdapter, unknown>,
  options: HttpOptions = {}
): Promise<TestServer> => {
  const core = makeCoreApi(Layer.provideMerge(storage, defaultConverters))
  // Requests use the clock that the test controls, and log only errors.
  const runFork: typeof core.runtime.runFork = (effect, runOptions) =>
    core.runtime.runFork(
      effect.pipe(
        Effect.provideService(Clock.Clock, core.clock),
        Effect.provideService(PdfMaker, pdfMaker),
        Effect.provideService(References.MinimumLogLevel, "Error")
      ),
      runOptions
    )
  const host = { runtime: { ...core.runtime, runFork } }
  const listener = toNodeListener(host, { validateResponses: true, ...options })
  const server = createServer(listener).on("request", countOperation)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    core,
    tokenOf: (user) =>
      core.runtime.runPromise(
        Effect.map(
          Effect.flatMap(ApiTokens, (tokens) => tokens.create({ input: { user, label: "Test" } })),
          ({ secret }) => Redacted.value(secret)
        )
      ),
    fetch: (path, { token, ...init } = {}) =>
      fetch(url + path, {
        ...init,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(init.body === undefined ? {} : { "content-type": "application/json" }),
          ...init.headers
        }
      }),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await core.close()
    }
  }
}

/** Starts a server on a new store, and closes it when the test has finished. */
export const startServerOn = async (
  { make }: { readonly make: () => Promise<Layer.Layer<RecordsAdapter, unknown>> },
  options: HttpOptions = {}
): Promise<TestServer> => {
  const server = await startServer(await make(), options)
  onTestFinished(() => server.close())
  return server
}
