/**
 * Renders code and formulas in a thread, and caches the results by their content. A piece that takes longer than its time
 * limit ends the thread: it is displayed as plain text from then on, and the other pieces continue in a new thread. The
 * event loop of the server never waits.
 */
import { createHash } from "node:crypto"
import { Worker } from "node:worker_threads"
import { LRUCache } from "lru-cache"
import type { Piece, PieceRequest, RenderedPiece, ThreadMessage } from "./protocol.ts"

/** Options of {@link makePieces}. */
export interface PiecesOptions {
  /** The maximum duration of one piece in milliseconds, including the loading of its grammar; 4,000 by default. */
  readonly timeLimitMs?: number
  /** The time after which an idle thread ends, in milliseconds; 60,000 by default. */
  readonly idleMs?: number
  /** The maximum number of pieces that wait; 10,000 by default. Further ones are displayed as plain text. */
  readonly maximumWaiting?: number
}

/** Renders pieces. */
export interface Pieces {
  /**
   * Returns the rendered pieces by their keys, after at most `deadlineMs`. Pieces that cannot be rendered are null. Pieces that
   * are not rendered in time are missing; they are rendered and cached in the meantime.
   */
  readonly render: (pieces: ReadonlyArray<Piece>, deadlineMs: number) => Promise<RenderedPieces>
  /** Ends the thread. */
  readonly close: () => Promise<void>
}

/** Rendered pieces by their keys. */
export interface RenderedPieces {
  readonly pieces: ReadonlyMap<string, RenderedPiece>
  /** Whether all pieces were rendered in time. */
  readonly isComplete: boolean
}

/** The capacity of the cache, in characters of input and of its rendering. */
const maximumCachedCharacters = 20_000_000

/** Identifies a piece by its content. */
export const keyOfPiece = (piece: Piece): string =>
  createHash("sha256")
    .update(
      piece.kind === "code"
        ? `code\n${piece.syntax}\n${piece.text}`
        : piece.kind === "math"
          ? `math\n${piece.isBlock}\n${piece.formula}`
          : `image\n${piece.svg}`
    )
    .digest("base64url")

/** The assumed size of an image, in characters. */
const imageSize = 60_000

const sizeOf = (piece: Piece): number =>
  piece.kind === "image"
    ? imageSize
    : 100 + 4 * (piece.kind === "code" ? piece.text.length : piece.formula.length)

interface Waiting {
  readonly request: PieceRequest
  readonly settle: (rendered: RenderedPiece) => void
}

/** The program of the thread, in the sources or in the build. */
const program = new URL(import.meta.url.endsWith(".ts") ? "./thread.ts" : "./thread.js", import.meta.url)

/** Creates the renderer of pieces. It starts its thread with the first piece. */
export const makePieces = ({
  timeLimitMs = 4_000,
  idleMs = 60_000,
  maximumWaiting = 10_000
}: PiecesOptions = {}): Pieces => {
  const cache = new LRUCache<string, { readonly rendered: RenderedPiece }>({
    maxSize: maximumCachedCharacters,
    sizeCalculation: () => 1
  })
  const pending = new Map<string, Promise<RenderedPiece>>()
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let timer: NodeJS.Timeout | undefined
  let nextId = 0

  /** Ends the thread. Pieces that wait are displayed as plain text. */
  const close = async (): Promise<void> => {
    const ended = worker
    worker = undefined
    clearTimeout(timer)
    ended?.removeAllListeners()
    ended?.on("error", () => undefined)
    for (const { settle: finish } of waiting.values()) finish(null)
    waiting.clear()
    await ended?.terminate()
  }

  const settle = (id: number, rendered: RenderedPiece): void => {
    clearTimeout(timer)
    const found = waiting.get(id)
    waiting.delete(id)
    found?.settle(rendered)
    if (waiting.size > 0) return
    worker?.unref()
    timer = setTimeout(close, idleMs)
    timer.unref()
  }

  /** Ends a thread that a piece has exhausted, and continues with the others in a new one. */
  const restart = (id: number): void => {
    const ended = worker
    worker = undefined
    ended?.removeAllListeners()
    ended?.on("error", () => undefined)
    void ended?.terminate()
    settle(id, null)
    if (waiting.size > 0) {
      const started = start()
      for (const { request } of waiting.values()) started.postMessage(request)
    }
  }

  const start = (): Worker => {
    const started = new Worker(program, {
      resourceLimits: { maxOldGenerationSizeMb: 256 },
      ...(program.pathname.endsWith(".ts") ? { execArgv: ["--conditions=@lectern/source"] } : {})
    })
    const fail = () => restart(waiting.keys().next().value ?? -1)
    started.on("message", (message: ThreadMessage) => {
      if ("rendered" in message) return settle(message.id, message.rendered)
      clearTimeout(timer)
      timer = setTimeout(restart, timeLimitMs, message.id)
    })
    started.on("error", fail).on("exit", fail)
    worker = started
    return started
  }

  const send = (piece: Piece): Promise<RenderedPiece> =>
    new Promise((resolve) => {
      if (waiting.size >= maximumWaiting) return resolve(null)
      const request: PieceRequest = { id: nextId++, piece }
      waiting.set(request.id, { request, settle: resolve })
      if (waiting.size === 1) clearTimeout(timer)
      const thread = worker ?? start()
      thread.ref()
      thread.postMessage(request)
    })

  const renderOne = (key: string, piece: Piece): Promise<RenderedPiece> => {
    const cached = cache.get(key)
    if (cached !== undefined) return Promise.resolve(cached.rendered)
    const inProgress = pending.get(key)
    if (inProgress !== undefined) return inProgress
    const started = send(piece).then((rendered) => {
      cache.set(key, { rendered }, { size: sizeOf(piece) })
      pending.delete(key)
      return rendered
    })
    pending.set(key, started)
    return started
  }

  return {
    render: async (pieces, deadlineMs) => {
      const rendered = new Map<string, RenderedPiece>()
      const all = Promise.all(
        pieces.map(async (piece) => {
          const key = keyOfPiece(piece)
          rendered.set(key, await renderOne(key, piece))
        })
      ).then(() => true)
      let deadline: NodeJS.Timeout | undefined
      const expired = new Promise<boolean>((resolve) => {
        deadline = setTimeout(resolve, deadlineMs, false)
      })
      const isComplete = await Promise.race([all, expired])
      clearTimeout(deadline)
      return { pieces: new Map(rendered), isComplete }
    },
    close
  }
}
