/** All names of `pdf`. */
export * from "./Pdf.ts"
