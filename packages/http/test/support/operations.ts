/** Counts the operations that tests have called, for the summary of the test run. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { Api } from "@lectern/client"
import { HttpApi } from "effect/http-api"
import { tally } from "../../../../testing/tally.ts"

const operations: Array<{ readonly identifier: string; readonly method: string; readonly path: RegExp }> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint: { identifier, method, path } }) => {
    const parts = path.split("/").map((part) => (part === ":pagePath" ? ".+" : part.replace(/^:.*/, "[^/]+")))
    operations.push({ identifier, method, path: new RegExp(`^${parts.join("/")}$`) })
  }
})
// Literal paths take precedence over paths with parameters.
operations.sort((a, b) => a.path.source.split("[^/]+").length - b.path.source.split("[^/]+").length)

/** Counts the operation that a request calls, if it succeeds. */
export const countOperation = ({ method, url = "" }: IncomingMessage, response: ServerResponse): void => {
  response.once("finish", () => {
    if (response.statusCode >= 400) return
    const [path = ""] = url.split("?")
    const found = operations.find((operation) => operation.method === method && operation.path.test(path))
    if (found !== undefined) tally().operations.add(found.identifier)
  })
}
