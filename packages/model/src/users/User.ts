/** Users: the accounts of people. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { idSchema } from "../schema/Id.ts"
import { resource } from "../schema/resource.ts"
import { documented, trimmed } from "../schema/Text.ts"
import { Url } from "../schema/Url.ts"

/** The id of a user. */
export const UserId = idSchema("The id of a user.").pipe(Schema.brand("UserId"))

/** The id of a user. */
export type UserId = string & Brand.Brand<"UserId">

/** Whether a character outside of ASCII has an ASCII character in its compatibility form or in its lower case. */
const looksLikeAscii = (character: string): boolean =>
  character > "\u007f" && /[\0-\x7f]/.test(character.normalize("NFKC").toLowerCase())

/**
 * An e-mail address of 3 to 254 characters. Leading and trailing whitespace is removed. It is stored in lower case and in
 * the normalization form NFC. Characters that this, or a mail server, could change to ASCII are invalid: the Kelvin sign
 * would become a `k`, so that the mailbox of one person would be the account of another.
 */
export const Email = Schema.String.check(
  documented({ minLength: 3, maxLength: 254 }),
  Schema.makeFilter((address: string) =>
    Array.from(address.trim()).some(looksLikeAscii)
      ? "must not have characters that normalization changes to ASCII, such as the Kelvin sign or full-width letters"
      : undefined
  )
).pipe(
  Schema.decodeTo(
    Schema.String.check(
      Schema.isPattern(/^(?=.{3,254}$)[^\s@"'<>(),:;\\\p{Cc}\p{Cs}]+@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*$/u, {
        message: "must be an e-mail address"
      })
    ),
    SchemaTransformation.transform({
      decode: (address) => address.trim().toLowerCase().normalize("NFC"),
      encode: (address) => address
    })
  )
)

/** A user: a person who has an account. */
export class User extends resource<User>()(
  Schema.Struct({
    /** The kind of this object. */
    object: Schema.Literal("user"),
    /** The id of the user. */
    id: UserId,
    /** The name that other users see. */
    displayName: Schema.String,
    /** The e-mail address of the account, in lower case. */
    email: Schema.optionalKey(Schema.String),
    /** The URL of the profile image. Absent if it is not set. */
    photoURL: Schema.optionalKey(Schema.String),
    /** URLs of the user. */
    urls: Schema.Struct({
      /** The URL of the user in this API. */
      location: Schema.String
    })
  }).annotate({ identifier: "User", description: "A person who has an account." })
) {}

/** The fields to update on a user's own account. Fields that are absent keep their values. */
export class UpdateUser extends resource<UpdateUser>()(
  Schema.Struct({
    /** The name that other users see, 1 to 64 characters. Leading and trailing whitespace is removed. */
    displayName: Schema.optionalKey(trimmed({ min: 1, max: 64 })),
    /** The URL of the profile image. */
    photoURL: Schema.optionalKey(Url)
  }).annotate({ identifier: "UpdateUser" })
) {}

/** The fields of a new account. */
export class CreateUser extends resource<CreateUser>()(
  Schema.Struct({
    /** The e-mail address of the account. No other account has it. */
    email: Email,
    /**
     * The name that other users see, 1 to 100 characters, of which 64 are stored; by default the part of the e-mail
     * address before the @.
     */
    displayName: Schema.optionalKey(trimmed({ min: 1, max: 100 }))
  })
) {}

/** An account, as the operator of a workspace sees it. */
export interface Account {
  /** The id of the user. */
  readonly id: UserId
  /** The e-mail address of the account, in lower case. */
  readonly email: string
  /** The name that other users see. */
  readonly displayName: string
  /** The URL of the profile image; null if it is not set. */
  readonly photoURL: string | null
  /** When the account was created. */
  readonly createdAt: string
}
