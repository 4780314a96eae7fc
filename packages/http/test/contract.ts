/** Checks answers against the public contract, as the contract suite of the testkit does. */
export { validatePublicResponse } from "@lectern/testkit/contract"
