/** Provides the origin of requests to audit records, and records the addresses from which API tokens are used. */
import { CallOrigin, type Origin, type TokenAddressesService, type TokenUse } from "@lectern/core"
import { Effect } from "effect"
import type { Dispatcher } from "./Dispatcher.ts"

/** Wraps a dispatcher. A middleware of the host can add to the `CallOrigin` that it provides. */
export const withCallOrigin =
  (dispatch: Dispatcher, tokenAddresses: TokenAddressesService): Dispatcher =>
  (request) =>
    Effect.suspend(() => {
      const address = request.remoteAddress
      // A request acts in one organization, apart from a transfer.
      const uses: Array<TokenUse> = []
      const onTokenUse = (use: TokenUse) => {
        if (!uses.some(({ organization }) => organization === use.organization)) uses.push(use)
      }
      const origin: Origin = { address, requestId: request.id, onTokenUse }
      const handled = Effect.provideService(dispatch(request), CallOrigin, origin)
      if (address === undefined) return handled
      return Effect.tap(handled, () =>
        uses.length === 1
          ? tokenAddresses.record(uses[0]!, address)
          : Effect.forEach(uses, (use) => tokenAddresses.record(use, address), { discard: true })
      )
    })
