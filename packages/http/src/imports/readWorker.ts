/** The thread that reads imports: a message for each reading, answered by what it comes to, or by what is wrong. */
import { parentPort } from "node:worker_threads"
import { NotReadable, type Readers, readers } from "@lectern/core"
import { readDocx } from "./docx.ts"
import type { Answer, Question } from "./workerReader.ts"

const all: Readers = { ...readers, docx: readDocx }

parentPort!.on("message", async ({ kind, input }: Question) => {
  const answer = async (): Promise<Answer> => {
    try {
      return { read: await all[kind](input as never) }
    } catch (error) {
      return { message: error instanceof NotReadable ? error.message : "leads to what cannot be read" }
    }
  }
  parentPort!.postMessage(await answer())
})
