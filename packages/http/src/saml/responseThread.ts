/** The program of the thread that verifies SAML responses. */
import { parentPort } from "node:worker_threads"
import { type SamlResponseInput, verifyResponse } from "./response.ts"

/** The messages of the thread: `ready` when its modules are loaded, then one `verified` per response. */
export type ThreadMessage =
  | { readonly type: "ready" }
  | { readonly type: "verified"; readonly identity: object | undefined }

const send = (message: ThreadMessage): void => parentPort!.postMessage(message)

parentPort!.on("message", async (input: SamlResponseInput) => {
  send({ type: "verified", identity: await verifyResponse(input).catch(() => undefined) })
})
send({ type: "ready" })
