import { describe, expect, it } from 'vitest'
import { breakLines } from './invitation-picture.ts'

const lines = (text: string, width: number) => breakLines(text, width, (part) => part.length)

describe('a text in the invitation picture', () => {
  it('breaks between words', () => {
    expect(lines('nobody can promise a return', 14)).toEqual(['nobody can', 'promise a', 'return'])
    expect(lines('short', 14)).toEqual(['short'])
  })

  it('breaks between Chinese characters, and never before their punctuation', () => {
    expect(lines('產出每天不同，可能為零。', 6)).toEqual(['產出每天不', '同，可能為', '零。'])
  })

  it('breaks a link that is longer than a line', () => {
    expect(lines('https://pool.example', 8)).toEqual(['https://', 'pool.exa', 'mple'])
  })
})
