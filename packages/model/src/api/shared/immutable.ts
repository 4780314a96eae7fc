/** Annotation of operations whose results never change, so that clients can cache them permanently. */
import * as Context from "effect/Context"

/** Whether the result of an operation never changes. */
export const Immutable = Context.Reference<boolean>("@lectern/client/Immutable", {
  defaultValue: () => false
})
