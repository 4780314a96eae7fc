/** The module that the thread runs: it renders pieces one after the other. */
import { parentPort } from "node:worker_threads"
import type { PieceRequest, ThreadMessage } from "./protocol.ts"
import { renderPiece } from "./renderPiece.ts"

/** Renders one piece after the other, so that the time of each is its own. */
let last: Promise<void> = Promise.resolve()

parentPort?.on("message", ({ id, piece }: PieceRequest) => {
  last = last.then(async () => {
    parentPort!.postMessage({ id, started: true } satisfies ThreadMessage)
    const rendered = await renderPiece(piece).catch(() => null)
    parentPort!.postMessage({ id, rendered } satisfies ThreadMessage)
  })
})
