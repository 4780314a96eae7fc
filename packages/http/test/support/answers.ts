/** A server with answers by a model for tests, and a workspace with a public, a private and a published space. */
import { modelAnswers } from "@lectern/answers"
import type { RecordsAdapter, Site, Space } from "@lectern/core"
import { startModelServer } from "@lectern/harness/models"
import { type HttpOptions, nodeFetcher } from "@lectern/http"
import type { Layer } from "effect"
import { onTestFinished } from "vitest"
import { memory } from "../stores.ts"
import { startServer } from "../support.ts"
import { callerOf } from "./sites.ts"

/** Options of {@link startAnswers}. */
export interface AnswersSetup {
  /** The store; one in memory by default. */
  readonly storage?: Layer.Layer<RecordsAdapter, unknown>
  readonly limits?: NonNullable<Parameters<typeof modelAnswers>[0]["limits"]>
  readonly timeoutMillis?: number
  readonly http?: HttpOptions
}

/** Starts a model and a server that asks it, which the caller closes. */
export const openAnswers = async ({
  storage,
  limits = {},
  timeoutMillis = 5_000,
  http = {}
}: AnswersSetup = {}) => {
  const model = await startModelServer()
  const server = await startServer(storage ?? (await memory.make()), {
    answers: modelAnswers({
      url: model.url,
      name: "test-model",
      timeoutMillis,
      limits,
      fetch: nodeFetcher({ allow: [new URL(model.url).host] })
    }),
    ...http
  })
  return {
    model,
    server,
    close: async () => {
      await model.close()
      await server.close()
    }
  }
}

/** Starts a model and a server that asks it, until the test has finished. */
export const startAnswers = async (setup?: AnswersSetup) => {
  const started = await openAnswers(setup)
  onTestFinished(started.close)
  return started
}

/** The page that no answer for others may contain. */
export const secretText = "The launch code is KESTREL-99."

/** Creates an organization with a space for everyone, a space that only its administrator reads, and a site of the first. */
export const createContent = async ({ server }: Pick<Awaited<ReturnType<typeof startAnswers>>, "server">) => {
  const admin = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", admin)
  const token = await server.tokenOf(admin)
  const call = callerOf(server, token)
  const createSpace = async (
    title: string,
    pages: ReadonlyArray<readonly [title: string, markdown: string]>
  ) => {
    const { value: space } = await call<Space>("", "POST", `/orgs/${organization}/spaces`, { title })
    await call("", "POST", `/spaces/${space.id}/content`, {
      changes: pages.map(([pageTitle, markdown]) => ({
        operation: "insert_page",
        title: pageTitle,
        document: { markdown }
      }))
    })
    return space.id
  }
  const guide = await createSpace("Guide", [
    ["Start", "Welcome to the launch guide."],
    [
      "Install",
      "Run the installer with `npm ci`.\n\n## Code of the launch\n\nAsk an operator for the launch code."
    ]
  ])
  const secret = await createSpace("Secret", [["Codes", secretText]])
  const created = await call<Site>("", "POST", `/orgs/${organization}/sites`, {
    title: "Docs",
    spaces: [guide]
  })
  const at = `/orgs/${organization}/sites/${created.value.id}`
  const { value: site } = await call<Site>("", "POST", `${at}/publish`)
  const { value: customization } = await call<object>("", "GET", `${at}/customization`)
  await call("", "PUT", `${at}/customization`, { ...customization, ai: { mode: "search" } })
  return { admin, organization, token, call, guide, secret, site, at, createSpace }
}

/** Reads the events of a stream: the data of each, with its name. */
export const eventsOf = async (
  response: Response
): Promise<ReadonlyArray<{ readonly name: string; readonly data: Record<string, unknown> }>> =>
  (await response.text())
    .split("\n\n")
    .filter((block) => block.includes("data: "))
    .map((block) => ({
      name: /^event: (.*)$/m.exec(block)?.[1] ?? "message",
      data: JSON.parse(/^data: (.*)$/m.exec(block)![1]!) as Record<string, unknown>
    }))
