/** The flag of commands that print data. */
import { Flag } from "effect/cli"

/** Whether a command prints its result as one line of JSON, for programs. */
export const jsonFlag = Flag.Boolean("json").pipe(
  Flag.withDescription("Print the result as one line of JSON"),
  Flag.withDefault(false)
)
