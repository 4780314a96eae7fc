/**
 * The client of a request that proxies have forwarded: `Forwarded` (RFC 7239) and `X-Forwarded-For`. Clients can send these
 * headers themselves, so only the entries of configured proxies apply.
 */
import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

/**
 * The proxies in front of the server: their addresses and networks in CIDR notation, or their number, if every request
 * passes the same number of them.
 */
export type TrustedProxies = ReadonlyArray<string> | number

/** Returns the IP address of the client from that of the connection and the headers, or `undefined` if it is unknown. */
export type ClientResolver = (
  peer: string | undefined,
  header: (name: string) => string | undefined
) => string | undefined

/** Parses an IP address with an optional port, as in `192.0.2.1:80` and `[2001:db8::1]:80`. */
const parseAddress = (text: string | undefined): NetAddress.IpAddress | undefined => {
  if (text === undefined) return undefined
  const bare = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text
  const address = Result.getOrUndefined(NetAddress.ipFromString(bare))
  if (address !== undefined) return NetAddress.toCanonical(address)
  const socket = Result.getOrUndefined(NetAddress.inetAddressFromString(text))
  return socket === undefined ? undefined : NetAddress.toCanonical(socket.address)
}

const formatAddress = (text: string | undefined): string | undefined => {
  const address = parseAddress(text)
  return address === undefined ? undefined : NetAddress.formatIp(address)
}

const splitList = (value: string): ReadonlyArray<string> => value.split(",").map((entry) => entry.trim())

/** The longest header that is parsed. A longer one is ignored. */
const maxHeaderLength = 2_000

const pairPattern = /^([\w!#$%&'*+.^`|~-]+)=(?:"([^"\\]*)"|([^\s",;]*))$/

/** An element of `Forwarded`: the report of a proxy about the request that it has received, with `for`, `host` and `proto`. */
export type ForwardedElement = ReadonlyMap<string, string>

/** Parses `Forwarded`, the element of the farthest proxy first. Returns `undefined` if it is malformed or too long. */
export const parseForwarded = (value: string): ReadonlyArray<ForwardedElement> | undefined => {
  if (value.length > maxHeaderLength) return undefined
  const elements: Array<ForwardedElement> = []
  for (const element of splitList(value)) {
    const pairs = new Map<string, string>()
    for (const part of element.split(";")) {
      const [matched, name, quoted, token] = pairPattern.exec(part.trim()) ?? []
      if (matched === undefined) return undefined
      pairs.set(name!.toLowerCase(), (quoted ?? token)!)
    }
    elements.push(pairs)
  }
  return elements
}

const addressOf = (element: ForwardedElement): string | undefined => formatAddress(element.get("for"))

/** Whether the address of a hop is that of a trusted proxy. Hop 0 is the connection. */
export type ProxyTrust = (address: string | undefined, hop: number) => boolean

/** Returns the number of hops, from the nearest, that are trusted. The first hop is the connection. */
const countTrusted = (addresses: ReadonlyArray<string | undefined>, isTrusted: ProxyTrust): number => {
  const untrusted = addresses.findIndex((address, hop) => !isTrusted(address, hop))
  return untrusted === -1 ? addresses.length : untrusted
}

/** Parses the addresses and networks of proxies. Throws a `RangeError` for a malformed one. */
export const parseProxyNetworks = (entries: ReadonlyArray<string>): ReadonlyArray<IpNetwork.IpNetwork> =>
  entries.map((entry) => {
    const address = parseAddress(entry)
    const network =
      address === undefined
        ? IpNetwork.fromString(entry)
        : IpNetwork.fromAddress(address, NetAddress.width(address))
    if (Result.isFailure(network)) throw new RangeError(`"${entry}" is not an IP address or a network.`)
    return network.success
  })

/** Creates the function that returns whether a hop is a trusted proxy. */
export const makeProxyTrust = (trusted: TrustedProxies): ProxyTrust => {
  if (typeof trusted === "number") return (_, hop) => hop < trusted
  const networks = parseProxyNetworks(trusted)
  return (text) => {
    const address = parseAddress(text)
    return address !== undefined && networks.some((network) => IpNetwork.contains(network, address))
  }
}

/**
 * Returns the index of the entry that the farthest trusted proxy has added to a header, to which every proxy adds one.
 * `reported` has the addresses in the header, the first of which is that of the client as the farthest proxy reports it.
 */
export const farthestTrusted = (
  peer: string | undefined,
  reported: ReadonlyArray<string | undefined>,
  isTrusted: ProxyTrust
): number => Math.max(0, reported.length - countTrusted([peer, ...reported.toReversed()], isTrusted))

/**
 * Creates the function that determines the client of a request: the first address, from the connection backwards, that is
 * not a trusted proxy. Headers are ignored if the connection is not from a trusted proxy, if they are malformed, and if
 * both kinds of headers are present and report different clients.
 */
export const makeClientResolver = (trusted: TrustedProxies = []): ClientResolver => {
  const isTrusted = makeProxyTrust(trusted)

  const hasNone = typeof trusted === "object" && trusted.length === 0
  return (peer, header) => {
    const direct = peer?.replace(/^::ffff:(?=\d+\.)/i, "")
    if (hasNone || !isTrusted(peer, 0)) return direct
    const [forwarded, extension] = [header("forwarded"), header("x-forwarded-for")]
    if ((forwarded?.length ?? 0) > maxHeaderLength || (extension?.length ?? 0) > maxHeaderLength)
      return direct
    const reports = [
      forwarded === undefined ? undefined : (parseForwarded(forwarded)?.map(addressOf) ?? []),
      extension === undefined ? undefined : splitList(extension).map(formatAddress)
    ].flatMap((addresses) =>
      addresses === undefined ? [] : [addresses[farthestTrusted(peer, addresses, isTrusted)]]
    )
    const [client] = reports
    return client !== undefined && reports.every((other) => other === client) ? client : direct
  }
}
