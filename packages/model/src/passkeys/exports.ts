export { PasskeyId } from "./Passkey.ts"
