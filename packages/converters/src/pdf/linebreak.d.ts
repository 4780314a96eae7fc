/** The part of `linebreak` that is used; it comes without types. */
declare module "linebreak" {
  export default class LineBreaker {
    constructor(text: string)
    /** Where a line may end next, and whether it must; null behind the end of the text. */
    nextBreak(): { readonly position: number; readonly required: boolean } | null
  }
}
