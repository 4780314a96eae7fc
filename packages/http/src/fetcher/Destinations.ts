/** Where requests may go: to public addresses, and to those that the operator has allowed. */
import ipaddr from "ipaddr.js"

/** The ports that public servers are on. */
const ports = new Set([80, 443, 8080, 8443])

/** An address of a host, as the resolver gives it. */
export interface Resolved {
  readonly address: string
  readonly family: number
}

/** Tells whether a request may go to an address of a host, on a port. */
export type IsAllowed = (host: string, port: number, address: string) => boolean

/** What translates IPv6 to the address of IPv4 in its last bytes: that of RFC 6052 that everybody knows. */
const translated: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("64:ff9b::"), 96]

/** All that is given out of IPv6: what is outside means nothing, or only something nearby. */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3]

/** What is behind forms of IPv6 that carry an address of IPv4: that is what is reached in the end. */
const innermost = (address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 => {
  if (!(address instanceof ipaddr.IPv6)) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  const bytes = address.toByteArray()
  if (address.match(translated)) return new ipaddr.IPv4(bytes.slice(12))
  if (address.range() === "6to4") return new ipaddr.IPv4(bytes.slice(2, 6))
  return address
}

/** Where clouds tell a machine its secrets. Azure's is an address of the public network. */
const metadata: ReadonlySet<string> = new Set([
  "168.63.129.16",
  "169.254.169.254",
  "169.254.170.2",
  "169.254.170.23",
  "100.100.100.200",
  "192.0.0.192",
  ipaddr.parse("fd00:ec2::254").toString(),
  ipaddr.parse("fd00:ec2::23").toString(),
  ipaddr.parse("fd20:ce::254").toString()
])

const isMetadata = (address: string): boolean =>
  ipaddr.isValid(address) && metadata.has(innermost(ipaddr.parse(address)).toString())

/** Whether an address is one of the public network: not of this machine, nor of a private network, nor of a cloud. */
export const isPublic = (text: string): boolean => {
  // An address with a zone is one of a link.
  if (!ipaddr.isValid(text) || text.includes("%") || isMetadata(text)) return false
  const address = innermost(ipaddr.parse(text))
  if (address.range() !== "unicast") return false
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast)
}

/** A name, or an address of IPv4 or in brackets, of a host; with a port or without. */
const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?)(?::(\d{1,5}))?$/

/** An entry of the list that means nothing. */
const malformed = (entry: string) =>
  new RangeError(
    `${JSON.stringify(entry)} is no network (10.0.0.0/8), address (10.0.0.1, ::1) or host (wiki.local:8080)`
  )

/**
 * An entry of the list of what is allowed: a network, an address, or a name, with a port or without. What a cloud keeps
 * secrets at is only opened by its very address. It throws a `RangeError` for an entry that is none of these.
 */
const parseEntry = (entry: string): IsAllowed => {
  if (entry.includes("/")) {
    if (!ipaddr.isValidCIDR(entry)) throw malformed(entry)
    const range = ipaddr.parseCIDR(entry)
    return (_, __, address) => {
      const parsed = ipaddr.process(address)
      return (
        parsed.kind() === range[0].kind() &&
        parsed.match(range as [ipaddr.IPv4, number]) &&
        !isMetadata(address)
      )
    }
  }
  const isOne = (text: string) => ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
  const parts = hostPattern.exec(entry.toLowerCase())
  const [, host = entry.toLowerCase(), , port] = parts ?? []
  if (port !== undefined && (Number(port) === 0 || Number(port) > 65_535)) throw malformed(entry)
  const name = host.replace(/^\[(.*)\]$/, "$1")
  const isPort = (its: number) => port === undefined || its === Number(port)
  if (isOne(name)) {
    const one = ipaddr.process(name).toString()
    return (_, its, address) => isPort(its) && ipaddr.process(address).toString() === one
  }
  if (parts === null || host.startsWith("[")) throw malformed(entry)
  return (asked, its, address) => asked === name && isPort(its) && !isMetadata(address)
}

/**
 * What may be reached, where these private places are allowed too. An entry that names a place opens all its ports. It
 * throws a `RangeError` that names an entry which means nothing.
 */
export const destinations = (allow: ReadonlyArray<string>): IsAllowed => {
  const entries = allow.map(parseEntry)
  return (host, port, address) =>
    (isPublic(address) && ports.has(port)) || entries.some((allows) => allows(host, port, address))
}
