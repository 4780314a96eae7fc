/** An authenticator in software: it creates discoverable credentials, and signs challenges as a browser requests them. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"
import { isoCBOR } from "@simplewebauthn/server/helpers"

const encode = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString("base64url")

const sha256 = (data: Uint8Array | string): Buffer => createHash("sha256").update(data).digest()

/** The parts of a response that a test can change. */
export interface ResponseDifferences {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  readonly userHandle?: string
  readonly counter?: number
  readonly crossOrigin?: boolean
  readonly topOrigin?: string
  /** The flags of the authenticator data: 1 for presence, 4 for verification of the user. */
  readonly flags?: number
  readonly credential?: string
}

/** The options of a browser, as far as the authenticator reads them. */
interface RequestOptions {
  readonly challenge: string
}

interface CreationOptions extends RequestOptions {
  readonly rp: { readonly id?: string }
  readonly user: { readonly id: string }
}

const authenticatorData = (
  rpId: string,
  flags: number,
  counter: number,
  credentialData = Buffer.alloc(0)
) => {
  const head = Buffer.alloc(5)
  head.writeUInt8(flags, 0)
  head.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(rpId), head, credentialData])
}

/** Returns the public key in the encoding of COSE: ES256 on the curve P-256. */
const coseKey = (key: KeyObject): Uint8Array => {
  const { x, y } = key.export({ format: "jwk" })
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Uint8Array.from(Buffer.from(x!, "base64url"))],
      [-3, Uint8Array.from(Buffer.from(y!, "base64url"))]
    ])
  )
}

/** Creates an authenticator for the pages of an origin. `isCounting` is whether it counts its signatures. */
export const createAuthenticator = (origin: string, isCounting = true) => {
  const id = randomBytes(32)
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const host = new URL(origin).hostname
  let counter = 0
  let owner = ""

  const clientData = (type: string, challenge: string, differences: ResponseDifferences): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: differences.type ?? type,
        challenge: differences.challenge ?? challenge,
        origin: differences.origin ?? origin,
        crossOrigin: differences.crossOrigin ?? false,
        ...(differences.topOrigin === undefined ? {} : { topOrigin: differences.topOrigin })
      })
    )

  return {
    credential: encode(id),

    /** Creates the credential, with an attestation that a test can replace. */
    register: (
      { challenge, rp, user }: CreationOptions,
      differences: ResponseDifferences = {},
      attestation: { readonly fmt: string; readonly attStmt: Map<string, unknown> } = {
        fmt: "none",
        attStmt: new Map()
      }
    ) => {
      owner = user.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const data = authenticatorData(
        differences.rpId ?? rp.id ?? host,
        (differences.flags ?? 5) | 0x40,
        0,
        Buffer.concat([Buffer.alloc(16), length, id, coseKey(keys.publicKey)])
      )
      const object = isoCBOR.encode(
        new Map<string, never>([
          ["fmt", attestation.fmt as never],
          ["attStmt", attestation.attStmt as never],
          ["authData", Uint8Array.from(data) as never]
        ])
      )
      return {
        id: encode(id),
        rawId: encode(id),
        type: "public-key",
        response: {
          clientDataJSON: encode(clientData("webauthn.create", challenge, differences)),
          attestationObject: encode(object),
          transports: ["internal"]
        }
      }
    },

    /** Signs a challenge. */
    sign: ({ challenge }: RequestOptions, differences: ResponseDifferences = {}) => {
      if (isCounting) counter += 1
      const client = clientData("webauthn.get", challenge, differences)
      const data = authenticatorData(
        differences.rpId ?? host,
        differences.flags ?? 5,
        differences.counter ?? counter
      )
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), keys.privateKey)
      const credential = differences.credential ?? encode(id)
      return {
        id: credential,
        rawId: credential,
        type: "public-key",
        response: {
          clientDataJSON: encode(client),
          authenticatorData: encode(data),
          signature: encode(signature),
          userHandle: differences.userHandle ?? owner
        }
      }
    }
  }
}

/** An authenticator in software. */
export type SoftAuthenticator = ReturnType<typeof createAuthenticator>
