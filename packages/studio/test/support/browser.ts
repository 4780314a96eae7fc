/** The browser of the tests, which the tests of the reader use too. */
export { openBrowser } from "../../../reader/test/support/browser.ts"
