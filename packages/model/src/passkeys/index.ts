/** All names of `passkeys`. */
export * from "./Passkey.ts"
