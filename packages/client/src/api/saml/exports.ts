/** The public names of single sign-on in `@lectern/client`. */
export { SamlApi } from "./SamlApi.ts"
