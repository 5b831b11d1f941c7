import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isEasilyGuessed } from './easily-guessed.ts'

const refused: Readonly<Record<string, readonly string[]>> = {
  'has at most two different characters': [
    '000000',
    'aaaaaa',
    'AaAaAaA',
    '110100',
    '5a5aa5a55',
    '88888888888888888888',
  ],
  'is a run': ['123456', '012345', '567890', '654321', '987654321', 'abcdef', 'fedcba', 'ABCdef', '1234567890'],
  'is a row of the keyboard or of the number pad': ['qwerty', 'asdfgh', 'poiuyt', 'zxcvbnm', '147258369', '159357'],
  'is made of columns of the keyboard': ['1qaz2wsx', 'qazwsx', 'zaq1xsw2', '1QAZ2WSX3EDC'],
  'is made of several runs': ['abc123', '123abc', 'qwe123', '123321', '1232123', '1234qwer', '123654', '111222333'],
  'is made of runs and at most two other characters': [
    'a123456',
    'aa123456',
    '123456a',
    'Abc123x',
    'abc9xyz',
    '1234ab',
  ],
  'is a run with every character doubled': ['112233', 'aabbcc', '11223344', '998877'],
  'is a short piece, repeated': ['123123', 'abcabc', 'x7kx7k', 'k3k3k3', '48174817', 'Xk9rxK9R', '571571571'],
  'is a common word': ['password', 'Bitcoin', 'iloveyou', 'LETMEIN', 'wallet', 'ethereum', 'woaini', '5201314'],
  'is a common word with up to four digits': ['lode2026', 'Lode26', 'admin1', '7dragon', '12monkey34', 'woaini1314'],
  'is a common word with a run': ['password123456', 'abcdefwelcome', 'qwertypassword', 'eth123456789'],
  'is a date': ['19900214', '14021990', '02141990', '900214', '140290', '021490', '20261231', '31122026', '010203'],
}

const accepted: readonly string[] = [
  // A short run, or a common word, among three or more other characters.
  ...['new456', 'x7k123', 'maple47', 'Quarry58', 'mydragon7', 'dragonfly3', 'lodestar9', 'walleteer', 'bitcoin73915'],
  // Words that contain neighbors of the keyboard.
  ...['tower58', 'street9', 'powerful', 'pointer'],
  // Digits that are neither a run, a short repeated piece nor a date.
  ...['739182', '483920', '905173', '19901490', '18990214', '21000214', '19901332', '19900200', '900014', '0214199'],
  // A piece of five characters or more, repeated, and a piece that is not repeated to the end.
  ...['x7k2mx7k2m', 'x7kx7k9'],
  // Three different characters without a run.
  ...['a1b1ba', '7x77y7'],
  ...['correcthorse', 'kd83jf02', 'Zr5tQ9vLm2Xc7Bn4Kp8W'],
]

describe('an easily guessed password', () => {
  it.each(Object.entries(refused).flatMap(([rule, passwords]) => passwords.map((password) => [rule, password])))(
    '%s: %s',
    (_, password) => expect(isEasilyGuessed(password)).toBe(true),
  )

  it.each(accepted)('is not %s', (password) => expect(isEasilyGuessed(password)).toBe(false))

  it('is so in upper and lower case', () => {
    const characters = fc.constantFrom(...'0123456789abcdefghijklmnopqrstuvwxyz')
    fc.assert(
      fc.property(fc.string({ unit: characters, minLength: 6, maxLength: 20 }), (password) => {
        expect(isEasilyGuessed(password.toUpperCase())).toBe(isEasilyGuessed(password))
      }),
    )
  })

  it('is one in ten six-digit numbers, so that a random one is usually accepted', () => {
    const numbers = Array.from({ length: 10_000 }, (_, at) => String(at * 97 + 13).padStart(6, '0'))
    const share = numbers.filter(isEasilyGuessed).length / numbers.length
    expect(share).toBeGreaterThan(0.09)
    expect(share).toBeLessThan(0.12)
  })
})
