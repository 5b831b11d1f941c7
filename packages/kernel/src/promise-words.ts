/**
 * Words that promise a return, or that there is no risk. No text for members may contain one, not even to deny it,
 * because some members read only half of a sentence.
 */
const PROMISE_PATTERNS: readonly RegExp[] = [
  /\bguaranteed\b/i,
  /\b(?:risk|loss)[\s-]?free\b/i,
  /\b(?:no|zero|without)[\s-]risks?\b/i,
  /\bsure (?:profit|win)\b/i,
  /保本/,
  /[穩稳必包][賺赚]/,
  /[無无零][風风][險险]/,
  /保[證证](?:收益|獲利|获利|盈利|報酬|回報|回报)/,
]

/** Returns the first match of each pattern, as it is spelled in the text. */
export const findPromiseWords = (text: string): string[] =>
  PROMISE_PATTERNS.flatMap((pattern) => {
    const found = pattern.exec(text)
    return found ? [found[0]] : []
  })
