/** How the requests of a migration end: immediately if they cannot succeed, and otherwise after repetitions, each with a line. */
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { nodeFetcher } from "@lectern/http"
import { Effect } from "effect"
import { expect, it, onTestFinished } from "vitest"
import { makeApiClient } from "../../lectern/src/migrate/ApiClient.ts"
import { fetchTransport } from "../../lectern/src/migrate/Transport.ts"

const request = async (respond: (response: ServerResponse) => void) => {
  let requests = 0
  const server = createServer((_, response) => {
    requests++
    respond(response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve))
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const lines: Array<string> = []
  const failure = await Effect.runPromise(
    Effect.gen(function* () {
      const api = yield* makeApiClient({
        transport: fetchTransport(nodeFetcher({ allow: [host] })),
        baseUrl: `http://${host}`,
        token: "secret",
        concurrency: 1,
        backoffMillis: 1,
        onWait: (line) => Effect.sync(() => lines.push(line))
      })
      return yield* Effect.flip(api.list("/orgs/o/spaces"))
    })
  )
  return { requests, lines, failure }
}

const redirect = (location: string) => (response: ServerResponse) =>
  response.writeHead(302, { location }).end()

it("a request that cannot succeed is not repeated", async () => {
  for (const [respond, message] of [
    [redirect("http://10.0.0.1/v1/orgs"), "not publicly routable"],
    [redirect("file:///etc/passwd"), "must begin with http"],
    [redirect("http://user:password@example.com/"), "must not contain a user name"],
    [redirect("/v1/again"), "redirects more than 5 times"],
    [
      (response: ServerResponse) => response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
      "text/html"
    ]
  ] as const) {
    const { requests, lines, failure } = await request(respond)
    expect([message, failure.message, failure.isPermanent, lines]).toEqual([
      message,
      expect.stringContaining(message),
      true,
      []
    ])
    expect(requests).toBe(message.includes("5 times") ? 6 : 1)
  }
})

it("each repetition of a request prints a line with the reason, without the token", async () => {
  for (const respond of [
    (response: ServerResponse) => response.writeHead(503).end(),
    (response: ServerResponse) => response.destroy(),
    (response: ServerResponse) => response.writeHead(200, { "content-type": "application/json" }).end('{"it')
  ]) {
    const { requests, lines, failure } = await request(respond)
    expect([requests, lines.length, failure.isPermanent === true]).toEqual([8, 7, false])
    for (const [index, line] of lines.entries()) {
      expect(line).toContain(`GET /v1/orgs/o/spaces failed: ${failure.message} Attempt ${index + 2} of 8`)
      expect(line).not.toContain("secret")
    }
  }
})
