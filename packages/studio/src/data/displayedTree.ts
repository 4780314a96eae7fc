/** Orders the first load: the tree of a space is displayed before the code of the page text is requested. */

/** How long the text waits for the tree, such as on a phone, where the tree is not displayed. */
const maximumWaitMs = 1_000

let resolveDisplayed: () => void = () => undefined

const displayed = new Promise<void>((resolve) => {
  resolveDisplayed = resolve
})

/** Reports that a tree is displayed. */
export const reportDisplayedTree = (): void => resolveDisplayed()

/** Resolves when a tree has been displayed, or after a second. */
export const waitForTree = (): Promise<void> =>
  Promise.race([displayed, new Promise<void>((resolve) => setTimeout(resolve, maximumWaitMs))])
