/** Authorizes operations whose results have keys of lasting access. */
import type { Forbidden } from "@lectern/model/errors"
import { Effect } from "effect"
import { requireKeyReader } from "../accessErrors.ts"
import type { CurrentUser } from "../CurrentUser.ts"
import type { Authorization } from "./Authorization.ts"

/** Rejects tokens that are read-only, or limited to permissions, of callers whom another authorization admits: see `requireKeyReader`. */
export const withKeyReader = <Target, Given, E, R>({
  rule,
  check
}: Authorization<Target, Given, E, R>): Authorization<Target, Given, E | Forbidden, R | CurrentUser> => ({
  rule: rule.kind === "policy" ? { ...rule, readsKey: true } : rule,
  check: (target) => Effect.tap(check(target), () => requireKeyReader)
})
