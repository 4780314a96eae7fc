/** The result of loading something, or the reason why the result is absent. */

/** The state of something that is loaded. `absent` if the backend cannot load it at all. */
export type Loaded<A> =
  | { readonly _tag: "Loaded"; readonly value: A }
  | { readonly _tag: "Missing" }
  | { readonly _tag: "Failed" }
  | { readonly _tag: "Absent" }
