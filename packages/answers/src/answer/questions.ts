/** Reads the questions that a model suggests, and divides its answers from them. */
import { questionsMarker } from "../context/prompts.ts"

/** The maximum length of a question, in characters. Longer lines are omitted. */
const maximumQuestionLength = 200

/** Matches control characters, also the ones that change the direction of text. */
const controlPattern = /[\p{Cc}\p{Cf}]/gu

/** Returns the questions of lines, at most `maximum`, as plain text. */
export const questionsOf = (text: string, maximum: number): ReadonlyArray<string> => {
  const questions = text
    .split("\n")
    .map((line) =>
      line
        .replace(controlPattern, " ")
        .replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, "")
        .replace(/\s+/g, " ")
        .trim()
    )
    .filter((line) => line !== "" && line.length <= maximumQuestionLength && !/[<>]|:\/\/|\]\(/.test(line))
  return [...new Set(questions)].slice(0, maximum)
}

/** The text of an answer, and the text of its questions; undefined while the model has not begun to write them. */
export interface DividedAnswer {
  readonly answer: string
  readonly questions: string | undefined
}

/** Divides generated text. A last line that can become the marker is not part of the answer yet. */
export const divideAnswer = (text: string): DividedAnswer => {
  const at = text.indexOf(questionsMarker)
  if (at !== -1)
    return { answer: text.slice(0, at).trimEnd(), questions: text.slice(at + questionsMarker.length) }
  const lastLine = text.slice(text.lastIndexOf("\n") + 1)
  const canBeMarker = lastLine !== "" && questionsMarker.startsWith(lastLine)
  return { answer: canBeMarker ? text.slice(0, -lastLine.length) : text, questions: undefined }
}
