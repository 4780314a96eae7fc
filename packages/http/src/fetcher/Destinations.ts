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

/** What is behind forms of IPv6 that carry an address of IPv4: that is what is reached in the end. */
const innermost = (address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 => {
  if (!(address instanceof ipaddr.IPv6)) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  const bytes = address.toByteArray()
  const range = address.range()
  if (range === "rfc6052" || range === "rfc6145") return new ipaddr.IPv4(bytes.slice(12))
  if (range === "6to4") return new ipaddr.IPv4(bytes.slice(2, 6))
  return address
}

/** Whether an address is one of the public network: not of this machine, nor of a private network, nor of a cloud. */
export const isPublic = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false
  // An address with a zone is one of a link.
  const address = innermost(ipaddr.parse(text))
  return address.range() === "unicast"
}

/** An entry of the list of what is allowed: a network, an address, or a name, with a port or without. */
const parseEntry = (entry: string): IsAllowed => {
  const network = /^\[?([0-9a-fA-F.:]+)\]?\/(\d{1,3})$/.exec(entry)
  if (network !== null && ipaddr.isValid(network[1]!)) {
    const range: [ipaddr.IPv4 | ipaddr.IPv6, number] = [ipaddr.parse(network[1]!), Number(network[2])]
    return (_, __, address) => {
      const parsed = ipaddr.process(address)
      return parsed.kind() === range[0].kind() && parsed.match(range as [ipaddr.IPv4, number])
    }
  }
  if (ipaddr.isValid(entry)) {
    const one = ipaddr.process(entry).toString()
    return (_, __, address) => ipaddr.process(address).toString() === one
  }
  const [, name = entry, port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
  const bare = name.replace(/^\[|\]$/g, "").toLowerCase()
  return (host, its) => host === bare && (port === undefined || its === Number(port))
}

/** What may be reached, where these private places are allowed too. An entry that names a place opens all its ports. */
export const destinations = (allow: ReadonlyArray<string>): IsAllowed => {
  const entries = allow.map(parseEntry)
  return (host, port, address) =>
    (isPublic(address) && ports.has(port)) || entries.some((allows) => allows(host, port, address))
}
