export { type PasskeySignIn, PasskeySignIns, type PasskeyToVerify } from "./PasskeySignIns.ts"
export { type PasskeyRegistration, Passkeys, type PasskeyVerification } from "./Passkeys.ts"
export type { RelyingParty } from "./relyingParty.ts"
