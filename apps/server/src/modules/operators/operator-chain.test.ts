import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTestOperator, type TestOperator } from '../../testing/operators.ts'
import { type DecisionBody, serializeBody } from './decision.ts'
import {
  findOperatorsAt,
  linkHash,
  type PoolIdentity,
  type Signature,
  type StoredLink,
  verifyChain,
} from './operator-chain.ts'
import { type StoredDecision, verifyDecision } from './operators.ts'

const pool: PoolIdentity = { pool: '0x52908400098527886E0F7030069857D2E4169EE7', chainId: 31_337 }
const elsewhere = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const at = new Date('2026-01-01T00:00:00.000Z')
const expiresAt = new Date('2026-01-08T00:00:00.000Z')

const [alice, bob, carol, mallory] = ['alice', 'bob', 'carol', 'mallory'].map(createTestOperator) as [
  TestOperator,
  TestOperator,
  TestOperator,
  TestOperator,
]

const signed = (text: string, by: readonly TestOperator[]): Signature[] =>
  by.map((operator) => ({ operator: operator.publicKey, signature: operator.sign(text), at }))

function serialize(body: DecisionBody): string {
  const text = serializeBody(body)
  if (text === null) throw new Error('this is not a valid decision')
  return text
}

const commonFields = (of: PoolIdentity = pool) => ({ ...of, expiry: expiresAt.toISOString(), nonce: randomUUID() })

function ceremony(of = [alice, bob], by = of, where = pool): StoredLink {
  const operators = of.map(({ operator }) => operator)
  const text = serialize({ ...commonFields(where), subject: 'operators', verb: 'init', number: 1, operators })
  return { number: 1, hash: linkHash(null, text), text, signatures: signed(text, by) }
}

function linkAfter(
  links: readonly StoredLink[],
  verb: 'add' | 'remove',
  { operator }: TestOperator,
  by: readonly TestOperator[],
): StoredLink {
  const before = links.at(-1)?.hash ?? ''
  const number = links.length + 1
  const text = serialize({ ...commonFields(), subject: 'operators', verb, number, before, operator })
  return { number, hash: linkHash(before, text), text, signatures: signed(text, by) }
}

function chainOf(...steps: ['add' | 'remove', TestOperator, TestOperator[]][]): StoredLink[] {
  const links = [ceremony()]
  for (const [verb, who, by] of steps) links.push(linkAfter(links, verb, who, by))
  return links
}

const namesOrProblem = (links: readonly StoredLink[], pinned: string | null = null): string[] | string => {
  const { chain, invalidReason } = verifyChain(links, pool, pinned)
  return invalidReason ?? chain?.operators.map(({ name }) => name) ?? []
}

