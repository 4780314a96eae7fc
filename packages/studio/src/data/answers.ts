/** Questions to the language model of the server, which not every server has, and their answers as streams. */
import type { JSONDocumentEncoded } from "@lectern/client/fetch"
import { requestStream } from "../session.ts"
import { type Resource, useResource } from "./useResource.ts"

/** An answer as far as it is generated. */
export interface Answer {
  readonly document: JSONDocumentEncoded
  /** The cited pages. */
  readonly sources: ReadonlyArray<{ readonly space: string; readonly page: string }>
  readonly followUpQuestions: ReadonlyArray<string>
}

interface AnswerEvent {
  readonly answer?: {
    readonly answer?: { readonly document: JSONDocumentEncoded }
    readonly sources: Answer["sources"]
    readonly followupQuestions: ReadonlyArray<string>
  }
  readonly error?: { readonly message: string }
}

const loadAvailability = async (signal: AbortSignal): Promise<boolean> => {
  const response = await requestStream("/ask", signal)
  if (!response.ok) return false
  const { isAvailable } = (await response.json()) as { readonly isAvailable?: boolean }
  return isAvailable === true
}

/** How long the availability is displayed without a request, in milliseconds: it changes when the server is restarted. */
const availabilityMs = 300_000

/** Whether the server has a language model. */
export const useAnswers = (): Resource<boolean> =>
  useResource("server/answers", loadAvailability, { staleAfterMs: availabilityMs })

/** Reads the data of server-sent events. Comments and names of events are skipped. */
const readEvents = async (
  body: ReadableStream<Uint8Array>,
  onEvent: (event: AnswerEvent) => void
): Promise<void> => {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ""
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const events = (rest + decoder.decode(value, { stream: true })).split("\n\n")
    rest = events.pop() ?? ""
    for (const event of events) {
      const data = event.split("\n").find((line) => line.startsWith("data: "))
      if (data !== undefined) onEvent(JSON.parse(data.slice("data: ".length)) as AnswerEvent)
    }
  }
}

const readError = async (response: Response): Promise<string> => {
  const body = (await response.json().catch(() => ({}))) as AnswerEvent
  return body.error?.message ?? response.statusText
}

/** Streams the answer of a question about the organization. Rejects with the message of the server. */
export const streamAnswer = async (
  organization: string,
  question: string,
  signal: AbortSignal,
  onAnswer: (answer: Answer) => void
): Promise<void> => {
  const query = new URLSearchParams({ query: question, format: "document" })
  const response = await requestStream(
    `/orgs/${encodeURIComponent(organization)}/ask/stream?${query}`,
    signal
  )
  if (!response.ok || response.body === null) throw new Error(await readError(response))
  await readEvents(response.body, ({ answer, error }) => {
    if (error !== undefined) throw new Error(error.message)
    if (answer?.answer === undefined) return
    onAnswer({
      document: answer.answer.document,
      sources: answer.sources,
      followUpQuestions: answer.followupQuestions
    })
  })
}
