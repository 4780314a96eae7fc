/** Reads and writes the JSON of the programs of the pages for signing in. */
import { InvalidInput } from "@lectern/core"
import { jsonBoundsOf } from "@lectern/model/schema"
import { Effect, Schema } from "effect"
import type { BodyTooLarge } from "../server/messages/failures.ts"
import { parseJson } from "../server/messages/json.ts"
import { type ApiRequest, type ApiResponse, jsonResponse } from "../server/messages/Message.ts"
import { readBytes } from "../server/messages/readBytes.ts"
import { signInHeaders } from "./page.ts"

/** The maximum size of a body, in bytes: the response of an authenticator. */
const bodyLimit = 48 * 1024

/** Creates a JSON response that no cache stores, with the headers of the pages for signing in. */
export const signInJson = (status: number, value: unknown): ApiResponse =>
  jsonResponse(status, JSON.stringify(value), signInHeaders())

const malformed = InvalidInput.of([{ path: "", message: "must be JSON with the fields of this operation" }])

/** Decodes the body of a request, which is bounded before it is parsed. Fails with `InvalidInput` if it is not valid. */
export const readJson = <S extends Schema.ConstraintDecoder<unknown>>(
  request: ApiRequest,
  schema: S
): Effect.Effect<S["Type"], InvalidInput | BodyTooLarge> =>
  Effect.flatMap(readBytes(request, bodyLimit), (body) =>
    Effect.fromResult(parseJson(body, jsonBoundsOf(schema))).pipe(
      Effect.flatMap(Schema.decodeUnknownEffect(schema)),
      Effect.mapError(() => malformed)
    )
  )