describe('the operator chain', () => {
  it('begins with the ceremony and is changed by two of its operators', () => {
    const links = chainOf(['add', carol, [alice, bob]], ['remove', bob, [carol, alice]])
    expect(namesOrProblem(links.slice(0, 1))).toEqual(['alice', 'bob'])
    expect(namesOrProblem(links.slice(0, 2))).toEqual(['alice', 'bob', 'carol'])
    expect(namesOrProblem(links)).toEqual(['alice', 'carol'])
    expect(namesOrProblem([])).toEqual([])
  })

  it('needs all signatures of the ceremony, and at least two operators', () => {
    expect(namesOrProblem([ceremony([alice, bob], [alice])])).toContain('not all of its operators have signed')
    expect(namesOrProblem([ceremony([alice, bob], [alice, alice])])).toContain('not all of its operators have signed')
    expect(namesOrProblem([ceremony([alice, bob], [alice, mallory])])).toContain('not all of its operators have signed')
    expect(namesOrProblem([ceremony([alice, alice])])).toContain('it names one key twice')
    expect(() => ceremony([alice])).toThrow('this is not a valid decision')
  })

  it('is not changed by one key used twice, by an unknown key, or by a removed operator', () => {
    const without = 'two operators have not signed'
    expect(namesOrProblem(chainOf(['add', carol, [alice]]))).toContain(without)
    expect(namesOrProblem(chainOf(['add', carol, [alice, alice]]))).toContain(without)
    expect(namesOrProblem(chainOf(['add', carol, [alice, mallory]]))).toContain(without)
    expect(namesOrProblem(chainOf(['add', carol, [alice, carol]]))).toContain(without)
    expect(
      namesOrProblem(
        chainOf(['add', carol, [alice, bob]], ['remove', bob, [alice, carol]], ['add', mallory, [alice, bob]]),
      ),
    ).toContain(without)
  })

  it('always keeps at least two operators, each once', () => {
    expect(namesOrProblem(chainOf(['remove', bob, [alice, bob]]))).toContain('fewer than two operators would be left')
    expect(namesOrProblem(chainOf(['add', bob, [alice, bob]]))).toContain('this key is an operator already')
    expect(namesOrProblem(chainOf(['remove', carol, [alice, bob]]))).toContain('this key is no operator')
  })

  it('is valid only if it contains the pinned link', () => {
    const links = chainOf(['add', carol, [alice, bob]])
    for (const { hash } of links) expect(namesOrProblem(links, hash)).toEqual(['alice', 'bob', 'carol'])
    expect(namesOrProblem(links.slice(0, 1), links[1]?.hash)).toContain('does not have the link')
    expect(namesOrProblem([ceremony([mallory, carol])], links[0]?.hash)).toContain('does not have the link')
    expect(namesOrProblem([], links[0]?.hash)).toContain('does not have the link')
  })

  it('stays valid up to an invalid link, and up to a missing pinned link', () => {
    const links = chainOf(['add', carol, [alice, bob]], ['add', mallory, [alice]], ['remove', bob, [alice, carol]])
    const kept = verifyChain(links, pool, null)
    expect(kept.invalidReason).toContain('link 3 of the operators')
    expect(kept.chain).toMatchObject({ head: { number: 2 }, operators: [{}, {}, { name: 'carol' }] })
    const cut = verifyChain(links.slice(0, 1), pool, links[1]?.hash ?? '')
    expect(cut).toMatchObject({
      chain: { head: { number: 1 } },
      invalidReason: expect.stringContaining('does not have the link'),
    })
  })

  it('tells who the operators were at a time', () => {
    const links = chainOf(['add', carol, [carol, alice, bob]], ['remove', bob, [carol, alice, bob]])
    const day = (number: number): Date => new Date(at.getTime() + number * 86_400_000)
    // A link counts from its second valid signature on. Carol cannot sign her own addition, and the signature that
    // somebody adds to her last link later changes nothing.
    const signedOn: Record<number, Date[]> = { 2: [day(0), day(3), day(2)], 3: [day(9), day(5), day(6)] }
    const dated = links.map((link) => ({
      ...link,
      signatures: link.signatures.map((one, place) => ({ ...one, at: signedOn[link.number]?.[place] ?? one.at })),
    }))
    const { chain } = verifyChain(dated, pool, null)
    if (!chain) throw new Error('there is no chain')
    const namesAt = (time: Date) => findOperatorsAt(chain, time).map(({ name }) => name)
    const justBefore = (time: Date) => new Date(time.getTime() - 1)
    expect(namesAt(day(-30))).toEqual(['alice', 'bob'])
    expect(namesAt(justBefore(day(3)))).toEqual(['alice', 'bob'])
    expect(namesAt(day(3))).toEqual(['alice', 'bob', 'carol'])
    expect(namesAt(justBefore(day(6)))).toEqual(['alice', 'bob', 'carol'])
    expect(namesAt(day(6))).toEqual(['alice', 'carol'])
    expect(namesAt(day(30))).toEqual(['alice', 'carol'])
  })

  it('is valid for one pool on one chain only', () => {
    expect(namesOrProblem([ceremony([alice, bob], [alice, bob], { ...pool, chainId: 1 })])).toContain(
      'not a link of this pool',
    )
    expect(namesOrProblem([ceremony([alice, bob], [alice, bob], { ...pool, pool: elsewhere })])).toContain(
      'not a link of this pool',
    )
  })

  it('is invalid if one byte changes, or a link is missing or misplaced', () => {
    const links = chainOf(['add', carol, [alice, bob]], ['remove', alice, [bob, carol]], ['add', alice, [bob, carol]])
    const place = fc.nat({ max: links.length - 1 })
    fc.assert(
      fc.property(place, fc.nat(), fc.integer({ min: 1, max: 255 }), fc.nat({ max: 3 }), (number, byte, bit, part) => {
        const changed = links.map((link, index) => (index === number ? tamperWith(link, part, byte, bit) : link))
        expect(typeof namesOrProblem(changed)).toBe('string')
      }),
    )
    fc.assert(
      fc.property(place, place, (one, other) => {
        fc.pre(one !== other)
        const [first, second] = [links[one], links[other]]
        const swapped = links.map((link, index) => (index === one ? second : index === other ? first : link))
        expect(typeof namesOrProblem(swapped.flatMap((link) => link ?? []))).toBe('string')
        const renumbered = swapped.flatMap((link, index) => (link ? [{ ...link, number: index + 1 }] : []))
        expect(typeof namesOrProblem(renumbered)).toBe('string')
      }),
    )
    for (const missing of links.slice(0, -1))
      expect(typeof namesOrProblem(links.filter((link) => link !== missing))).toBe('string')
  })
})

const flipBit = (bytes: Buffer, at: number, bit: number): Buffer => {
  const copy = Buffer.from(bytes)
  const place = at % copy.length
  copy[place] = (copy[place] ?? 0) ^ bit
  return copy
}

const flipBitInHex = (hex: string, at: number, bit: number): string =>
  flipBit(Buffer.from(hex, 'hex'), at, bit).toString('hex')

