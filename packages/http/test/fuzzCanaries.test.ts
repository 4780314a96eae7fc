/** Servers that are broken on purpose: a fuzz run that lets one of them pass has no teeth. */
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

/** Changes an answer: its status and its body. */
type Change = (
  request: IncomingMessage,
  status: number,
  body: string
) => readonly [status: number, body: string] | "hang"

/** Something in front of a server that changes what it answers. */
const inFront = async (url: string, change: Change) => {
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const chunks: Array<Uint8Array> = []
    for await (const chunk of incoming) chunks.push(chunk as Uint8Array)
    const headers = { authorization: incoming.headers.authorization ?? "" }
    const type = incoming.headers["content-type"]
    const body = Buffer.concat(chunks)
    const answer = await fetch(url + incoming.url, {
      method: incoming.method ?? "GET",
      headers: type === undefined ? headers : { ...headers, "content-type": type },
      ...(body.length === 0 ? {} : { body })
    })
    const changed = change(incoming, answer.status, await answer.text())
    if (changed === "hang") return
    const [status, text] = changed
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

/** Fuzzes a few operations of a server whose store, or whose answers, are broken. */
const fuzzed = async ({
  store = () => ({}),
  answers,
  each = 6,
  timeoutMs = 60_000
}: {
  readonly store?: (adapter: Adapter) => Partial<Adapter>
  readonly answers?: Change
  readonly each?: number
  readonly timeoutMs?: number
}): Promise<Report> => {
  const storage = Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (adapter) => RecordsAdapter.of({ ...adapter, ...store(adapter) }))
  ).pipe(Layer.provide(MemoryStorage.layer()))
  const server = await startServer(storage, { validateResponses: false })
  const front = answers === undefined ? undefined : await inFront(server.url, answers)
  try {
    return await fuzz({
      api: Api,
      host: fuzzHostOf(server, front?.url),
      requestsPerKind: each,
      timeoutMs,
      seedsSites: false,
      isIncluded: (operation) => /Translation/.test(operation)
    })
  } finally {
    front?.close()
    await server.close()
  }
}

const finds = async (what: RegExp, broken: Parameters<typeof fuzzed>[0]) => {
  const { failures } = await fuzzed(broken)
  expect(
    failures.some((failure) => what.test(failure)),
    failures.join("\n")
  ).toBe(true)
  expect(failures.join("\n")).toMatch(/curl -i --path-as-is -X|has changed/)
}

const isTranslations = ({ url }: IncomingMessage) => /translations/.test(url ?? "")

it("a server that is whole passes", async () => {
  const report = await fuzzed({})
  expect(report.failures).toEqual([])
  expect(report.undertested).toEqual([])
})

it("what throws is found", () =>
  finds(/\(\w+\) returned 500/, {
    store: ({ insert }) => ({
      insert: (table, rows) =>
        table.name === "translations" && !/ (own|secret)/.test(String(rows[0]?.title))
          ? Effect.die(new Error("not of those that are there to begin with"))
          : insert(table, rows)
    })
  }))

it("a list that forgets whose it is, is found", () =>
  finds(/disclosed \w+ of the other organization/, {
    store: ({ find }) => ({
      find: (table, options) =>
        find(
          table,
          table.name === "translations" ? { ...options, where: { op: "and", conditions: [] } } : options
        )
    })
  }))

it("a change of what another has is found", () =>
  finds(/of the other organization has changed/, {
    store: ({ update }) => ({
      update: (table, where, change) =>
        update(table, table.name === "translations" ? { op: "and", conditions: [] } : where, change)
    })
  }))

it("an answer that is not as declared is found", () =>
  finds(/returned 20\d, and has a body that does not match its schema: .*languages/, {
    store: ({ find }) => ({
      find: (table, options) =>
        Effect.map(find(table, options), (rows) =>
          table.name === "translations" ? rows.map((row): PlainRow => ({ ...row, languages: 5 })) : rows
        )
    })
  }))

it("a status that is not declared is found", () =>
  finds(/returned the undeclared status 418/, {
    answers: (request, status, body) =>
      isTranslations(request) && status === 404 ? [418, body.replace("404", "418")] : [status, body]
  }))

it("what is wrong and is not named is found", () =>
  finds(/reported an error at \["elsewhere"\], which is not the defect of the input/, {
    answers: (_, status, body) =>
      status === 400 ? [status, body.replaceAll(/"path":"[^"]*"/g, '"path":"elsewhere"')] : [status, body]
  }))

it("what is wrong and is taken is found", () =>
  finds(/\(mutated\) returned 200, expected 400/, {
    answers: (_, status, body) => (status === 400 ? [200, body] : [status, body])
  }))

it("finds invalid input that is reported as missing, to callers who can see the resource", () =>
  finds(/\(mutated\) returned 404, expected 400/, {
    answers: (_, status, body) =>
      status === 400
        ? [404, body.replace('"code":400', '"code":404').replace("InvalidFields", "TranslationNotFound")]
        : [status, body]
  }))

it("what does not answer is found", () =>
  finds(/got no response: Error: The server did not respond within 200 ms/, {
    answers: (request, status, body) =>
      request.method === "PUT" && status === 400 ? "hang" : [status, body],
    each: 2,
    timeoutMs: 200
  }))

it("an operation that is never done is found", async () => {
  const { undertested } = await fuzzed({
    answers: (request, status, body) =>
      request.method === "DELETE" && status === 205
        ? [
            404,
            JSON.stringify({
              error: { code: 404, reason: "TranslationNotFound", message: "There is no such thing." }
            })
          ]
        : [status, body],
    each: 35
  })
  expect(undertested.join()).toMatch(/deleteTranslation: 0 of \d+ valid requests succeeded/)
})
