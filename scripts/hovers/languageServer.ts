/** A client of the language service of TypeScript, over its language server. */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

interface Message {
  readonly id?: number
  readonly method?: string
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

/** The position of a character, from 0. */
export interface Position {
  readonly line: number
  readonly character: number
}

/** The language service of a project. */
export interface LanguageServer {
  /** Sends a request about a file, and returns its result. */
  readonly request: (method: string, file: string, parameters?: object) => Promise<unknown>
  readonly close: () => void
}

const separator = "\r\n\r\n"

/** Starts the language server of the compiler in a folder, and opens files. */
export const startLanguageServer = async (
  root: string,
  files: ReadonlyArray<string>
): Promise<LanguageServer> => {
  const server = spawn(join(root, "node_modules/.bin/tsc"), ["--lsp", "--stdio"], {
    cwd: root,
    stdio: ["pipe", "pipe", "ignore"]
  })
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let nextId = 0

  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}${separator}${text}`)
  }

  const receive = ({ id, method, result, error }: Message): void => {
    if (id === undefined) return
    // A request of the server, such as for the configuration.
    if (method !== undefined) {
      send({ id, result: null })
      return
    }
    const waiter = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) waiter?.resolve(result)
    else waiter?.reject(new Error(error.message))
  }

  let buffered = Buffer.alloc(0)
  server.stdout.on("data", (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk])
    for (;;) {
      const end = buffered.indexOf(separator)
      const length = Number(
        /Content-Length: (\d+)/i.exec(buffered.subarray(0, Math.max(end, 0)).toString())?.[1]
      )
      const start = end + separator.length
      if (end === -1 || buffered.length < start + length) return
      const message = JSON.parse(buffered.subarray(start, start + length).toString()) as Message
      buffered = buffered.subarray(start + length)
      receive(message)
    }
  })

  const call = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = nextId++
      waiting.set(id, { resolve, reject })
      send({ id, method, params })
    })

  server.once("exit", () => {
    for (const { reject } of waiting.values()) reject(new Error("The language server ended."))
  })

  const uriOf = (file: string): string => pathToFileURL(join(root, file)).href

  await call("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(root).href,
    capabilities: { textDocument: { hover: { contentFormat: ["markdown"] }, diagnostic: {} } }
  })
  send({ method: "initialized", params: {} })
  for (const file of files) {
    send({
      method: "textDocument/didOpen",
      params: {
        textDocument: {
          uri: uriOf(file),
          languageId: "typescript",
          version: 1,
          text: readFileSync(join(root, file), "utf8")
        }
      }
    })
  }
  return {
    request: (method, file, parameters = {}) =>
      call(method, { textDocument: { uri: uriOf(file) }, ...parameters }),
    close: () => server.kill()
  }
}
