/**
 * Lists the calls of the API in a checkout of the official renderer, with their file and line, and marks the ones that
 * `packages/http/test/rendererCalls.test.ts` does not name: `node harness/renderer/calls.ts <checkout>`. It fails if there is one, so that a call of a
 * later commit is not overlooked.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"

const [checkout] = process.argv.slice(2)
if (checkout === undefined) throw new Error("State the path of the checkout.")
const sources = join(resolve(checkout), "packages/gitbook/src")
const test = readFileSync(new URL("../../packages/http/test/rendererCalls.test.ts", import.meta.url), "utf8")

/** A call of a method of the official client, or a request without it. */
const call = /\b(?:api|apiClient)\.[a-z]\w*\.(\w+)\(|\/(insights\/events)`/

const found = readdirSync(sources, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .toSorted()
  .flatMap((file) =>
    readFileSync(join(sources, file), "utf8")
      .split("\n")
      .flatMap((line, index) => {
        const [, method, path] = call.exec(line) ?? []
        const name = method ?? path
        return name === undefined ? [] : [{ name, place: `${file}:${index + 1}` }]
      })
  )
const missing = found.filter(({ place }) => !test.includes(place))
for (const { name, place } of found) {
  console.log(`${test.includes(place) ? " " : "!"} ${place} ${name}`)
}
console.log(`${found.length} calls, ${missing.length} of them not in the test.`)
process.exitCode = missing.length === 0 ? 0 : 1
