import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type TestOperator, testOperator } from '../../testing/operators.ts'
import { linkHash, type Pool, type Signature, type StoredLink, verifyChain } from './chain.ts'
import { type DecisionBody, writeBody } from './decision.ts'
import { type StoredDecision, verifyDecision } from './operators.ts'

const pool: Pool = { pool: '0x52908400098527886E0F7030069857D2E4169EE7', chainId: 31_337 }
const elsewhere = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const at = new Date('2026-01-01T00:00:00.000Z')
const expiresAt = new Date('2026-01-08T00:00:00.000Z')

const [alice, bob, carol, mallory] = ['alice', 'bob', 'carol', 'mallory'].map(testOperator) as [
  TestOperator,
  TestOperator,
  TestOperator,
  TestOperator,
]

const signed = (text: string, by: readonly TestOperator[]): Signature[] =>
  by.map((operator) => ({ operator: operator.publicKey, signature: operator.sign(text), at }))

function spelt(body: DecisionBody): string {
  const text = writeBody(body)
  if (text === null) throw new Error('no decision can say this')
  return text
}

const every = (of: Pool = pool) => ({ ...of, expiry: expiresAt.toISOString(), nonce: randomUUID() })

function ceremony(of = [alice, bob], by = of, where = pool): StoredLink {
  const operators = of.map(({ operator }) => operator)
  const text = spelt({ ...every(where), subject: 'operators', verb: 'init', number: 1, operators })
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
  const text = spelt({ ...every(), subject: 'operators', verb, number, before, operator })
  return { number, hash: linkHash(before, text), text, signatures: signed(text, by) }
}

function chainOf(...steps: ['add' | 'remove', TestOperator, TestOperator[]][]): StoredLink[] {
  const links = [ceremony()]
  for (const [verb, who, by] of steps) links.push(linkAfter(links, verb, who, by))
  return links
}

const names = (links: readonly StoredLink[], pinned: string | null = null): string[] | string => {
  const { chain, wrong } = verifyChain(links, pool, pinned)
  return wrong ?? chain?.operators.map(({ name }) => name) ?? []
}

describe('the chain of operators', () => {
  it('begins with the ceremony and is changed by two who are in it', () => {
    const links = chainOf(['add', carol, [alice, bob]], ['remove', bob, [carol, alice]])
    expect(names(links.slice(0, 1))).toEqual(['alice', 'bob'])
    expect(names(links.slice(0, 2))).toEqual(['alice', 'bob', 'carol'])
    expect(names(links)).toEqual(['alice', 'carol'])
    expect(names([])).toEqual([])
  })

  it('needs every signature of the ceremony, and two operators at least', () => {
    expect(names([ceremony([alice, bob], [alice])])).toContain('not all of its operators have signed')
    expect(names([ceremony([alice, bob], [alice, alice])])).toContain('not all of its operators have signed')
    expect(names([ceremony([alice, bob], [alice, mallory])])).toContain('not all of its operators have signed')
    expect(names([ceremony([alice, alice])])).toContain('one key stands there twice')
    expect(() => ceremony([alice])).toThrow('no decision can say this')
  })

  it('is not changed by one key used twice, by a stranger, or by one who was removed', () => {
    const without = 'two operators have not signed'
    expect(names(chainOf(['add', carol, [alice]]))).toContain(without)
    expect(names(chainOf(['add', carol, [alice, alice]]))).toContain(without)
    expect(names(chainOf(['add', carol, [alice, mallory]]))).toContain(without)
    expect(names(chainOf(['add', carol, [alice, carol]]))).toContain(without)
    expect(
      names(chainOf(['add', carol, [alice, bob]], ['remove', bob, [alice, carol]], ['add', mallory, [alice, bob]])),
    ).toContain(without)
  })

  it('always has two operators left, and each once', () => {
    expect(names(chainOf(['remove', bob, [alice, bob]]))).toContain('fewer than two operators would be left')
    expect(names(chainOf(['add', bob, [alice, bob]]))).toContain('this key is an operator already')
    expect(names(chainOf(['remove', carol, [alice, bob]]))).toContain('this key is no operator')
  })

  it('is believed only with the pinned link in it, whichever that is', () => {
    const links = chainOf(['add', carol, [alice, bob]])
    for (const { hash } of links) expect(names(links, hash)).toEqual(['alice', 'bob', 'carol'])
    expect(names(links.slice(0, 1), links[1]?.hash)).toContain('does not have the link')
    expect(names([ceremony([mallory, carol])], links[0]?.hash)).toContain('does not have the link')
    expect(names([], links[0]?.hash)).toContain('does not have the link')
  })

  it('keeps what it established before a link that is wrong, and before a pinned one that is missing', () => {
    const links = chainOf(['add', carol, [alice, bob]], ['add', mallory, [alice]], ['remove', bob, [alice, carol]])
    const kept = verifyChain(links, pool, null)
    expect(kept.wrong).toContain('link 3 of the operators')
    expect(kept.chain).toMatchObject({ head: { number: 2 }, operators: [{}, {}, { name: 'carol' }] })
    const cut = verifyChain(links.slice(0, 1), pool, links[1]?.hash ?? '')
    expect(cut).toMatchObject({
      chain: { head: { number: 1 } },
      wrong: expect.stringContaining('does not have the link'),
    })
  })

  it('is of one pool on one chain', () => {
    expect(names([ceremony([alice, bob], [alice, bob], { ...pool, chainId: 1 })])).toContain('not a link of this pool')
    expect(names([ceremony([alice, bob], [alice, bob], { ...pool, pool: elsewhere })])).toContain(
      'not a link of this pool',
    )
  })

  it('is worth nothing when a byte of it is changed, or a link is missing or out of its place', () => {
    const links = chainOf(['add', carol, [alice, bob]], ['remove', alice, [bob, carol]], ['add', alice, [bob, carol]])
    const place = fc.nat({ max: links.length - 1 })
    fc.assert(
      fc.property(place, fc.nat(), fc.integer({ min: 1, max: 255 }), fc.nat({ max: 3 }), (number, byte, bit, part) => {
        const changed = links.map((link, index) => (index === number ? tampered(link, part, byte, bit) : link))
        expect(typeof names(changed)).toBe('string')
      }),
    )
    fc.assert(
      fc.property(place, place, (one, other) => {
        fc.pre(one !== other)
        const [first, second] = [links[one], links[other]]
        const swapped = links.map((link, index) => (index === one ? second : index === other ? first : link))
        expect(typeof names(swapped.flatMap((link) => link ?? []))).toBe('string')
        const renumbered = swapped.flatMap((link, index) => (link ? [{ ...link, number: index + 1 }] : []))
        expect(typeof names(renumbered)).toBe('string')
      }),
    )
    for (const missing of links.slice(0, -1))
      expect(typeof names(links.filter((link) => link !== missing))).toBe('string')
  })
})

