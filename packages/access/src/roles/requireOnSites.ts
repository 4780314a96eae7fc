/** The authorization of a change that affects several sites of one host. */

import type { StorageUnavailable } from "@lectern/kernel"
import type { Forbidden } from "@lectern/model/errors"
import { isAtLeast, type SiteAction, siteActions } from "@lectern/model/roles"
import type { SiteId } from "@lectern/model/sites"
import { Effect } from "effect"
import { noteCheck } from "../accessChecks.ts"
import { sharedHostProtected } from "../accessErrors.ts"
import { type Caller, roleOnSite } from "../Caller.ts"
import { CurrentUser } from "../CurrentUser.ts"
import type { tokenLimits } from "./tokenLimits.ts"

/** Creates the check of an action on several sites. `admitsSite` is that of the limits of tokens. */
export const makeRequireOnSites = ({ admitsSite }: Pick<ReturnType<typeof tokenLimits>, "admitsSite">) => {
  const isPermitted = Effect.fnUntraced(function* (caller: Caller, site: SiteId, action: SiteAction) {
    const { token } = yield* CurrentUser
    const isWithinToken =
      (token?.site === undefined || token.site === site) &&
      (token?.permissions === undefined || token.permissions.includes(`site.${action}`))
    return (
      isWithinToken && isAtLeast(roleOnSite(caller, site), siteActions[action]) && (yield* admitsSite(site))
    )
  })

  /**
   * Fails with `Forbidden` unless a caller and their token are permitted an action on each of several sites of one host. The error does
   * not state which of them the caller can see.
   */
  return (
    caller: Caller,
    sites: ReadonlyArray<SiteId>,
    action: SiteAction
  ): Effect.Effect<void, Forbidden | StorageUnavailable, CurrentUser> =>
    Effect.forEach(
      sites,
      (site) =>
        noteCheck(
          ["site", caller.organization, site, action],
          Effect.flatMap(isPermitted(caller, site, action), (permitted) =>
            permitted ? Effect.void : Effect.fail(sharedHostProtected(siteActions[action]))
          )
        ),
      { discard: true }
    )
}
