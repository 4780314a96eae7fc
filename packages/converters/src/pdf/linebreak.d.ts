/** Types for the used part of `linebreak`, which has no declarations. */
declare module "linebreak" {
  export default class LineBreaker {
    constructor(text: string)
    /** Returns the next break opportunity, which can be a required break, or null after the end of the text. */
    nextBreak(): { readonly position: number; readonly required: boolean } | null
  }
}
