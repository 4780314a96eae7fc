/** All names of `errors`. */
export * from "./errors.ts"
export * from "./FeatureError.ts"
