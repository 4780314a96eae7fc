/** Starts sessions without a browser. */
import { SignIns } from "@lectern/core"
import { Effect, Redacted } from "effect"

/** Starts a session of the user of an account, and returns its id. */
export const startSession = Effect.fnUntraced(function* (email: string) {
  const signIns = yield* SignIns
  const { secret } = yield* signIns.createLink({ input: { email } })
  const session = yield* signIns.useLink({ input: { secret: Redacted.value(secret), client: {} } })
  return session.id
})
