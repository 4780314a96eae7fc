/** Tests of the fuzz runs: they detect servers that are broken on purpose. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Api } from "@lectern/client"
import { type PlainRow, RecordsAdapter } from "@lectern/core"
import { fuzz, type Report } from "@lectern/harness/fuzz"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { fuzzHostOf } from "./support/fuzzHost.ts"
import { startServer } from "./support.ts"

type Adapter = RecordsAdapter["Service"]

/** Changes the status and the body of a response. */
type Change = (
  request: IncomingMessage,
  status: number,
  body: string
) => readonly [status: number, body: string] | "hang"

/** Starts a proxy that changes the responses of a server. */
const startChangingProxy = async (url: string, change: Change) => {
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const chunks: Array<Uint8Array> = []
    for await (const chunk of incoming) chunks.push(chunk as Uint8Array)
    const headers = { authorization: incoming.headers.authorization ?? "" }
    const type = incoming.headers["content-type"]
    const body = Buffer.concat(chunks)
    const response = await fetch(url + incoming.url, {
      method: incoming.method ?? "GET",
      headers: type === undefined ? headers : { ...headers, "content-type": type },
      ...(body.length === 0 ? {} : { body })
    })
    const result = change(incoming, response.status, await response.text())
    if (result === "hang") return
    const [status, text] = result
    outgoing.writeHead(status, text === "" ? {} : { "content-type": "application/json" })
    outgoing.end(text)
  }
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

/** Fuzzes the operations of translations on a server with a broken store, or with changed responses. */
const runFuzz = async ({
  store = () => ({}),
  changeResponse,
  requestsPerKind = 6,
  timeoutMs = 60_000
}: {
  readonly store?: (adapter: Adapter) => Partial<Adapter>
  readonly changeResponse?: Change
  readonly requestsPerKind?: number
  readonly timeoutMs?: number
}): Promise<Report> => {
  const storage = Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (adapter) => RecordsAdapter.of({ ...adapter, ...store(adapter) }))
  ).pipe(Layer.provide(MemoryStorage.layer()))
  const server = await startServer(storage, { validateResponses: false })
  const proxy =
    changeResponse === undefined ? undefined : await startChangingProxy(server.url, changeResponse)
  try {
    return await fuzz({
      api: Api,
      host: fuzzHostOf(server, proxy?.url),
      requestsPerKind: requestsPerKind,
      timeoutMs,
      seedsSites: false,
      isIncluded: (operation) => /Translation/.test(operation)
    })
  } finally {
    proxy?.close()
    await server.close()
  }
}

const expectFailure = async (failurePattern: RegExp, broken: Parameters<typeof runFuzz>[0]) => {
  const { failures } = await runFuzz(broken)
  expect(
    failures.some((failure) => failurePattern.test(failure)),
    failures.join("\n")
  ).toBe(true)
  expect(failures.join("\n")).toMatch(/curl -i --path-as-is -X|has changed/)
}

const isTranslations = ({ url }: IncomingMessage) => /translations/.test(url ?? "")

it("passes a correct server", async () => {
  const report = await runFuzz({})
  expect(report.failures).toEqual([])
  expect(report.undertested).toEqual([])
})

it("detects an operation that throws", () =>
  expectFailure(/\(\w+\) returned 500/, {
    store: ({ insert }) => ({
      insert: (table, rows) =>
        table.name === "translations" && !/ (own|secret)/.test(String(rows[0]?.title))
          ? Effect.die(new Error("not of those that are there to begin with"))
          : insert(table, rows)
    })
  }))

it("detects a list that includes rows of other organizations", () =>
  expectFailure(/disclosed \w+ of the other organization/, {
    store: ({ find }) => ({
      find: (table, options) =>
        find(
          table,
          table.name === "translations" ? { ...options, where: { op: "and", conditions: [] } } : options
        )
    })
  }))

it("detects a change of another organization's resources", () =>
  expectFailure(/of the other organization has changed/, {
    store: ({ update }) => ({
      update: (table, where, change) =>
        update(table, table.name === "translations" ? { op: "and", conditions: [] } : where, change)
    })
  }))

it("detects a response body that violates its schema", () =>
  expectFailure(/returned 20\d, and has a body that does not match its schema: .*languages/, {
    store: ({ find }) => ({
      find: (table, options) =>
        Effect.map(find(table, options), (rows) =>
          table.name === "translations" ? rows.map((row): PlainRow => ({ ...row, languages: 5 })) : rows
        )
    })
  }))

it("detects an undeclared status", () =>
  expectFailure(/returned the undeclared status 418/, {
    changeResponse: (request, status, body) =>
      isTranslations(request) && status === 404 ? [418, body.replace("404", "418")] : [status, body]
  }))

it("detects an error without the path of the invalid field", () =>
  expectFailure(/reported an error at \["elsewhere"\], which is not the defect of the input/, {
    changeResponse: (_, status, body) =>
      status === 400 ? [status, body.replaceAll(/"path":"[^"]*"/g, '"path":"elsewhere"')] : [status, body]
  }))

it("detects invalid input that is accepted", () =>
  expectFailure(/\(mutated\) returned 200, expected 400/, {
    changeResponse: (_, status, body) => (status === 400 ? [200, body] : [status, body])
  }))

it("detects 404 for invalid input of a caller who can see the resource", () =>
  expectFailure(/\(mutated\) returned 404, expected 400/, {
    changeResponse: (_, status, body) =>
      status === 400
        ? [404, body.replace('"code":400', '"code":404').replace("InvalidFields", "TranslationNotFound")]
        : [status, body]
  }))

it("detects a request without a response", () =>
  expectFailure(/got no response: Error: The server did not respond within 200 ms/, {
    changeResponse: (request, status, body) =>
      request.method === "PUT" && status === 400 ? "hang" : [status, body],
    requestsPerKind: 2,
    timeoutMs: 200
  }))

it("detects an operation that never succeeds", async () => {
  const { undertested } = await runFuzz({
    changeResponse: (request, status, body) =>
      request.method === "DELETE" && status === 205
        ? [
            404,
            JSON.stringify({
              error: { code: 404, reason: "TranslationNotFound", message: "There is no such thing." }
            })
          ]
        : [status, body],
    requestsPerKind: 35
  })
  expect(undertested.join()).toMatch(/deleteTranslation: 0 of \d+ valid requests succeeded/)
})
