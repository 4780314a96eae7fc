/** Validates responses against the public contract, like the contract suite of the testkit. */
export { validatePublicResponse } from "@lectern/testkit/contract"
