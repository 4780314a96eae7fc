/** The size from which Markdown is parsed in a worker thread, if the host provides one, because any can be adversarial. */

/** The number of characters up to which Markdown is parsed on the event loop. */
export const longTextLength = 20_000
