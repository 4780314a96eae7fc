/**
 * Guards outgoing requests against server-side request forgery (SSRF): only public addresses, and addresses that the
 * operator allows, can be reached.
 */
import ipaddr from "ipaddr.js"

/** The ports that are allowed on public addresses. */
const publicPorts = new Set([80, 443, 8080, 8443])

/** An IP address of a host, as DNS resolvers return it. */
export interface ResolvedAddress {
  /** The IPv4 or IPv6 address. */
  readonly address: string
  /** 4 or 6. */
  readonly family: number
}

/**
 * Whether a request to `host` on `port` may connect to `address`, one of the IP addresses that the name of the host resolves
 * to. `host` is in lower case and has no brackets.
 */
export type DestinationFilter = (host: string, port: number, address: string) => boolean

/** The well-known prefix of NAT64 (RFC 6052): the last four bytes are the IPv4 address that is reached. */
const nat64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("64:ff9b::"), 96]

/** The part of IPv6 that is allocated for public addresses. */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3]

/** Returns the IPv4 address that an IPv6 address embeds, because packets are routed to it; otherwise the address itself. */
const unwrapEmbedded = (address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 => {
  if (!(address instanceof ipaddr.IPv6)) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  const bytes = address.toByteArray()
  if (address.match(nat64)) return new ipaddr.IPv4(bytes.slice(12))
  if (address.range() === "6to4") return new ipaddr.IPv4(bytes.slice(2, 6))
  return address
}

/** The metadata endpoints of clouds, which return credentials. Azure's has a public address. */
const metadataAddresses: ReadonlySet<string> = new Set([
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
  ipaddr.isValid(address) && metadataAddresses.has(unwrapEmbedded(ipaddr.parse(address)).toString())

/**
 * Whether an IP address is publicly routable: not a loopback, private, link-local or reserved address, and not a metadata
 * endpoint of a cloud. Returns `false` for text that is not an IP address.
 */
export const isPublicAddress = (text: string): boolean => {
  // Addresses with a zone (`fe80::1%eth0`) are link-local.
  if (!ipaddr.isValid(text) || text.includes("%") || isMetadata(text)) return false
  const address = unwrapEmbedded(ipaddr.parse(text))
  if (address.range() !== "unicast") return false
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast)
}

/** A host name, an IPv4 address or an IPv6 address in brackets, with an optional port. */
const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?)(?::(\d{1,5}))?$/

const malformedEntry = (entry: string) =>
  new RangeError(
    `${JSON.stringify(entry)} must be a network (10.0.0.0/8), an address (10.0.0.1, ::1) or a host (wiki.local:8080)`
  )

/**
 * Creates the filter of one entry: a network, an address or a host name, the last two with an optional port. Metadata
 * endpoints of clouds are only allowed by their exact address. Throws a `RangeError` if the entry is malformed.
 */
const parseEntry = (entry: string): DestinationFilter => {
  if (entry.includes("/")) {
    if (!ipaddr.isValidCIDR(entry)) throw malformedEntry(entry)
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
  const isAddress = (text: string) => ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
  const parts = hostPattern.exec(entry.toLowerCase())
  const [, host = entry.toLowerCase(), , port] = parts ?? []
  if (port !== undefined && (Number(port) === 0 || Number(port) > 65_535)) throw malformedEntry(entry)
  const name = host.replace(/^\[(.*)\]$/, "$1")
  const matchesPort = (actual: number) => port === undefined || actual === Number(port)
  if (isAddress(name)) {
    const allowed = ipaddr.process(name).toString()
    return (_, actualPort, address) =>
      matchesPort(actualPort) && ipaddr.process(address).toString() === allowed
  }
  if (parts === null || host.startsWith("[")) throw malformedEntry(entry)
  return (actualHost, actualPort, address) =>
    actualHost === name && matchesPort(actualPort) && !isMetadata(address)
}

/**
 * Creates the filter of a server's requests: it allows public addresses on the ports 80, 443, 8080 and 8443, and the private
 * networks (`10.0.0.0/8`), addresses and hosts of `allow`. An entry without a port allows all ports.
 *
 * Throws a `RangeError` that names the first malformed entry.
 *
 * @example
 * createDestinationFilter(["10.0.0.0/8", "wiki.local:8080"])
 */
export const createDestinationFilter = (allow: ReadonlyArray<string>): DestinationFilter => {
  const entries = allow.map(parseEntry)
  return (host, port, address) =>
    (isPublicAddress(address) && publicPorts.has(port)) ||
    entries.some((allows) => allows(host, port, address))
}
