import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../testing/api.ts'
import { registerMember } from '../testing/member.ts'
import { createOperatorCommands, type OperatorCommands } from '../testing/operator-commands.ts'
import { createTestWallet } from '../testing/wallet.ts'

/** What changes with the operators, and what the remaining ones are told about it. */

let api: TestApi
let operators: OperatorCommands
beforeAll(async () => {
  api = await startTestApi()
  operators = await createOperatorCommands(api, ['alice', 'bob', 'carol'])
  for (const name of ['alice', 'bob']) await sign(name, 'operator', 'add', operators.keys.carol ?? '')
}, 120_000)
afterAll(async () => {
  operators.close()
  await api.close()
})

const as: OperatorCommands['as'] = (...words) => operators.as(...words)
const sign: OperatorCommands['sign'] = (...words) => operators.sign(...words)

describe('the removal of an operator', { timeout: 180_000 }, () => {
  const address = createTestWallet().account
  const halfListed = createTestWallet().account
  const listedByOthers = createTestWallet().account

  it('says before the signature what stops counting', async () => {
    const member = await registerMember(api)
    await sign('alice', 'transfer', 'pause', '72', 'suspected theft')
    for (const name of ['alice', 'bob']) await sign(name, 'transfer', 'resume', 'false alarm')
    for (const name of ['alice', 'bob']) await sign(name, 'treasury', 'address', address, 'the hosting company')
    for (const name of ['alice', 'carol']) await sign(name, 'treasury', 'address', listedByOthers, 'the lawyers')
    await sign('bob', 'treasury', 'address', halfListed, 'a secret')
    await sign('bob', 'proof', 'again', 'a new node')
    await sign('alice', 'account', 'disable', member.wallet.account, 'of alice alone')
    expect(await as('alice', 'status')).not.toContain('Payouts: paused')

    const removal = await sign('alice', 'operator', 'remove', 'bob')
    const before = removal.slice(0, removal.indexOf('What you are about to sign'))
    expect(before).toMatch(/^These stop counting when bob is no operator any more:\n/)
    expect(before).toMatch(/\n {2}resume \d+: payouts pause again until \d{4}-.* UTC\n/)
    expect(before).toMatch(new RegExp(`\n  address ${address} \\(decision \\d+\\): the hosting company\n`))
    expect(before).toMatch(/\n {2}half-signed \d+ \(list an address\)\n/)
    expect(before).toMatch(/\n {2}half-signed \d+ \(.*prove.*\)\n/)
    expect(before).not.toContain(halfListed)
    expect(before).not.toContain(listedByOthers)
    expect(before).not.toContain('disable')

    expect(await sign('carol', 'operator', 'remove', 'bob')).toContain('resume')
    expect(await as('alice', 'status')).toContain('Payouts: paused until')
  })

  it('leaves listed addresses in `treasury list`, as those that must be listed again', async () => {
    const listed = await as('alice', 'treasury', 'list')
    expect(listed).toMatch(new RegExp(`\n  ${listedByOthers}  from .*: the lawyers\n`))
    expect(listed).toContain(
      `signed by a former operator, not valid until it is listed again: ${address}  the hosting company\n`,
    )
    expect(listed).not.toContain(halfListed)
    expect(JSON.parse(await as('alice', 'treasury', 'list', '--json')).lapsedAddresses).toMatchObject([{ address }])
    for (const name of ['alice', 'carol']) await sign(name, 'treasury', 'address', address, 'the hosting company')
    expect(await as('alice', 'treasury', 'list')).not.toContain('signed by a former operator')
  })
})
