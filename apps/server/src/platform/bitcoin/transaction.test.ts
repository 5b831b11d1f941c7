import { describe, expect, it } from 'vitest'
import { parseTransaction } from './transaction.ts'

/** The first payment between two people, in block 170. */
const FIRST_PAYMENT = {
  id: 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
  bytes:
    '0100000001c997a5e56e104102fa209c6a852dd90660a20b2d9c352423edce25857fcd3704000000004847304402204e45e16932b8af514961a1d3a1a25fdf3f4f7732e9d624c6c61548ab5fb8cd410220181522ec8eca07de4860a4acdd12909d831cc56cbbac4622082221a8768d1d0901ffffffff0200ca9a3b00000000434104ae1a62fe09c5f51b13905f07f06b99a2f7159b2225f374cd378d71302fa28414e7aab37397f554a7df5f142c21c1b7303b8a0626f1baded5c72a704f7e6cd84cac00286bee0000000043410411db93e1dcdb8a016b49840f8c53bc1eb68a382e97b1482ecad7b148a6909a5cb2e0eaddfb84ccf9744464f82e160bfa9b8b64f9d4c03f999b8643f656b412a3ac00000000',
}

/** The signed example of BIP 143, whose second input has its signature apart. */
const WITH_WITNESS =
  '01000000000102fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f00000000494830450221008b9d1dc26ba6a9cb62127b02742fa9d754cd3bebf337f7a55d114c8e5cdd30be022040529b194ba3f9281a99f2b1c0a19c0489bc22ede944ccf4ecbab4cc618ef3ed01eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac000247304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee0121025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee635711000000'

const parse = (hex: string) => parseTransaction(Buffer.from(hex, 'hex'))

describe('a Bitcoin transaction', () => {
  it('has the id that its bytes hash to, and the values of its outputs', () => {
    const { id, bytes } = FIRST_PAYMENT
    expect(parse(bytes)).toEqual({ ok: true, value: { id, outputs: [1_000_000_000n, 4_000_000_000n] } })
  })

  it('has the same id whatever its separate signatures are', () => {
    const read = parse(WITH_WITNESS)
    const otherSignature = parse(WITH_WITNESS.replace('3609e17b', '3609e17c'))
    expect(read).toMatchObject({ value: { outputs: [112_340_000n, 223_450_000n] } })
    expect(otherSignature).toEqual(read)
  })

  it('has another id if an amount is changed', () => {
    const changed = parse(FIRST_PAYMENT.bytes.replace('00ca9a3b', '00ca9a3c'))
    expect(changed).toMatchObject({ ok: true })
    expect(changed).not.toMatchObject({ value: { id: FIRST_PAYMENT.id } })
  })

  it.each([
    ['nothing', ''],
    ['too few bytes', FIRST_PAYMENT.bytes.slice(0, -20)],
    ['too many bytes', `${FIRST_PAYMENT.bytes}00`],
    ['a length without end', `01000000ff${'f'.repeat(64)}`],
  ])('is refused if there are %s', (_what, hex) => {
    expect(parse(hex)).toEqual({ ok: false, error: 'not a Bitcoin transaction' })
  })
})
