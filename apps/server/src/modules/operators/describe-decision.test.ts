import { describe, expect, it } from 'vitest'
import type { DecisionBody } from './decision.ts'
import { describeDecision } from './describe-decision.ts'

const every = {
  pool: '0x52908400098527886E0F7030069857D2E4169EE7',
  chainId: 56,
  expiry: '2026-03-01T12:00:00.000Z',
  nonce: '0b0e1f9e-57a3-4b42-9d3e-6f1d5f0a2c11',
} as const
const money = { symbol: 'USDT', amount: '250500000', address: '0x8617E340B3D01FA5F11F306F4090FD50E238070D' } as const
const appointment = { address: money.address, planVersion: 3, airdrop: '50000000000000000000000' }
const key = 'ab'.repeat(32)
const before = 'cd'.repeat(32)
const alice = { key, name: 'alice' }

const bodies: DecisionBody[] = [
  { ...every, subject: 'operators', verb: 'init', number: 1, operators: [alice, { key: before, name: 'bob' }] },
  { ...every, subject: 'operators', verb: 'add', number: 2, before, operator: alice },
  { ...every, subject: 'operators', verb: 'remove', number: 3, before, operator: alice },
  { ...every, ...money, subject: 'transfer:1', verb: 'approve' },
  { ...every, ...money, subject: 'transfer:1', verb: 'reject', note: 'a stolen wallet' },
  { ...every, subject: 'payouts', verb: 'pause', until: '2026-02-01T18:30:00.000Z', note: 'the node is slow' },
  { ...every, subject: 'payouts', verb: 'resume', note: 'the node is fast' },
  { ...every, subject: 'treasury-address:0x86', verb: 'list', address: money.address, note: 'the hosting company' },
  { ...every, ...money, subject: 'treasury:1', verb: 'pay', from: 'pool:mining', evidence: 'invoice 17' },
  { ...every, ...money, subject: 'suspense:1', verb: 'return', note: 'sent by mistake' },
  { ...every, ...appointment, subject: 'expert:0x8617', verb: 'authorise-expert' },
  { ...every, ...appointment, subject: 'partner:7', verb: 'approve-partner' },
  { ...every, address: money.address, subject: 'partner:7', verb: 'reject-partner', note: 'another day' },
  { ...every, subject: 'plan:2', verb: 'publish', plan: key, starts: '2026-02-01T18:30:00.000Z', under: before },
  {
    ...every,
    subject: 'plan:1',
    verb: 'publish',
    plan: key,
    starts: 'at once',
    under: before,
    decimals: { USDT: 7, BTN: 18, BTC: 9 },
  },
  {
    ...every,
    subject: 'stop:chain',
    verb: 'end-stop',
    stoppedAt: '2026-02-01T18:30:00.123Z',
    reason: key,
    note: 'two nodes agree',
  },
  { ...every, subject: 'chain:posted', verb: 'rewind', block: '4711', note: 'a log is missing' },
  {
    ...every,
    subject: 'chain:vault',
    verb: 'migrate-vault',
    from: '0xde709f2102306220921060314715629080e2fb77',
    to: '0x27b1fdb04752bbc536007a920d24acb045561c26',
    since: '4712',
    note: 'a fault in the vault',
  },
  { ...every, subject: 'account:0x86', verb: 'disable', address: money.address, note: 'your wallet was stolen' },
  {
    ...every,
    subject: 'account:0x86',
    verb: 'enable',
    address: money.address,
    disabledAt: '2026-02-01T18:30:00.123Z',
    note: 'it was found',
  },
  { ...every, subject: 'sessions', verb: 'end-sessions', of: 'all', note: 'the api was stolen' },
  { ...every, subject: 'account:0x86', verb: 'end-sessions', of: money.address, note: 'a lost phone' },
  { ...every, subject: 'proof', verb: 'prove-again', note: 'both nodes were replaced' },
  { ...every, subject: `notice:${key}`, verb: 'publish-notice', text: key },
  { ...every, subject: 'help', verb: 'publish-help', text: key },
]

/** Values that the text shows in another form. */
const shown: Partial<Record<string, string>> = {
  '250500000': '250.5 USDT',
  '50000000000000000000000': '50000 BTN',
  '2026-03-01T12:00:00.000Z': '2026-03-01 12:00 UTC',
  '2026-02-01T18:30:00.000Z': '2026-02-01 18:30 UTC',
  'at once': 'with the second signature',
}

describe('the text that an operator reads before signing', () => {
  it.each(bodies)('contains everything that is signed: $verb', (body) => {
    const words = describeDecision(body, { USDT: 6, BTN: 18, BTC: 8 }).join('\n')
    const { verb, ...said } = body
    const leaves = (value: unknown): string[] =>
      typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [String(value)]
    for (const leaf of leaves(said)) expect(words, `${verb} does not show ${leaf}`).toContain(shown[leaf] ?? leaf)
  })
})
