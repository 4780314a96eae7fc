/** Authorizes operations whose results have keys of lasting access. */
import { requireKeyReader } from "../accessErrors.ts"
import { alsoRequiring } from "./Authorization.ts"

/** Rejects tokens that are read-only, or limited to permissions, of callers whom another authorization admits: see `requireKeyReader`. */
export const withKeyReader = alsoRequiring(requireKeyReader, { readsKey: true })
