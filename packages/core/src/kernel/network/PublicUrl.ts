/** The public address of the workspace. */
import { Context } from "effect"

/** The base URL of all addresses in responses, without a trailing slash. */
export const PublicUrl = Context.Reference<string>("@lectern/core/PublicUrl", {
  defaultValue: () => "http://127.0.0.1:4400"
})
