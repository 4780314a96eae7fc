/** The thread that parses documents: a message for each, answered by what it comes to, or by what is wrong with it. */
import { parentPort } from "node:worker_threads"
import { parseDocument } from "@lectern/core"
import type { Answer, Question } from "./workerParser.ts"

parentPort!.on("message", ({ id, text, isFirst }: Question) => {
  const answer = (): Answer => {
    try {
      return { id, parsed: parseDocument(text, isFirst) }
    } catch (error) {
      return { id, message: error instanceof Error ? error.message : "It cannot be read." }
    }
  }
  parentPort!.postMessage(answer())
})
