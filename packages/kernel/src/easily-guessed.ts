/**
 * Neighbors on a keyboard, on a number pad and in the alphabet, and every second digit. A run reads them in either
 * direction.
 */
const ROWS = [
  '01234567890 abcdefghijklmnopqrstuvwxyz qwertyuiop asdfghjkl zxcvbnm',
  '1qaz 2wsx 3edc 4rfv 5tgb 6yhn 7ujm 147 258 369 159 357 13579 02468',
].join(' ')
const RUNS = `${ROWS} ${Array.from(ROWS).reverse().join('')}`

/**
 * The most used words of published lists, words of this field, and numbers that are read as words in Chinese. Kept
 * short: the list is a part of the first page load.
 */
const COMMON_WORDS = [
  'password passw0rd pass admin root user guest test login master secret welcome hello letmein changeme iloveyou love',
  'lucky money gold dragon monkey shadow sunshine princess football baseball superman pokemon freedom computer google',
  'lode bitcoin btc btn usdt ethereum eth crypto wallet metamask binance token coin mining miner pool fund moon',
  'woaini mima 5201314 1314520 5211314 7758521 abc qwe qwer qwerty asd asdf zxc qaz',
]
  .join(' ')
  .split(' ')

const YEAR = '(?:19|20)?\\d\\d'
const MONTH = '(?:0[1-9]|1[0-2])'
const DAY = '(?:0[1-9]|[12]\\d|3[01])'
const DATE = new RegExp(`^(?:${YEAR}${MONTH}${DAY}|${DAY}${MONTH}${YEAR}|${MONTH}${DAY}${YEAR})$`)

const isRun = (three: string): boolean => three.length === 3 && (RUNS.includes(three) || new Set(three).size === 1)

/** The number of characters that are in no run of three. `abc123x` has one, `abc72` has two. */
const countOutsideRuns = (text: string): number =>
  Array.from(text).filter(
    (_, at) => ![at - 2, at - 1, at].some((start) => isRun(text.slice(Math.max(start, 0), start + 3))),
  ).length

/** The common word alone, with up to four digits, or with runs only: `lode2026`, `12wallet34`, `password123456`. */
function isCommonWord(text: string): boolean {
  return COMMON_WORDS.some((word) => {
    if (!text.includes(word)) return false
    const rest = text.replace(word, '')
    return /^\d{0,4}$/.test(rest) || countOutsideRuns(rest) === 0
  })
}

/**
 * True for a password that a guesser tries first. Upper and lower case count as the same. The password has the format
 * of a fund password, 6 to 20 letters or digits.
 *
 * It does not know names, words of other languages, words in leet spelling, two words together, leaked passwords, or
 * anything about the member. A guesser has five tries in 15 minutes, so only the most likely passwords matter, and a
 * list of millions would have to be loaded by every browser. A common word among other letters is accepted
 * (`mydragon7`), and so is a short run among other characters (`new456`).
 *
 * It refuses 10.3% of all six-digit numbers, most of them (8.6%) as dates, and 0.05% of six random letters and digits.
 * A member whose random number is refused takes another one.
 */
export function isEasilyGuessed(password: string): boolean {
  const text = password.toLowerCase()
  const withoutDoubles = text.replace(/(.)\1+/g, '$1')
  return (
    new Set(text).size <= 2 ||
    /^(.{1,4})\1+$/.test(text) ||
    countOutsideRuns(text) <= 2 ||
    countOutsideRuns(withoutDoubles) === 0 ||
    isCommonWord(text) ||
    DATE.test(text)
  )
}
