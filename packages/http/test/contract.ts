/** Validates responses against the public contract, like the contract suite of the testkit. */
export { newerContract, validatePublicResponse } from "@lectern/testkit/contract"
