// cspell:disable
/** A workspace with a translation, and models that translate for tests. */
import type { ServerResponse } from "node:http"
import { Jobs, type Translation } from "@lectern/core"
import { type ModelBehavior, type ModelRequest, promptData } from "@lectern/harness/models"
import { Clock, Effect } from "effect"
import type { TestServer } from "../support.ts"
import { type AnswersSetup, createContent, startAnswers } from "./answers.ts"

/** A run, as the API returns it. */
export interface Run {
  readonly status: "running" | "completed" | "failed" | "cancelled"
  readonly pages: number
  readonly done: number
  readonly progress: number
  readonly translated: number
  readonly reused: number
  readonly untranslatedTexts: number
  readonly untranslated: ReadonlyArray<{
    readonly page?: string
    readonly text: string
    readonly reason: string
  }>
  readonly space?: string
  readonly changeRequest?: string
  readonly error?: string
}

/** The strings of a request by their keys. */
export const textsOf = (request: ModelRequest): Readonly<Record<string, string>> =>
  (promptData(request).strings ?? {}) as Readonly<Record<string, string>>

/** Responds with a completion that is not streamed. */
export const respondWith = (response: ServerResponse, content: string): void => {
  response.writeHead(200, { "content-type": "application/json" })
  response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: "stop" }] }))
}

/** Replaces each word outside of placeholders. */
export const translateWith = (text: string, word: (word: string) => string): string =>
  text
    .split(/(<\/?\d+\/?>|&[a-z]+;)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/\p{L}+/gu, word)))
    .join("")

/** A model that translates a word by a letter before it: `words` is `Xwords`. It surrounds its JSON with a fence, as models do. */
export const translating: ModelBehavior = (request, response) => {
  const translated = Object.fromEntries(
    Object.entries(textsOf(request)).map(([key, text]) => [key, translateWith(text, (word) => `X${word}`)])
  )
  respondWith(response, `Here is the translation:\n\`\`\`json\n${JSON.stringify(translated)}\n\`\`\``)
}

/** Starts a server with a translation of the guide into French. */
export const startTranslation = async (setup: AnswersSetup = {}) => {
  const started = await startAnswers({
    limits: { tokensPerDay: 100_000_000 },
    ...setup
  })
  const content = await createContent(started)
  const { call, organization, guide, token } = content
  started.model.behave(translating)
  const at = `/orgs/${organization}/translations`
  const create = async (input: object = {}) =>
    (
      await call<Translation>("createTranslation", "POST", at, {
        source: { space: guide, language: "en" },
        language: "fr",
        ...input
      })
    ).value
  const translation = await create()
  const path = `${at}/${translation.id}`
  const send = (method: string, suffix: string, by = token) =>
    started.server.fetch(`/v1${path}${suffix}`, { method, token: by })
  const readRun = async (): Promise<Run> => (await (await send("GET", "/run")).json()) as Run
  /** Waits until the run has ended. */
  const ended = async (): Promise<Run> => {
    for (let attempt = 0; attempt < 200; attempt++) {
      const run = await readRun()
      if (run.status !== "running") return run
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    throw new Error("The run has not ended.")
  }
  const run = async (): Promise<Run> => {
    const response = await send("POST", "/run")
    if (response.status !== 204) throw new Error(`${response.status} ${await response.text()}`)
    return ended()
  }
  const edit = (space: string, ...changes: ReadonlyArray<object>) =>
    call("", "POST", `/spaces/${space}/content`, { changes })
  /** Returns the Markdown of the pages of content, by their titles. */
  const pagesOf = async (base: string): Promise<Readonly<Record<string, string>>> => {
    interface Listed {
      readonly id: string
      readonly title: string
      readonly pages?: ReadonlyArray<Listed>
    }
    const { value } = await call<{ readonly pages: ReadonlyArray<Listed> }>("", "GET", `${base}/content`)
    const flat = (pages: ReadonlyArray<Listed>): ReadonlyArray<Listed> =>
      pages.flatMap((page) => [page, ...flat(page.pages ?? [])])
    const bodies: Record<string, string> = {}
    for (const { id, title } of flat(value.pages)) {
      const page = await call<{ readonly markdown?: string }>(
        "",
        "GET",
        `${base}/content/page/${id}?format=markdown`
      )
      bodies[title] = page.value.markdown ?? ""
    }
    return bodies
  }
  const merge = ({ space, changeRequest }: Run) =>
    call("", "POST", `/spaces/${space}/change-requests/${changeRequest}/merge`)
  return {
    ...started,
    ...content,
    at,
    path,
    translation,
    create,
    send,
    readRun,
    ended,
    run,
    edit,
    pagesOf,
    merge
  }
}

/** Returns the functions that observe a translation of a server: its settings, and its last run. */
export const observeTranslation = (
  server: Pick<TestServer, "fetch">,
  { path, token }: { readonly path: string; readonly token: string }
) => {
  const send = (method: string, suffix: string) => server.fetch(`/v1${path}${suffix}`, { method, token })
  return {
    send,
    settings: async () => (await (await send("GET", "")).json()) as Translation,
    run: async () => (await (await send("GET", "/run")).json()) as Run
  }
}

/** Starts the recurring jobs that end interrupted runs, as the start of a server does. They run with `core.work()`. */
export const startRecurringJobs = async ({ core }: Pick<TestServer, "core">): Promise<void> => {
  const recurring = {
    ...{ kind: "translations.endInterrupted", everyMillis: 60_000 },
    run: () => Effect.succeed(Effect.void),
    locks: () => []
  }
  await core.runtime.runPromise(
    Effect.provideService(
      Effect.flatMap(Jobs, (jobs) => jobs.schedule([recurring])),
      Clock.Clock,
      core.clock
    )
  )
  await core.work()
}
