/** Bounds and slices of streams of bytes. */
import { Context, Effect, Schema, Stream } from "effect"

/** Runs when bytes of the body of a request arrive. By default, it is undefined. */
export const OnBodyProgress = Context.Reference<(() => void) | undefined>("@lectern/http/OnBodyProgress", {
  defaultValue: () => undefined
})

/** A stream has another number of bytes than it declares. */
export class LengthMismatch extends Schema.TaggedError<LengthMismatch>()("LengthMismatch", {
  declared: Schema.Int,
  actual: Schema.Int
}) {
  override get message(): string {
    return `The body declares ${this.declared} bytes, but has ${this.actual}.`
  }
}

/** Counts the bytes of a stream, and fails as soon as they are more than `limit`. */
const countBytes = <E, R, E2>(
  stream: Stream.Stream<Uint8Array, E, R>,
  limit: number,
  onExceeded: (size: number) => E2,
  onEnd: (size: number) => Stream.Stream<never, E2>
): Stream.Stream<Uint8Array, E | E2, R> =>
  Stream.suspend(() => {
    let size = 0
    const counted = Stream.mapArrayEffect(stream, (chunks) =>
      Effect.withFiber((fiber) => {
        for (const chunk of chunks) size += chunk.length
        fiber.getRef(OnBodyProgress)?.()
        return size > limit ? Effect.fail(onExceeded(size)) : Effect.succeed(chunks)
      })
    )
    return Stream.concat(
      counted,
      Stream.suspend(() => onEnd(size))
    )
  })

/** Fails with `onExceeded` after more than `limit` bytes. */
export const limitBytes = <E, R, E2>(
  stream: Stream.Stream<Uint8Array, E, R>,
  limit: number,
  onExceeded: () => E2
): Stream.Stream<Uint8Array, E | E2, R> => countBytes(stream, limit, onExceeded, () => Stream.empty)

/** Fails with `LengthMismatch` if a stream has more or fewer bytes than `length`. */
export const requireLength = <E, R>(
  stream: Stream.Stream<Uint8Array, E, R>,
  length: number
): Stream.Stream<Uint8Array, E | LengthMismatch, R> => {
  const mismatch = (actual: number) => new LengthMismatch({ declared: length, actual })
  return countBytes(stream, length, mismatch, (size) =>
    size === length ? Stream.empty : Stream.fail(mismatch(size))
  )
}

/** Returns the bytes of a stream from `start` up to and without `end`. Stops the stream after the last of them. */
export const sliceBytes = <E, R>(
  stream: Stream.Stream<Uint8Array, E, R>,
  start: number,
  end: number
): Stream.Stream<Uint8Array, E, R> =>
  stream.pipe(
    Stream.mapAccum(
      () => 0,
      (position, chunk) => {
        const next = position + chunk.length
        const part = chunk.subarray(Math.max(0, start - position), Math.max(0, end - position))
        return [next, part.length === 0 ? [] : [{ part, isLast: next >= end }]] as const
      }
    ),
    Stream.takeUntil(({ isLast }) => isLast),
    Stream.map(({ part }) => part)
  )
