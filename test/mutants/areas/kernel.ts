import { type Mutant, mutantsOf } from '../mutant.ts'

const folder = 'packages/kernel/src'

export const kernel: readonly Mutant[] = [
  ...mutantsOf(
    `${folder}/money.ts`,
    [`${folder}/money.test.ts`],
    [
      ['2n ** 128n - 1n', '2n ** 128n'],
      ['value < 0n || value > MAX_UNITS', 'value < 0n'],
      ['value < 0n || value > MAX_UNITS', 'value > MAX_UNITS'],
      ['(0|[1-9][0-9]{0,38})', '([0-9]{1,39})'],
      ['([0-9]{0,37}[1-9])', '([0-9]{1,38})'],
      ['fraction.length > decimals', 'fraction.length > decimals + 1'],
      ['value > MAX_UNITS ? refused', 'value >= MAX_UNITS ? refused'],
      ['if (sum > MAX_UNITS)', 'if (sum >= MAX_UNITS)'],
      ['if (right > left)', 'if (right >= left)'],
      ['(amount * numerator) / denominator', '(amount * numerator + denominator - 1n) / denominator'],
      ['numerator < 0n || denominator <= 0n', 'numerator < 0n || denominator < 0n'],
      ['if (left < right) return -1', 'if (left <= right) return -1'],
    ],
  ),
  ...mutantsOf(
    `${folder}/sharing.ts`,
    [`${folder}/sharing.test.ts`],
    [
      ['before.weight + started - ended', 'before.weight + started'],
      ['weight < 0n || amount < 0n || freed < 0n', 'weight < 0n || freed < 0n'],
      ['weight < 0n || amount < 0n || freed < 0n', 'weight < 0n || amount < 0n'],
      ['const pot = before.remainder + freed', 'const pot = before.remainder'],
      ['remainder: pot, quotient: 0n', 'remainder: freed, quotient: 0n'],
      ['remainder: toShare - quotient * weight', 'remainder: 0n'],
      ['(weight * (to - from)) / SHARE_SCALE', '(weight * (to - from) + SHARE_SCALE - 1n) / SHARE_SCALE'],
    ],
  ),
  ...mutantsOf(
    `${folder}/day.ts`,
    [`${folder}/day.test.ts`],
    [
      ['Math.floor(time.getTime() / DAY_MS)', 'Math.trunc(time.getTime() / DAY_MS)'],
      ['!Number.isInteger(value) || ', ''],
    ],
  ),
  ...mutantsOf(
    `${folder}/id.ts`,
    [`${folder}/id.test.ts`],
    [
      ['& 0x0f) | 0x70', '& 0x0f) | 0x40'],
      ['<< 16n', '<< 8n'],
    ],
  ),
  ...mutantsOf(
    `${folder}/easily-guessed.ts`,
    [`${folder}/easily-guessed.test.ts`],
    [
      ['new Set(text).size <= 2 ||', 'new Set(text).size <= 1 ||'],
      ['countOutsideRuns(text) <= 2 ||', 'countOutsideRuns(text) <= 3 ||'],
      ['countOutsideRuns(text) <= 2 ||', 'countOutsideRuns(text) <= 1 ||'],
      ['countOutsideRuns(withoutDoubles) === 0 ||', ''],
      ['password.toLowerCase()', 'password'],
      ["Array.from(ROWS).reverse().join('')", 'ROWS'],
      [' || countOutsideRuns(rest) === 0', ''],
      ['(?:19|20)?', '(?:19)?'],
    ],
  ),
  ...mutantsOf(
    `${folder}/invitation-code.ts`,
    [`${folder}/invitation-code.test.ts`],
    [
      ['double(sum) ^ CROCKFORD_ALPHABET', 'sum ^ CROCKFORD_ALPHABET'],
      ['CODE_PATTERN.test(code) && weightedSum(code) === 0', 'CODE_PATTERN.test(code)'],
    ],
  ),
  ...mutantsOf(
    `${folder}/look-alike.ts`,
    [`${folder}/look-alike.test.ts`],
    [
      ['const DIGITS_AT_EACH_END = 4', 'const DIGITS_AT_EACH_END = 3'],
      ['one.toLowerCase() === lower', 'one === address'],
      ['digits.slice(0, DIGITS_AT_EACH_END) + ', ''],
    ],
  ),
]
