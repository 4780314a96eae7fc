/** The tables of the laws of storage, for other tests of the stores. */
export { files, folders, tables } from "../../../testkit/src/laws/tables.ts"
