/** The public names of single sign-on in `@lectern/model/api`. */
export { SamlApi } from "./SamlApi.ts"
