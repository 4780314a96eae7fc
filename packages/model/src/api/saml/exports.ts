export { SamlApi } from "./SamlApi.ts"
