import { poolVaultAbi } from '@lode/contracts'
import { assets } from '@lode/kernel'
import { roleUrl } from '@lode/scripts/server'
import { encodeFunctionData, parseUnits } from 'viem'
import type { Actor } from '../members/actor.ts'
import { call } from '../members/api-client.ts'
import { sendSigned, signIn, signMessage } from '../members/sign-in.ts'
import { depositCall } from '../members/wallet.ts'
import { query, withClient } from '../query.ts'
import { moveClock, simulatedNow } from '../stack/clock.ts'
import { ROLE_PASSWORD } from '../stack/database.ts'
import { operatorNames } from '../stack/operators.ts'
import { guardian } from '../stack/pool.ts'
import { Violation, type World } from '../world.ts'
import { plainMembers } from './probes.ts'
import { endByTwo, NONE, readReadiness, type Stop, waitForReadiness, waitUntilSignerIsReady } from './stop.ts'

/** Stops that people make: operators, a guardian, or a thief of the operators' password. */

const pausedByOperator: Stop = {
  name: 'one operator paused payouts',
  how: 'one operator pauses payouts for two hours',
  credits: NONE,
  payouts: assets,
  isQuick: true,
  async begin(world, random) {
    const { ownerUrl, signer } = world.stack
    const name = random.pick(operatorNames)
    const until = simulatedNow(world) + 2 * 3_600
    await world.operators.sign(ownerUrl, name, ['transfer', 'pause', '2', 'we look into something'])
    await waitForReadiness(world, signer, /paused until/)
    const pause = { from: simulatedNow(world), until }
    world.acknowledged.pauses.push(pause)
    return async () => {
      // Payouts may go on from the first signature on.
      pause.until = simulatedNow(world)
      await endByTwo(world, random, {
        args: ['transfer', 'resume', 'it was nothing'],
        isStopped: async () => /paused until/.test(await readReadiness(signer)),
      })
      // During a pause the signer looks at a payout once a minute.
      await moveClock(world, 120)
    }
  },
}

const pausedByGuardian: Stop = {
  name: 'a guardian paused the vault',
  how: 'a guardian calls pause()',
  // Plain transfers still arrive, and are credited. Deposits and payments revert.
  credits: NONE,
  payouts: assets,
  isQuick: false,
  async begin(world, _random, member) {
    const { chain } = world
    const { vault, usdt } = chain.contracts
    const callVault = async (functionName: 'pause' | 'unpause') => {
      await chain.send(guardian, { to: vault, data: encodeFunctionData({ abi: poolVaultAbi, functionName }) })
      await chain.mine(1)
    }
    await callVault('pause')
    const { target, data } = depositCall(vault, { symbol: 'USDT', token: usdt, amount: parseUnits('1', 6) })
    const hash = await chain.send(member.key, { to: target, data })
    await chain.mine(1)
    const { status } = await chain.client.getTransactionReceipt({ hash })
    if (status !== 'reverted') throw new Violation('the paused vault took a deposit')
    return () => callVault('unpause')
  },
}

const disabledMember: Stop = {
  name: 'a member is disabled',
  how: 'two operators disable another member',
  credits: NONE,
  payouts: NONE,
  isQuick: true,
  async begin(world, random, member) {
    const other = plainMembers(world).find((each) => each !== member)
    if (!other) throw new Error('there is no second plain member')
    const decide = (verb: 'disable' | 'enable') =>
      endByTwo(world, random, {
        args: ['account', verb, other.account, 'we look into something'],
        isStopped: async () => (await isDisabled(world, other)) !== (verb === 'disable'),
      })
    world.acknowledged.recordRevokedSessions(other.account, null)
    await decide('disable')
    other.token = null
    await checkDisabled(world, other)
    return async () => {
      await decide('enable')
      await signIn(world, other)
    }
  },
}

const isDisabled = async ({ stack }: World, { account }: Actor): Promise<boolean> =>
  (
    await query(stack.ownerUrl, 'select 1 from lode.member where account = $1 and disabled_at is not null', [
      Buffer.from(account.slice(2), 'hex'),
    ])
  ).length > 0

/** A disabled member cannot sign in, except to take its assets out. */
async function checkDisabled(world: World, member: Actor): Promise<void> {
  const refused = await sendSigned(world, member, await signMessage(world, member))
  if (refused.kind !== 'answer' || refused.body.reason !== 'account-disabled')
    throw new Violation(`${member.name} is disabled, and sign-in answers ${JSON.stringify(refused)}`)
  const { message, signature } = await signMessage(world, member)
  const input = { message, signature, lang: 'en', device: member.browser.id, exit: true } as const
  const admitted = await call(world.stack.origin, 'sign/login', input)
  if (admitted.kind !== 'answer' || admitted.status !== 200)
    throw new Violation(`${member.name} is disabled and cannot leave: ${JSON.stringify(admitted)}`)
}

const invalidOperatorChain: Stop = {
  name: 'the operator chain does not verify, or a flood of decisions',
  how: 'a thief of the password of lode_operator adds an operator with false signatures',
  credits: NONE,
  payouts: assets,
  isQuick: false,
  async begin(world) {
    const { ownerUrl, signer } = world.stack
    await insertForgedLink(roleUrl(ownerUrl, 'lode_operator', ROLE_PASSWORD))
    await waitForReadiness(world, signer, /the operator chain does not verify/)
    return async () => {
      await world.operators.runAsOwner(ownerUrl, ['operator', 'repair'])
      await waitUntilSignerIsReady(world)
      await moveClock(world, 700)
    }
  },
}

/** Passes every check of the database: two known operators, the right number and hash. Only the signatures are false. */
const insertForgedLink = (operatorUrl: string): Promise<void> =>
  withClient(operatorUrl, async (client) => {
    const decision = await client.query<{ id: string }>(`
      insert into lode.decision (subject, verb, body, expires_at)
      values ('operators', 'add', gen_random_uuid()::text, lode.now() + interval '1 day') returning id`)
    const values = [decision.rows[0]?.id]
    await client.query(
      `insert into lode.decision_signature (decision_id, place, operator, signature)
       select $1, row_number() over (), operator, decode(repeat('ab', 64), 'hex')
       from (select distinct operator from lode.decision_signature limit 2) as known`,
      values,
    )
    await client.query(
      `insert into lode.operator_link (number, decision_id, hash)
       select last.number + 1, decision.id, sha256(last.hash || convert_to(decision.body, 'UTF8'))
       from lode.decision, (select * from lode.operator_link order by number desc limit 1) as last
       where decision.id = $1`,
      values,
    )
  })

export const decidedStops = [pausedByOperator, pausedByGuardian, disabledMember, invalidOperatorChain] as const
