/**
 * The client of a request that proxies have forwarded: `Forwarded` (RFC 7239) and `X-Forwarded-*`. Clients can send these
 * headers themselves, so only the entries of configured proxies apply.
 */
import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

/**
 * The proxies in front of the server: their addresses and networks in CIDR notation, or their number, if every request
 * passes the same number of them.
 */
export type TrustedProxies = ReadonlyArray<string> | number

/** The client of a request, as far as it is known. */
export interface Client {
  /** The IP address of the client. */
  readonly address: string | undefined
  /** The scheme and the host that the client has connected to, and the path prefix that the proxy has removed. */
  readonly publicUrl: string | undefined
}

/** Returns the client of a request from the address of its connection and its headers. */
export type ClientResolver = (
  peer: string | undefined,
  header: (name: string) => string | undefined
) => Client

/** The connection that a proxy has received, as it reports it. */
interface Hop {
  readonly address?: string | undefined
  readonly protocol?: string | undefined
  readonly host?: string | undefined
}

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

/** Parses `Forwarded`, nearest client first. Returns `undefined` if it is malformed. */
const parseForwarded = (value: string): ReadonlyArray<Hop> | undefined => {
  const hops: Array<Hop> = []
  for (const element of splitList(value)) {
    const pairs = new Map<string, string>()
    for (const part of element.split(";")) {
      const [matched, name, quoted, token] = pairPattern.exec(part.trim()) ?? []
      if (matched === undefined) return undefined
      pairs.set(name!.toLowerCase(), quoted ?? token ?? "")
    }
    hops.push({
      address: formatAddress(pairs.get("for")),
      protocol: pairs.get("proto")?.toLowerCase(),
      host: pairs.get("host")
    })
  }
  return hops
}

/** Returns the value for the hop at an index: proxies append one per hop, or replace the header by a single one. */
const alignedValue = (value: string | undefined, index: number, count: number): string | undefined => {
  if (value === undefined) return undefined
  const values = splitList(value)
  return values.length === count ? values[index] : values.length === 1 ? values[0] : undefined
}

const hostPattern = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i
const prefixPattern = /^(?:\/[\w.~-]+)+$/

/** Returns the URL that a client has used, or `undefined` if a part of it is unknown or malformed. */
const publicUrlOf = ({ protocol, host }: Hop, prefix: string | undefined): string | undefined => {
  if (protocol !== "http" && protocol !== "https") return undefined
  if (host === undefined || !hostPattern.test(host) || !URL.canParse(`${protocol}://${host}`))
    return undefined
  const path = prefix?.replace(/\/+$/, "") ?? ""
  return `${protocol}://${host}${prefixPattern.test(path) ? path : ""}`
}

/** Returns the number of hops, from the nearest, that are trusted. The first hop is the connection. */
const countTrusted = (
  addresses: ReadonlyArray<string | undefined>,
  isTrusted: (address: string | undefined, hop: number) => boolean
): number => {
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

const makeTrust = (trusted: TrustedProxies): ((address: string | undefined, hop: number) => boolean) => {
  if (typeof trusted === "number") return (_, hop) => hop < trusted
  const networks = parseProxyNetworks(trusted)
  return (text) => {
    const address = parseAddress(text)
    return address !== undefined && networks.some((network) => IpNetwork.contains(network, address))
  }
}

/**
 * Creates the function that determines the client of a request. The client is the first address, from the connection backwards,
 * that is not a trusted proxy. Headers are ignored if the connection is not from a trusted
 * proxy, if they are malformed, and if both kinds of headers are present and report different clients.
 */
export const makeClientResolver = (trusted: TrustedProxies = []): ClientResolver => {
  const isTrusted = makeTrust(trusted)

  /** Finds the client among hops, whose first is the client as the farthest proxy reports it. */
  const findClient = (peer: string | undefined, hops: ReadonlyArray<Hop>): number => {
    const addresses = [peer, ...hops.map(({ address }) => address).toReversed()]
    const count = countTrusted(addresses, isTrusted)
    return Math.max(0, hops.length - count)
  }

  const hasNone = typeof trusted === "object" && trusted.length === 0
  return (peer, header) => {
    const direct: Client = { address: peer?.replace(/^::ffff:(?=\d+\.)/i, ""), publicUrl: undefined }
    if (hasNone || !isTrusted(peer, 0)) return direct
    const [forwarded, addresses] = [header("forwarded"), header("x-forwarded-for")]
    if ((forwarded?.length ?? 0) > maxHeaderLength || (addresses?.length ?? 0) > maxHeaderLength)
      return direct

    const readStandard = (): Client | undefined => {
      const hops = forwarded === undefined ? undefined : parseForwarded(forwarded)
      if (hops === undefined) return undefined
      const hop = hops[findClient(peer, hops)]!
      const publicUrl = publicUrlOf(hop, header("x-forwarded-prefix"))
      return { address: hop.address ?? direct.address, publicUrl }
    }
    const readExtension = (): Client => {
      const hops =
        addresses === undefined ? [] : splitList(addresses).map((text) => ({ address: formatAddress(text) }))
      const index = findClient(peer, hops)
      const [protocol, host] = ["x-forwarded-proto", "x-forwarded-host"].map((name) =>
        alignedValue(header(name), index, hops.length)
      )
      const hop = { protocol: protocol?.toLowerCase(), host: host ?? header("host") }
      return {
        address: hops[index]?.address ?? direct.address,
        publicUrl: publicUrlOf(hop, header("x-forwarded-prefix"))
      }
    }
    if (forwarded === undefined) return readExtension()
    const standard = readStandard()
    if (standard === undefined) return direct
    return addresses === undefined || readExtension().address === standard.address ? standard : direct
  }
}
