/**
 * PDFs that are rendered in the background. Requests wait for a PDF for a limited time, and later requests for the same
 * PDF join its rendering. A rendering that no request has waited for in some time is canceled.
 */
import { Deferred, Effect, Fiber, Option, type Scope } from "effect"
import { LRUCache } from "lru-cache"
import type { PdfProgress } from "./PdfMaker.ts"

/** The maximum size of the cache of PDFs, in bytes. */
const maximumCachedBytes = 128 * 1024 * 1024

/** The time that a request waits for a PDF. It is below the timeouts of common proxies. */
const waitTime = "20 seconds"

/** The time after which a rendering is canceled if no request waits for it. */
const abandonTime = "2 minutes"

/** The state of a PDF: complete, or in progress. */
export type RenderedPdf = { readonly bytes: Uint8Array } | { readonly progress: PdfProgress }

/** A PDF in progress. */
interface Rendering<E> {
  readonly result: Deferred.Deferred<Uint8Array, E>
  readonly fiber: Fiber.Fiber<unknown, unknown>
  progress: PdfProgress
  waiting: number
  /** Cancels the rendering after a delay, while no request waits. */
  cancellation: Fiber.Fiber<void> | undefined
}

/** Renders one PDF, and reports its progress. */
export type Render<E> = (onProgress: (progress: PdfProgress) => void) => Effect.Effect<Uint8Array, E>

/** The PDFs in progress, and the latest PDFs, in memory. */
export class Renderings<E> {
  private readonly scope: Scope.Scope
  private readonly cache = new LRUCache<string, Uint8Array>({
    maxSize: maximumCachedBytes,
    sizeCalculation: ({ length }) => length + 1
  })
  private readonly pending = new Map<string, Rendering<E>>()

  /** Renderings end when the scope closes. */
  constructor(scope: Scope.Scope) {
    this.scope = scope
  }

  /**
   * Returns the PDF with a key, or its progress if it is not complete after 20 s. It is rendered unless it is cached
   * or in progress.
   */
  get(key: string, render: Render<E>): Effect.Effect<RenderedPdf, E> {
    return Effect.suspend(() => {
      const bytes = this.cache.get(key)
      if (bytes !== undefined) return Effect.succeed({ bytes })
      return Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(this.join(key, render), (rendering) =>
          restore(Effect.timeoutOption(Deferred.await(rendering.result), waitTime)).pipe(
            Effect.map(
              Option.match({
                onNone: (): RenderedPdf => ({ progress: rendering.progress }),
                onSome: (bytes): RenderedPdf => ({ bytes })
              })
            ),
            Effect.ensuring(this.leave(rendering))
          )
        )
      )
    })
  }

  /** Adds a waiting request to a rendering, which is started unless it is in progress. */
  private join(key: string, render: Render<E>): Effect.Effect<Rendering<E>> {
    return Effect.gen({ self: this }, function* () {
      let rendering = this.pending.get(key)
      if (rendering === undefined) rendering = yield* this.start(key, render)
      rendering.waiting++
      const { cancellation } = rendering
      rendering.cancellation = undefined
      if (cancellation !== undefined) yield* Fiber.interrupt(cancellation)
      return rendering
    })
  }

  private start(key: string, render: Render<E>): Effect.Effect<Rendering<E>> {
    const result = Deferred.makeUnsafe<Uint8Array, E>()
    const onProgress = (progress: PdfProgress) => {
      const rendering = this.pending.get(key)
      if (rendering?.result === result) rendering.progress = progress
    }
    const work = Effect.suspend(() => render(onProgress)).pipe(
      Effect.tap((bytes) => Effect.sync(() => this.cache.set(key, bytes))),
      Effect.ensuring(Effect.sync(() => this.pending.delete(key))),
      Deferred.into(result)
    )
    // The fiber starts after this effect, so that the rendering is registered before it ends.
    return Effect.map(Effect.forkIn(Effect.interruptible(work), this.scope), (fiber) => {
      const rendering: Rendering<E> = {
        result,
        fiber,
        progress: { rendered: 0, total: 0 },
        waiting: 0,
        cancellation: undefined
      }
      this.pending.set(key, rendering)
      return rendering
    })
  }

  /** Removes a waiting request. The rendering is canceled later if no other request waits. */
  private leave(rendering: Rendering<E>): Effect.Effect<void> {
    return Effect.suspend(() => {
      rendering.waiting--
      if (rendering.waiting > 0 || Deferred.isDoneUnsafe(rendering.result)) return Effect.void
      const cancel = Effect.andThen(
        Effect.sleep(abandonTime),
        Effect.asVoid(Fiber.interrupt(rendering.fiber))
      )
      return Effect.map(Effect.forkIn(Effect.interruptible(cancel), this.scope), (fiber) => {
        rendering.cancellation = fiber
      })
    })
  }
}
