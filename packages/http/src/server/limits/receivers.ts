/** The requests that are receiving their bodies: how many there may be, and which one ends when there are too many. */
import type { ApiResponse, BodySource } from "../messages/Message.ts"

/** A request that is receiving its body. */
export interface Receiver {
  /** When it began, in milliseconds of a monotonic clock. */
  readonly since: number
  /** Whether the body is stored while it arrives. */
  readonly isUpload: boolean
  readonly source: BodySource
  /** Ends the request. */
  readonly reject: () => void
}

/** The maximum numbers of bodies that are received at the same time. */
export interface ReceiverLimits {
  /** All bodies. */
  readonly bodies: number
  /** Uploads. */
  readonly uploads: number
  /** The age, in milliseconds, at which a body ends for another one of the same address. */
  readonly minimumAgeMs: number
  /** Responds to an upload over a limit of its URL, its user or its address. */
  readonly tooMany: (maximum: number, noun: string) => ApiResponse
  /** Responds to a body for which there is no room. */
  readonly overloaded: () => ApiResponse
}

/** The shares of a user and of an address in the maximum number of uploads: 8 and 25 of 200. */
const shares = { user: 0.04, address: 0.125 }

/** How many uploads a signed URL receives at the same time: another one would replace the file. */
const uploadsPerUrl = 1

/** Whose share a body uses. Among bodies without an owner, the oldest ends first. */
const ownerOf = ({ isUpload, source }: Receiver): string | undefined => {
  const { organization, user, address } = source
  if (isUpload && organization !== undefined) return `organization:${organization}`
  return address === undefined ? user && `user:${user}` : `address:${address}`
}

/**
 * Creates the set of requests that are receiving their bodies. If it is full, a body of the owner with the most bodies ends for
 * one of an owner with fewer, so that no organization and no address can prevent others from sending.
 */
export const makeReceivers = (limits: ReceiverLimits) => {
  const receivers = new Set<Receiver>()

  const maxima = [
    ["url", uploadsPerUrl, "URL"],
    ["user", Math.max(1, Math.floor(limits.uploads * shares.user)), "user"],
    ["address", Math.max(1, Math.floor(limits.uploads * shares.address)), "address"]
  ] as const

  /** Returns the response to an upload over a limit of its own. */
  const exceededBy = (uploads: ReadonlyArray<Receiver>, { source }: Receiver): ApiResponse | undefined => {
    for (const [name, maximum, noun] of maxima) {
      const value = source[name]
      if (value === undefined) continue
      const count = uploads.filter((other) => other.source[name] === value).length
      if (count >= maximum) return limits.tooMany(maximum, noun)
    }
    return undefined
  }

  const end = (receiver: Receiver): void => {
    receivers.delete(receiver)
    receiver.reject()
  }

  /** Ends a body of the owner with the most bodies, if that owner has more than the other one would have. */
  const endLargest = (candidates: ReadonlyArray<Receiver>, owner: string | undefined): boolean => {
    if (owner === undefined) return false
    const byOwner = new Map<string, Array<Receiver>>()
    for (const one of candidates) {
      const key = ownerOf(one) ?? ""
      const group = byOwner.get(key)
      if (group === undefined) byOwner.set(key, [one])
      else group.push(one)
    }
    const own = byOwner.get(owner)?.length ?? 0
    const [largest] = [...byOwner.values()].sort((one, other) => other.length - one.length)
    if (largest === undefined || largest.length <= own + 1) return false
    // The newest upload has stored the least.
    end(largest[0]!.isUpload ? largest.at(-1)! : largest[0]!)
    return true
  }

  const endOldest = (candidates: ReadonlyArray<Receiver>, now: number): boolean => {
    const [oldest] = candidates
    if (oldest === undefined || now - oldest.since < limits.minimumAgeMs) return false
    end(oldest)
    return true
  }

  return {
    /** Adds a receiver. Returns the response to its request if there is no room for it. */
    add: (receiver: Receiver): ApiResponse | undefined => {
      const all = [...receivers]
      const owner = ownerOf(receiver)
      if (receiver.isUpload) {
        const uploads = all.filter(({ isUpload }) => isUpload)
        const exceeded = exceededBy(uploads, receiver)
        if (exceeded !== undefined) return exceeded
        if (uploads.length >= limits.uploads && !endLargest(uploads, owner)) return limits.overloaded()
      }
      if (receivers.size >= limits.bodies) {
        const others = all.filter((one) => !one.isUpload && receivers.has(one))
        if (!endLargest(others, owner) && !endOldest(others, receiver.since)) return limits.overloaded()
      }
      receivers.add(receiver)
      return undefined
    },
    remove: (receiver: Receiver): void => {
      receivers.delete(receiver)
    }
  }
}
