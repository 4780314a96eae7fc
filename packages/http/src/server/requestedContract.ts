/**
 * Converts responses to the form of the public contract that the request names. A newer version adds blocks of documents that the
 * supported one does not have, in another form than that of Lectern. The supported version limits the blocks of each block, and has no
 * links in structures of sites: visitors, and requests that name it, receive valid documents and structures.
 */
import { type ContractNode, toContractForm } from "@lectern/model/document"
import type { ApiRequest } from "./messages/Message.ts"

/** The header with which a request names a version of the public contract. */
const contractHeader = "lectern-contract"

/** The supported version, whose schemas limit documents. */
const supportedVersion = "0.143.2"

/** The newer version whose form responses can have. */
const newerVersion = "0.202.0"

type Json = { readonly [key: string]: unknown }

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The formats of dates in the newer version. */
const dateFormats: ReadonlySet<unknown> = new Set(["numeric", "full", "short"])

/** Returns the date of an entry as a timestamp, if it is a date. */
const timestampOf = (date: unknown): unknown => {
  const time = typeof date === "string" ? Date.parse(date) : Number.NaN
  return Number.isNaN(time) ? date : new Date(time).toISOString()
}

/** Returns the data of a changelog or of an entry in the form of the newer version; undefined for other blocks. */
const newerData = ({ object, type, data }: Json): Json | undefined => {
  if (object !== "block" || !isJson(data)) return undefined
  if (type === "updates") return { format: dateFormats.has(data.format) ? data.format : "full" }
  if (type !== "update") return undefined
  const { date, tags } = data
  return {
    ...(date === undefined ? {} : { date: timestampOf(date) }),
    ...(Array.isArray(tags) ? { tags: tags.map((tag: unknown) => ({ kind: "tag", tag: String(tag) })) } : {})
  }
}

const toNewer = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toNewer)
  if (!isJson(value)) return value
  const converted = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toNewer(inner)]))
  const data = newerData(value)
  return data === undefined ? converted : { ...converted, data }
}

/** Whether a request names a version that is not the supported one. */
export const requestsNewerContract = ({ header }: Pick<ApiRequest, "header">): boolean =>
  header(contractHeader) === newerVersion

/** Whether the documents of a response match the schemas of the contract: for visitors, and if the request names the version. */
export const receivesValidDocuments = (
  { header }: Pick<ApiRequest, "header">,
  isVisitor: boolean
): boolean => {
  const version = header(contractHeader)
  return version === supportedVersion || (isVisitor && version !== newerVersion)
}

const isDocument = (value: Json): boolean =>
  value.object === "document" && Array.isArray(value.nodes) && isJson(value.data)

/** Whether a value is an item of a structure that clients of the supported version take for a section. */
const isNewerItem = (value: unknown): boolean => isJson(value) && value.object === "site-external-link"

/** Returns the origin of a role on a site that the supported version has: it has no roles on sites, so that the origin is the organization. */
const supportedOrigin = ({ type, organization }: Json): Json | undefined =>
  type === "site" && organization !== undefined ? { type: "organization", organization } : undefined

/** Replaces documents and origins of roles, and omits items of structures that the supported version does not have. Other values are returned as they are. */
const withValidDocuments = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    const known = value.some(isNewerItem) ? value.filter((item) => !isNewerItem(item)) : value
    const items = known.map(withValidDocuments)
    return items.some((item, index) => item !== known[index]) ? items : known
  }
  if (!isJson(value)) return value
  if (isDocument(value)) return toContractForm(value as ContractNode)
  const entries = Object.entries(value).map(([key, inner]) => {
    const origin = key === "origin" && isJson(inner) ? supportedOrigin(inner) : undefined
    return [key, origin ?? withValidDocuments(inner)] as const
  })
  return entries.some(([key, inner]) => inner !== value[key]) ? Object.fromEntries(entries) : value
}

/**
 * Returns a response in the form of the version that the request names. Without the header, or with an unknown version, users receive it
 * unchanged, and visitors receive valid documents.
 */
export const inRequestedContract = (
  request: Pick<ApiRequest, "header">,
  value: unknown,
  isVisitor: boolean
): unknown => {
  if (requestsNewerContract(request)) return toNewer(value)
  return receivesValidDocuments(request, isVisitor) ? withValidDocuments(value) : value
}
