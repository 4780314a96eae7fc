/** Checks the statements that a host executes in a transaction of Lectern. */
import { HostTransactionError } from "@lectern/kernel"

/** Whitespace and comments before a statement. */
const leading = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/|;)+/

const control =
  /^(?:begin|start\s+transaction|commit|end|rollback|abort|savepoint|release|prepare\s+transaction|set\s+(?:local\s+|session\s+)?(?:transaction|session\s+characteristics))\b/i

/**
 * Throws if the transaction has ended, or if a statement begins or ends a transaction or a savepoint: the rows of the host would
 * then not be stored together with the changes of the workspace. Only the first statement of the text is checked; the savepoint
 * around the body detects others.
 */
export const checkHostStatement = (isOpen: boolean, text: unknown): void => {
  if (!isOpen) throw HostTransactionError.ended()
  if (typeof text !== "string" || !control.test(text.replace(leading, ""))) return
  throw new HostTransactionError(
    "ControlsTransaction",
    "A statement of the host must not begin, end or roll back the transaction or a savepoint. Throw from the callback to roll back."
  )
}
