/** Annotation of operations that clients without a token can call. */
import * as Context from "effect/Context"

/** Whether an operation requires no token. The resource that it returns can require other credentials, such as a share key. */
export const RequiresNoToken = Context.Reference<boolean>("@lectern/client/RequiresNoToken", {
  defaultValue: () => false
})
