import { Operations } from "@lectern/core"
import { Effect, Schema } from "effect"

export const program = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const rule = allow.signedIn("a test")
  return { rule, get: query("Test.get", { parameters: { id: Schema.String }, authorize: rule }, function* ({ id }) { return id }) }
})
