/** The accounts that commands name by their e-mail address. */
import { Administration, NotFound } from "@lectern/core"
import { Effect } from "effect"

/** Returns the account with an e-mail address. Fails with `NotFound`, whose message contains the address, if no account has it. */
export const findAccount = Effect.fnUntraced(function* (email: string) {
  const { findUser } = yield* Administration
  return yield* Effect.mapError(findUser({ email }), (error) =>
    error instanceof NotFound
      ? new NotFound({
          reason: error.reason,
          message: `No account has the e-mail address ${email}. Create one with \`lectern user create ${email}\`.`
        })
      : error
  )
})
