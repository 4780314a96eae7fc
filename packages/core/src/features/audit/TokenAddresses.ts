/** Records the first use of an API token from an address, in each organization that it is used in. */

import { AuditRetention, makeDenialLimit, SystemGrant, type TokenUse } from "@lectern/access"
import { encodeSet, Ids, Records, toTimestamp } from "@lectern/kernel"
import { auditRecords, tokenAddresses } from "@lectern/kernel/tables"
import { AuditRecordId } from "@lectern/model/audit"
import { Clock, Context, Effect, Layer, Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import { LRUCache } from "lru-cache"

/** The operation in the records of new addresses. */
const operation = "Tokens.useFromNewAddress"

/** The maximum number of uses that are remembered. Beyond it, the oldest are looked up again. */
const maximumRemembered = 50_000

/** The maximum number of addresses whose network is cached. */
const maximumNetworks = 10_000

/** The maximum numbers of new addresses per minute: of a token, and of an organization. */
const limits = { perCaller: 10, perGroup: 200 }

/** The length of the prefix that a provider assigns to one subscriber. */
const ipv6PrefixLength = 64

/** Returns an IPv4 address, or the network of an IPv6 address: its host part changes often. */
const networkOf = (address: string): string => {
  const parsed = Result.getOrUndefined(NetAddress.ipFromString(address))
  if (parsed === undefined || NetAddress.isIpv4Address(parsed)) return address.slice(0, 100)
  const network = IpNetwork.fromAddress(parsed, ipv6PrefixLength)
  return Result.isSuccess(network) ? IpNetwork.format(network.success) : address.slice(0, 100)
}

const makeTokenAddresses = Effect.gen(function* () {
  const { lockedTransaction } = yield* Records
  const { records } = yield* SystemGrant.make("Records the addresses from which API tokens are used.")
  const ids = yield* Ids
  const isAuditing = (yield* AuditRetention) > 0
  const limit = makeDenialLimit(limits)
  const remembered = new Set<string>()
  // Parsing an address takes longer than the rest of `record`.
  const networks = new LRUCache<string, string>({ max: maximumNetworks })

  const remember = (key: string): void => {
    if (remembered.size >= maximumRemembered) {
      const [oldest] = remembered
      remembered.delete(oldest!)
    }
    remembered.add(key)
  }

  const recordNew = ({ organization, token, user }: TokenUse, address: string, network: string) =>
    lockedTransaction(
      [],
      Effect.gen(function* () {
        const createdAt = toTimestamp(yield* Clock.currentTimeMillis)
        const row = { organization, token, network, firstUsedAt: createdAt }
        if ((yield* records.insertMissing(tokenAddresses, [row])) === 0) return
        yield* records.insert(auditRecords, {
          id: AuditRecordId.make(yield* ids.next),
          organization,
          createdAt,
          operation,
          outcome: "success",
          actor: user,
          token,
          address,
          resources: encodeSet([`token:${token}`]),
          details: {}
        })
      })
    )

  return {
    /** Records a use of a token, if it is the first one from its address. Failures are logged. */
    record: (use: TokenUse, address: string): Effect.Effect<void> => {
      if (!isAuditing) return Effect.void
      let network = networks.get(address)
      if (network === undefined) {
        network = networkOf(address)
        networks.set(address, network)
      }
      const key = `${use.organization} ${use.token} ${network}`
      if (remembered.has(key)) return Effect.void
      return Effect.flatMap(Clock.currentTimeMillis, (time) => {
        if (limit(use.organization, use.token, time) === undefined) return Effect.void
        return recordNew(use, address, network).pipe(
          Effect.andThen(Effect.sync(() => remember(key))),
          Effect.catchTag("StorageUnavailable", (error) =>
            Effect.logWarning("Cannot record the address of an API token.", error.reason)
          )
        )
      })
    }
  }
})

/** The methods of {@link TokenAddresses}. */
export interface TokenAddressesService extends Effect.Success<typeof makeTokenAddresses> {}

/** Records the addresses from which API tokens are used. Servers call it after each request with a token. */
export class TokenAddresses extends Context.Service<TokenAddresses, TokenAddressesService>()(
  "@lectern/core/TokenAddresses"
) {
  static readonly layer: Layer.Layer<TokenAddresses, never, Records | Ids> = Layer.effect(
    TokenAddresses,
    makeTokenAddresses
  )
}