/** Flips one bit: of the link's text, of its hash, of a required signature, or of that signature's key. */
function tamperWith(link: StoredLink, part: number, byte: number, bit: number): StoredLink {
  const [first, ...others] = link.signatures
  if (!first) throw new Error('nobody signed it')
  switch (part) {
    case 0: {
      const text = flipBit(Buffer.from(link.text), byte, bit).toString('utf8')
      // In half of the cases the hash is recomputed too, as an attacker with write access would do.
      return { ...link, text, hash: byte % 2 ? link.hash : linkHash(null, text) }
    }
    case 1:
      return { ...link, hash: flipBitInHex(link.hash, byte, bit) }
    case 2:
      return { ...link, signatures: [{ ...first, signature: flipBit(first.signature, byte, bit) }, ...others] }
    default:
      return { ...link, signatures: [{ ...first, operator: flipBitInHex(first.operator, byte, bit) }, ...others] }
  }
}

describe('a decision', () => {
  const operators = [alice.operator, bob.operator]
  const subject = 'transfer:0b0e1f9e-57a3-4b42-9d3e-6f1d5f0a2c11'
  const body: DecisionBody = {
    ...commonFields(),
    subject,
    verb: 'approve',
    symbol: 'USDT',
    amount: '25000000000',
    address: elsewhere,
  }
  const text = serialize(body)
  const decision = (by: readonly TestOperator[], changed: Partial<StoredDecision> = {}): StoredDecision => ({
    id: 1n,
    subject,
    verb: 'approve',
    text,
    expiresAt,
    signatures: signed(text, by),
    ...changed,
  })
  const counted = (given: StoredDecision, by = operators): number =>
    verifyDecision(given, pool, by)?.signers.length ?? 0

  it('counts each present operator who signed it once', () => {
    expect(counted(decision([alice]))).toBe(1)
    expect(counted(decision([alice, bob]))).toBe(2)
    expect(counted(decision([alice, alice]))).toBe(1)
    expect(counted(decision([alice, mallory]))).toBe(1)
    expect(counted(decision([mallory]))).toBe(0)
    expect(counted(decision([]))).toBe(0)
    expect(counted(decision([alice, bob]), [bob.operator, carol.operator])).toBe(1)
  })

  it('is valid only for its own pool, chain, subject, verb and expiry', () => {
    const given = decision([alice, bob])
    expect(verifyDecision(given, { ...pool, chainId: 1 }, operators)).toBeNull()
    expect(verifyDecision(given, { ...pool, pool: elsewhere }, operators)).toBeNull()
    expect(counted({ ...given, subject: subject.replace('0b', '0c') })).toBe(0)
    expect(counted({ ...given, verb: 'reject' })).toBe(0)
    expect(counted({ ...given, expiresAt: new Date(expiresAt.getTime() + 1) })).toBe(0)
  })

  it('is invalid, without an exception, if its expiry cannot be read', () => {
    expect(counted(decision([alice, bob], { expiresAt: new Date(Number.NaN) }))).toBe(0)
  })

  it('finds the time of its first signature in any order of signatures', () => {
    const [first, second] = signed(text, [alice, bob])
    if (!first || !second) throw new Error('nobody signed it')
    const later = new Date(at.getTime() + 1_000)
    expect(
      verifyDecision(decision([], { signatures: [{ ...first, at: later }, second] }), pool, operators),
    ).toMatchObject({
      firstSignedAt: at,
      signedAt: later,
    })
  })

  it('is invalid in another spelling, or with characters that a terminal hides', () => {
    const respelt = `${text.slice(0, -1)} }`
    expect(counted(decision([], { text: respelt, signatures: signed(respelt, [alice, bob]) }))).toBe(0)
    const more = text.replace('{', '{"aaa":1,')
    expect(counted(decision([], { text: more, signatures: signed(more, [alice, bob]) }))).toBe(0)
    for (const note of ['fine\u001b[2K', 'fine\u202e', 'fine\n', ''])
      expect(() => serialize({ ...body, verb: 'reject', note } as DecisionBody)).toThrow('this is not a valid decision')
  })

  it('loses the signatures that a changed byte affects', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), fc.nat({ max: 2 }), (byte, bit, part) => {
        const given = decision([alice, bob])
        const [first, second] = given.signatures
        if (!first || !second) throw new Error('nobody signed it')
        const changes: [Partial<StoredDecision>, number][] = [
          [{ text: flipBit(Buffer.from(text), byte, bit).toString('utf8') }, 0],
          [{ signatures: [{ ...first, signature: flipBit(first.signature, byte, bit) }, second] }, 1],
          [{ signatures: [{ ...first, operator: flipBitInHex(first.operator, byte, bit) }, second] }, 1],
        ]
        const [change, left] = changes[part] ?? []
        expect(counted({ ...given, ...change })).toBe(left)
      }),
    )
  })
})
