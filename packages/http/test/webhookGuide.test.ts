/** The code of the guide in docs/webhooks.md. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createWorkspace, Fetcher } from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Layer } from "effect"
import { expect, it, onTestFinished } from "vitest"
import { temporaryFolder } from "./stores.ts"

interface Guide {
  readonly isAuthentic: (header: string, body: string, secret: string, nowSeconds: number) => boolean
}

/** Imports the first block of TypeScript in the guide. */
const importGuide = (): Promise<Guide> => {
  const guide = readFileSync(new URL("../../../docs/webhooks.md", import.meta.url), "utf8")
  const code = /```ts\n([\s\S]*?)```/.exec(guide)?.[1]
  const file = join(temporaryFolder(), "guide.ts")
  writeFileSync(file, code ?? "")
  return import(file) as Promise<Guide>
}

it("the code of the guide accepts the requests of a webhook, and rejects others", async () => {
  const { isAuthentic } = await importGuide()
  const requests: Array<{ readonly body: string; readonly header: string }> = []
  const fetcher = Layer.succeed(Fetcher, ({ url, post }) =>
    Effect.sync(() => {
      requests.push({
        body: new TextDecoder().decode(post?.body),
        header: post?.headers["x-gitbook-signature"] ?? ""
      })
      return { url, status: 200, contentType: "", body: new Uint8Array(0) }
    })
  )
  const workspace = createWorkspace({ storage: MemoryStorage.layer().pipe(Layer.provideMerge(fetcher)) })
  onTestFinished(() => workspace.dispose())
  const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
  const organization = await workspace.administration.createOrganization({
    administrator: user,
    input: { title: "Acme" }
  })
  const ada = workspace.as(user)
  const input = { url: "https://example.com/hook" }
  const { id: webhook, secret: former } = await ada.webhooks.create({ organization, input })
  const { secret } = await ada.webhooks.rotateSecret({ organization, webhook })
  await ada.spaces.create({ organization })
  await workspace.work.drain()
  const { header, body } = requests.at(-1)!
  const nowSeconds = Math.floor(Date.now() / 1_000)
  expect(isAuthentic(header, body, secret, nowSeconds)).toBe(true)
  expect(isAuthentic(header, body, former, nowSeconds)).toBe(true)
  expect(isAuthentic(header, `${body} `, secret, nowSeconds)).toBe(false)
  expect(isAuthentic(header, body, "whsec_other", nowSeconds)).toBe(false)
  expect(isAuthentic(header, body, secret, nowSeconds + 400)).toBe(false)
  expect(isAuthentic("", body, secret, nowSeconds)).toBe(false)
})
