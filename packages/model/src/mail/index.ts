/** All names of `mail`. */
export * from "./mailTexts.ts"
export * from "./renderMail.ts"
