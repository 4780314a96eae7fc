/** Reads the bodies of Node's requests, and writes the bodies of responses. */
import type { IncomingMessage, ServerResponse } from "node:http"
import * as NodeStream from "@effect/platform-node-shared/NodeStream"
import type { InvalidInput } from "@lectern/core"
import { Effect, Stream } from "effect"
import { limitBytes, OnBodyProgress, requireLength } from "./messages/byteStreams.ts"
import { BodyTooLarge, incompleteBody } from "./messages/failures.ts"
import type { StreamedBody } from "./messages/Message.ts"

/** A request whose body a parser of the host can have read. */
type Incoming = IncomingMessage & { readonly body?: unknown }

const emptyBody = new Uint8Array()

/** Serializes the body that a parser of the host has consumed: the stream cannot be read a second time. */
const serializeParsedBody = (parsed: unknown): Uint8Array => {
  if (parsed === undefined) return emptyBody
  if (parsed instanceof Uint8Array) return parsed
  return Buffer.from(typeof parsed === "string" ? parsed : JSON.stringify(parsed))
}

/** Whether the headers declare a body of more than `limit` bytes. */
const declaresMoreThan = (request: Incoming, limit: number): boolean =>
  Number(request.headers["content-length"]) > limit

/** Reads a body. Holds at most `limit` bytes in memory. */
export const readNodeBody = (request: Incoming, limit: number): Effect.Effect<Uint8Array, BodyTooLarge> =>
  Effect.withFiber((fiber) =>
    Effect.callback((resume) => {
      const onProgress = fiber.getRef(OnBodyProgress)
      if (request.readableEnded) return resume(Effect.succeed(serializeParsedBody(request.body)))
      if (declaresMoreThan(request, limit)) return resume(Effect.fail(new BodyTooLarge({ limit })))
      const chunks: Array<Uint8Array> = []
      let size = 0
      const removeListeners = () => {
        request.removeListener("data", onData)
        request.removeListener("end", onEnd)
      }
      const onData = (chunk: Uint8Array) => {
        size += chunk.length
        onProgress?.()
        if (size > limit) {
          removeListeners()
          request.pause()
          return resume(Effect.fail(new BodyTooLarge({ limit })))
        }
        chunks.push(chunk)
      }
      const onEnd = () => {
        removeListeners()
        resume(
          Effect.succeed(
            chunks.length === 1 ? chunks[0]! : chunks.length === 0 ? emptyBody : Buffer.concat(chunks)
          )
        )
      }
      // A client that disconnects is handled in `listen`, which interrupts the whole request.
      request.on("data", onData)
      request.on("end", onEnd)
      return Effect.sync(removeListeners)
    })
  )

/** Streams a body of at most `limit` bytes. Reads from the socket only as fast as the consumer. */
export const streamNodeBody = (
  request: Incoming,
  limit: number
): Stream.Stream<Uint8Array, BodyTooLarge | InvalidInput> => {
  const tooLarge = () => new BodyTooLarge({ limit })
  return Stream.suspend((): Stream.Stream<Uint8Array, BodyTooLarge | InvalidInput> => {
    if (request.readableEnded) {
      const bytes = serializeParsedBody(request.body)
      return bytes.length > limit ? Stream.fail(tooLarge()) : Stream.make(bytes)
    }
    if (declaresMoreThan(request, limit)) return Stream.fail(tooLarge())
    return limitBytes(
      NodeStream.fromReadable<Uint8Array, InvalidInput>({
        evaluate: () => request,
        onError: () => incompleteBody,
        // Batches of one read: a consumer that is slower than the client must not buffer its body.
        chunkSize: 1,
        // The response is sent on the same socket.
        closeOnDone: false
      }),
      limit,
      tooLarge
    )
  })
}

const awaitDrain = (outgoing: ServerResponse): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const onDrain = () => resume(Effect.void)
    outgoing.once("drain", onDrain)
    return Effect.sync(() => outgoing.removeListener("drain", onDrain))
  })

/** Writes a body as fast as the client reads it. The head has been written. Never ends if the client disconnects. */
export const writeNodeStream = (
  outgoing: ServerResponse,
  { stream, length }: StreamedBody
): Effect.Effect<void, unknown> =>
  Stream.runForEach(length === undefined ? stream : requireLength(stream, length), (chunk) =>
    Effect.suspend(() => (outgoing.write(chunk) ? Effect.void : awaitDrain(outgoing)))
  )
