/** All names of `uploads`. */
export * from "./Upload.ts"
