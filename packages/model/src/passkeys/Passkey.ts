/** Passkeys: credentials of people on their devices, by which they sign in and prove a second factor. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { idSchema } from "../schema/Id.ts"
import { resource } from "../schema/resource.ts"
import { text } from "../schema/Text.ts"
import { SignInClient } from "../sessions/Session.ts"
import { UserId } from "../users/User.ts"

/** The id of a passkey. It is not the id of its credential, which only the devices of its owner need. */
export const PasskeyId = idSchema("The id of a passkey.").pipe(Schema.brand("PasskeyId"))

/** The id of a passkey. It is not the id of its credential, which only the devices of its owner need. */
export type PasskeyId = string & Brand.Brand<"PasskeyId">

/** The maximum length of the id of a credential as Base64: the specification permits 1,023 bytes. */
export const maximumCredentialLength = 1_364

/** Base64 for URLs, without padding. */
const base64Url = (max: number) =>
  Schema.String.check(Schema.isMaxLength(max), Schema.isPattern(/^[A-Za-z0-9_-]+$/))

/** The maximum length of a public key as Base64: RSA keys of 8,192 bits are shorter. */
const maximumKeyLength = 4_000

const credentialId = base64Url(maximumCredentialLength)

/** The name of a passkey. */
const passkeyName = text({ min: 1, max: 100 })

/** A passkey, as its owner sees it. */
export interface Passkey {
  /** The id of the passkey. */
  readonly id: PasskeyId
  /** The name that its owner has chosen, or that of the device by which it was added. */
  readonly name: string
  /** Whether the passkey is available on several devices of its owner. */
  readonly synced: boolean
  /** When it was added. */
  readonly createdAt: string
  /** When it was last used; null for never. */
  readonly lastUsedAt: string | null
}

/** The second factor of a user, as the user sees it. */
export interface SecondFactor {
  /** Why passkeys are off on this server: its address is an IP address, or it is not reached by https. Absent if they are on. */
  readonly unavailable?: "ipAddress" | "insecure"
  /** The host name that passkeys are bound to. Absent if they are off. */
  readonly host?: string
  /** The passkeys, newest first. */
  readonly passkeys: ReadonlyArray<Passkey>
  /** The number of recovery codes that were not used. */
  readonly recoveryCodes: number
  /** Whether the session has verified a second factor. */
  readonly verified: boolean
  /** Whether an organization of the user requires a second factor. */
  readonly required: boolean
}

/** The response of an authenticator that has created a credential. Its parts are bounded before anything is decoded. */
export const RegistrationResponse = Schema.Struct({
  id: credentialId,
  rawId: credentialId,
  type: Schema.Literal("public-key"),
  response: Schema.Struct({
    clientDataJSON: base64Url(4_096),
    attestationObject: base64Url(16_384),
    transports: Schema.optionalKey(Schema.Array(text({ max: 20 })).check(Schema.isMaxLength(10)))
  })
})

/** The response of an authenticator that has signed a challenge. Its parts are bounded before anything is decoded. */
export const AssertionResponse = Schema.Struct({
  id: credentialId,
  rawId: credentialId,
  type: Schema.Literal("public-key"),
  response: Schema.Struct({
    clientDataJSON: base64Url(4_096),
    authenticatorData: base64Url(2_048),
    signature: base64Url(8_192),
    userHandle: Schema.optionalKey(base64Url(128))
  })
})

/** The response of an authenticator that has created a credential. */
export type RegistrationResponse = typeof RegistrationResponse.Type

/** The response of an authenticator that has signed a challenge. */
export type AssertionResponse = typeof AssertionResponse.Type

/** The challenge in a response that is not verified yet. */
const challenge = base64Url(1_000)

const transport = text({ max: 20 })

/** The credential that an authenticator has created, in a verified response. */
export class CreatePasskey extends resource<CreatePasskey>()(
  Schema.Struct({
    /** The name, 1 to 100 characters; that of the device by default. */
    name: Schema.optionalKey(passkeyName),
    /** The header `User-Agent`, which names the device. */
    userAgent: Schema.optionalKey(text({ max: 500 })),
    /** The challenge in the response. */
    challenge,
    /** The id of the credential. */
    credential: credentialId,
    /** The public key in the encoding of COSE. */
    publicKey: base64Url(maximumKeyLength),
    /** The number of signatures of the authenticator. */
    counter: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 32 - 1 })),
    /** How browsers reach the authenticator, such as `internal`. */
    transports: Schema.Array(transport).check(Schema.isMaxLength(10)),
    /** Whether the passkey is available on several devices. */
    synced: Schema.Boolean,
    /** The host name that the credential is bound to. */
    host: text({ min: 1, max: 255 })
  })
) {}

/** The new name of a passkey. */
export class UpdatePasskey extends resource<UpdatePasskey>()(
  Schema.Struct({
    /** The name, 1 to 100 characters. */
    name: passkeyName
  })
) {}

/** The challenge of a new credential, before its response is verified. */
export class ResumePasskeyRegistration extends resource<ResumePasskeyRegistration>()(
  Schema.Struct({
    /** The challenge in the response. */
    challenge
  })
) {}

/** The challenge and the credential of a response that is not verified yet. */
export class ResumePasskeySignIn extends resource<ResumePasskeySignIn>()(
  Schema.Struct({
    /** The challenge in the response. */
    challenge,
    /** The id of the credential. */
    credential: credentialId,
    /** The id of the user that the authenticator has stored with the credential. */
    userHandle: Schema.optionalKey(text({ min: 1, max: 100 }))
  })
) {}

const usedPasskey = {
  /** The challenge in the response. */
  challenge,
  /** The passkey that has signed it. */
  passkey: PasskeyId,
  /** The number of signatures of the authenticator when the response was verified. */
  formerCounter: Schema.Int,
  /** The number of signatures of the authenticator in the response. */
  counter: Schema.Int,
  /** Whether the passkey is available on several devices. */
  synced: Schema.Boolean
}

/** A sign-in by a passkey, in a verified response. */
export class FinishPasskeySignIn extends resource<FinishPasskeySignIn>()(
  Schema.Struct({
    ...usedPasskey,
    /** The browser that signs in. */
    client: SignInClient,
    /** The user of the passkey, whose memberships the operation locks. */
    user: UserId
  })
) {}

/** The proof of a second factor by a passkey in a session, in a verified response. */
export class VerifyPasskey extends resource<VerifyPasskey>()(Schema.Struct(usedPasskey)) {}

/** The proof of a second factor by a recovery code, in a session. */
export class UseRecoveryCode extends resource<UseRecoveryCode>()(
  Schema.Struct({
    /** The code. Upper case, spaces and hyphens make no difference. */
    code: text({ min: 1, max: 100 })
  })
) {}
