/** All names of `provisioning`. */
export * from "./Provisioning.ts"
