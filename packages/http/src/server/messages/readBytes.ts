/** Reads the body of a request that its handler bounds. */
import type { InvalidInput } from "@lectern/core"
import { Effect, Stream } from "effect"
import type { BodyTooLarge } from "./failures.ts"
import type { ApiRequest } from "./Message.ts"

/** Returns the body of a request, also of one without a length. Fails with `BodyTooLarge` if it has more than `limit` bytes. */
export const readBytes = (
  { streamBody }: Pick<ApiRequest, "streamBody">,
  limit: number
): Effect.Effect<Buffer, BodyTooLarge | InvalidInput> =>
  Effect.map(Stream.runCollect(streamBody(limit)), (chunks) => Buffer.concat(chunks))
