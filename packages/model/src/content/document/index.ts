/** All names of documents. */
export * from "./Block.ts"
export * from "./base.ts"
export * from "./ContainerBlock.ts"
export * from "./Document.ts"
export * from "./Inline.ts"
export * from "./TableBlock.ts"
export * from "./TextBlock.ts"
export * from "./VoidBlock.ts"