const flipped = (bytes: Buffer, at: number, bit: number): Buffer => {
  const copy = Buffer.from(bytes)
  const place = at % copy.length
  copy[place] = (copy[place] ?? 0) ^ bit
  return copy
}

const flippedHex = (hex: string, at: number, bit: number): string =>
  flipped(Buffer.from(hex, 'hex'), at, bit).toString('hex')

/** Flips one bit: of the link's text, of its hash, of a required signature, or of that signature's key. */
function tampered(link: StoredLink, part: number, byte: number, bit: number): StoredLink {
  const [first, ...others] = link.signatures
  if (!first) throw new Error('nobody signed it')
  switch (part) {
    case 0: {
      const text = flipped(Buffer.from(link.text), byte, bit).toString('utf8')
      // In half of the cases the hash is recomputed too, as an attacker with write access would do.
      return { ...link, text, hash: byte % 2 ? link.hash : linkHash(null, text) }
    }
    case 1:
      return { ...link, hash: flippedHex(link.hash, byte, bit) }
    case 2:
      return { ...link, signatures: [{ ...first, signature: flipped(first.signature, byte, bit) }, ...others] }
    default:
      return { ...link, signatures: [{ ...first, operator: flippedHex(first.operator, byte, bit) }, ...others] }
  }
}

describe('a decision', () => {
  const operators = [alice.operator, bob.operator]
  const subject = 'transfer:0b0e1f9e-57a3-4b42-9d3e-6f1d5f0a2c11'
  const body: DecisionBody = {
    ...every(),
    subject,
    verb: 'approve',
    symbol: 'USDT',
    amount: '25000000000',
    address: elsewhere,
  }
  const text = spelt(body)
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
    verifyDecision(given, pool, by)?.operators.length ?? 0

  it('counts by the distinct present operators who signed it', () => {
    expect(counted(decision([alice]))).toBe(1)
    expect(counted(decision([alice, bob]))).toBe(2)
    expect(counted(decision([alice, alice]))).toBe(1)
    expect(counted(decision([alice, mallory]))).toBe(1)
    expect(counted(decision([mallory]))).toBe(0)
    expect(counted(decision([]))).toBe(0)
    expect(counted(decision([alice, bob]), [bob.operator, carol.operator])).toBe(1)
  })

  it('counts for no other pool, chain, subject, verb or time than it says', () => {
    const given = decision([alice, bob])
    expect(verifyDecision(given, { ...pool, chainId: 1 }, operators)).toBeNull()
    expect(verifyDecision(given, { ...pool, pool: elsewhere }, operators)).toBeNull()
    expect(counted({ ...given, subject: subject.replace('0b', '0c') })).toBe(0)
    expect(counted({ ...given, verb: 'reject' })).toBe(0)
    expect(counted({ ...given, expiresAt: new Date(expiresAt.getTime() + 1) })).toBe(0)
  })

  it('counts for nothing, and harms nobody, with a time that cannot be read', () => {
    expect(counted(decision([alice, bob], { expiresAt: new Date(Number.NaN) }))).toBe(0)
  })

  it('knows when it was first signed, in whatever places the signatures stand', () => {
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

  it('counts for nothing in another spelling, or with words that a terminal would hide', () => {
    const respelt = `${text.slice(0, -1)} }`
    expect(counted(decision([], { text: respelt, signatures: signed(respelt, [alice, bob]) }))).toBe(0)
    const more = text.replace('{', '{"aaa":1,')
    expect(counted(decision([], { text: more, signatures: signed(more, [alice, bob]) }))).toBe(0)
    for (const note of ['fine\u001b[2K', 'fine\u202e', 'fine\n', ''])
      expect(() => spelt({ ...body, verb: 'reject', note } as DecisionBody)).toThrow('no decision can say this')
  })

  it('counts for one signature less with every byte that is changed', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), fc.nat({ max: 2 }), (byte, bit, part) => {
        const given = decision([alice, bob])
        const [first, second] = given.signatures
        if (!first || !second) throw new Error('nobody signed it')
        const changes: [Partial<StoredDecision>, number][] = [
          [{ text: flipped(Buffer.from(text), byte, bit).toString('utf8') }, 0],
          [{ signatures: [{ ...first, signature: flipped(first.signature, byte, bit) }, second] }, 1],
          [{ signatures: [{ ...first, operator: flippedHex(first.operator, byte, bit) }, second] }, 1],
        ]
        const [change, left] = changes[part] ?? []
        expect(counted({ ...given, ...change })).toBe(left)
      }),
    )
  })
})
