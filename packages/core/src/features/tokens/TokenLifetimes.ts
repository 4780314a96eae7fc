/** The lifetimes of the API tokens that users create. */
import { Context } from "effect"

/** How long tokens are valid, in milliseconds. */
export interface TokenLifetimesSettings {
  /** The lifetime of a token whose creator chooses none; undefined for tokens that do not expire. */
  readonly defaultMillis: number | undefined
  /** The maximum lifetime that a creator can choose, and that of a login; undefined for no maximum. */
  readonly maximumMillis: number | undefined
}

/**
 * The lifetimes of the API tokens that users create; by default 90 days, without a maximum. They do not apply to tokens that
 * the operator creates. They are read when the workspace is built.
 */
export const TokenLifetimes = Context.Reference<TokenLifetimesSettings>("@lectern/core/TokenLifetimes", {
  defaultValue: () => ({ defaultMillis: 90 * 24 * 60 * 60 * 1_000, maximumMillis: undefined })
})
