/** Checks answers against the public contract, as the contract suite of the testkit does. */
export { differences } from "@lectern/testkit/contract"
