/** The addresses that resources carry in their `urls`. */
import { Context } from "effect"

/** The base of every address that Lectern writes, without a slash at its end. */
export const PublicUrl = Context.Reference<string>("@lectern/core/PublicUrl", {
  defaultValue: () => "http://127.0.0.1:4400"
})
