/** The public names of links in `@lectern/core`, besides the model. */
export { Links } from "./Links.ts"
