/** The host of the links in the results of every operation, from the table of operations. */
import { callOperations } from "@lectern/harness/operations"
import { expect, it, onTestFinished } from "vitest"
import { startScene } from "./support/startScene.ts"

/**
 * Results that identify the workspace to other services have its public URL, and so do links that sign in: a forged host must not
 * receive their secrets.
 */
const isFixed = (link: string): boolean => /\/sso\/(saml|oidc)\/|\/~\/(sign-in\/|login$)/.test(link)

it("every link in a result has the host that a trusted proxy reports, also if the result is cached", async () => {
  const scene = await startScene(undefined, { trustedProxies: ["127.0.0.1"], publicHosts: ["links.example"] })
  onTestFinished(() => scene.server.close())
  const { token, server } = scene
  const violations: Array<string> = []
  let linkCount = 0
  await callOperations(scene, async ({ id, isWrite }, { method, address, body }) => {
    const saved = scene.save()
    const send = async (headers: Record<string, string>) => {
      // A rewind empties caches.
      if (isWrite) saved.rewind()
      const init = { method, token, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
      const response = await server.fetch(address, init)
      const text = `${response.headers.get("location") ?? ""} ${await response.text()}`
      return text.match(/https?:\/\/(?:127\.0\.0\.1:4400|links\.example)[^"\s]*/g) ?? []
    }
    const proxied = { "x-forwarded-host": "links.example", "x-forwarded-proto": "https" }
    const before = await send({})
    const links = await send(proxied)
    const after = await send({})
    const expectAll = (all: ReadonlyArray<string>, base: string, when: string) => {
      linkCount += all.length
      for (const link of all) {
        if (!isFixed(link) && !link.startsWith(base)) violations.push(`${id} ${when}: ${link}`)
      }
    }
    expectAll(before, "http://127.0.0.1:4400/", "before")
    expectAll(links, "https://links.example/", "by a proxy")
    expectAll(after, "http://127.0.0.1:4400/", "after")
    if (links.length !== before.length) violations.push(`${id}: ${links.length} links of ${before.length}`)
  })
  expect(violations).toEqual([])
  // A lower bound, so that the test fails if operations are skipped.
  expect(linkCount).toBeGreaterThan(500)
})
