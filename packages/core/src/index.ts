export * from "./storage/index.ts"
