/** What `@lectern/client` exports of single sign-on. */
export { SamlApi } from "./SamlApi.ts"
