/**
 * A server with the OpenAI-compatible interface of chat completions, for tests: it answers deterministically, or as hostile as a test
 * chooses.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A request that the server has received. */
export interface ModelRequest {
  readonly authorization: string | undefined
  readonly body: {
    readonly model: string
    readonly stream?: boolean
    readonly tools?: unknown
    readonly max_tokens?: number
    readonly messages: ReadonlyArray<{ readonly role: string; readonly content: string }>
  }
}

/** Responds to a request. */
export type ModelBehavior = (request: ModelRequest, response: ServerResponse) => void

/** A running server. */
export interface ModelServer {
  /** The base URL, for `LECTERN_MODEL_URL`. */
  readonly url: string
  readonly requests: ReadonlyArray<ModelRequest>
  /** Replaces the behavior of the next requests. */
  readonly behave: (behavior: ModelBehavior) => void
  /** The number of requests that the client has ended before the response was complete. */
  readonly canceled: () => number
  readonly close: () => Promise<void>
}

const eventOf = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

/** The event of a piece of generated text. */
export const deltaEvent = (content: string): string =>
  eventOf({ id: "1", object: "chat.completion.chunk", choices: [{ index: 0, delta: { content } }] })

const finishEvents = `${eventOf({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}${eventOf({
  choices: [],
  usage: { prompt_tokens: 100, completion_tokens: 20 }
})}data: [DONE]\n\n`

/** Begins a stream. */
export const beginStream = (response: ServerResponse): void => {
  response.writeHead(200, { "content-type": "text/event-stream" })
}

/** Streams text in pieces of a few characters, as models do. */
export const streamText =
  (text: string, pieceLength = 7): ModelBehavior =>
  (_, response) => {
    beginStream(response)
    for (let at = 0; at < text.length; at += pieceLength) {
      response.write(deltaEvent(text.slice(at, at + pieceLength)))
    }
    response.end(finishEvents)
  }

/** The data of a prompt: the last message, which is JSON. */
export const promptData = ({ body }: ModelRequest): Record<string, unknown> =>
  JSON.parse(body.messages.at(-1)?.content ?? "{}") as Record<string, unknown>

interface PromptDocument {
  readonly id: number
  readonly title: string
  readonly sections: ReadonlyArray<{ readonly heading: string; readonly text: string }>
}

/** Answers with the begin of each document, cites it, and suggests a question about its title. */
export const quoteDocuments: ModelBehavior = (request, response) => {
  const { documents, pages } = promptData(request) as {
    readonly documents?: ReadonlyArray<PromptDocument>
    readonly pages?: ReadonlyArray<string>
  }
  if (pages !== undefined) {
    return streamText(pages.map((title, index) => `${index + 1}. What is ${title}?`).join("\n"))(
      request,
      response
    )
  }
  const quotes = (documents ?? []).map(({ id, sections }) => {
    const [first = ""] = (sections[0]?.text ?? "").split("\n")
    return `${first} [${id}]`
  })
  const questions = (documents ?? []).map(({ title }) => `More about ${title}?`)
  return streamText(`${quotes.join("\n\n")}\n===questions===\n${questions.join("\n")}`)(request, response)
}

const readBody = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks).toString("utf8")
}

/** Starts a server on a free port. It quotes documents until a test replaces its behavior. */
export const startModelServer = async (): Promise<ModelServer> => {
  const requests: Array<ModelRequest> = []
  let behavior: ModelBehavior = quoteDocuments
  let canceled = 0
  const server = createServer((incoming, response) => {
    response.on("close", () => {
      if (!response.writableFinished) canceled++
    })
    response.on("error", () => {})
    void readBody(incoming).then((text) => {
      const request: ModelRequest = {
        authorization: incoming.headers.authorization,
        body: JSON.parse(text) as ModelRequest["body"]
      }
      requests.push(request)
      if (incoming.method !== "POST" || incoming.url !== "/v1/chat/completions") {
        response.writeHead(404).end()
        return
      }
      behavior(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    behave: (next) => {
      behavior = next
    },
    canceled: () => canceled,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
