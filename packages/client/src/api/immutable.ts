/** What never changes, so that clients may keep it for ever. */
import { Context } from "effect"

/** Whether what an operation answers is always the same. */
export const Immutable = Context.Reference<boolean>("@lectern/client/Immutable", {
  defaultValue: () => false
})
