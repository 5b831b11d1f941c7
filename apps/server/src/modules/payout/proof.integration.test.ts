import { randomBytes, randomUUID } from 'node:crypto'
import { ok, units } from '@lode/kernel'
import { sql } from 'kysely'
import { type Hex, numberToHex, pad, toEventSelector, toHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { agreeOnChain } from '../../platform/chain/agreed-chain.ts'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import { createNode } from '../../platform/chain/node.ts'
import { readOperatorConfig } from '../../platform/config/config.ts'
import { nodeAt } from '../../platform/config/node-address.ts'
import { connectDatabase } from '../../platform/db/database.ts'
import { withoutCauseChecks } from '../../testing/cause-checks.ts'
import { invalidSignatureOf, inventExpert } from '../../testing/invented-appointment.ts'
import { signInTurn } from '../../testing/operators.ts'
import { waitUntil } from '../../testing/pool.ts'
import { startUnreliableNode, type UnreliableNode } from '../../testing/unreliable-node.ts'
import { post, readBalances, readVersions } from '../ledger/index.ts'
import { createOperators } from '../operators/index.ts'
import { proposeExpert } from '../partner/index.ts'
import { createPlans } from '../plan/index.ts'
import { wakeForDecisions } from '../treasury/index.ts'
import { createProof, PROVEN_ACCOUNTS } from './proof.ts'
import { startPayingPool } from './testing/paying-pool.ts'

const AMOUNT = 10_000_000n
const INVENTED = 200_000_000n

describe('money in the ledger that never arrived', { timeout: 120_000 }, () => {
  const close: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const one of close.splice(0).toReversed()) await one()
  })

  /** A thief with the worker's role posts an invented deposit, and an invented move to cold storage. */
  async function startPoolWithInventedMoney() {
    const pool = await startPayingPool({ wallets: 2 })
    close.push(pool.close)
    const running = await pool.startWorker()
    const [honest, dishonest] = pool.wallets as [PrivateKeyAccount, PrivateKeyAccount]
    await pool.addPayingMember(honest, { USDT: 1_000_000_000n })
    const thief = await pool.addPayingMember(dishonest, { USDT: 100_000_000n })
    await running.close()
    const stolen = connectDatabase(pool.database.urlOf('lode_worker'), { name: 'stolen' })
    close.push(stolen.close)
    const invented = toHex(randomBytes(32))
    const keyOf = (tx: Hex): `chain:${string}` => `chain:${pool.contracts.chainId}:${tx}:0`
    const amount = { asset: 'USDT', amount: units('USDT', INVENTED) } as const
    const to = { kind: 'available', member: thief.id, line: { type: 'transferIn', operation: randomUUID() } } as const
    const outcomes = await post(stolen.db, [
      { type: 'deposit', key: keyOf(invented), moves: [{ ...amount, from: 'custody:vault', to }] },
      {
        type: 'coldMove',
        key: keyOf(toHex(randomBytes(32))),
        moves: [{ ...amount, from: 'custody:cold', to: 'custody:vault' }],
      },
    ])
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['posted', 'posted'])
    return { pool, thief, dishonest, invented }
  }

  it('is not paid out, even if the ledger total matches the vault balance; and the worker posts nothing more', async () => {
    const { pool, thief } = await startPoolWithInventedMoney()
    const signer = await pool.startSigner()
    const id = await pool.request(thief, 'USDT', INVENTED)
    await waitUntil(async () => expect(await pool.readiness(signer)).toMatch(/deposit chain:.* there is no such log/))
    const worker = await pool.startWorker()
    await pool.mine(5)
    await waitUntil(async () =>
      expect(await (await fetch(`${worker.url}/metrics`)).text()).toMatch(
        new RegExp(`lode_custody_difference\\{place="cold",asset="USDT",.*\\} -${INVENTED}`),
      ),
    )
    expect(await pool.payout(id)).toMatchObject({ ended: null, releaseNumber: null })
  })

  it.each([
    [2, 'works', 'work', /no second node answers: .*it lacks the logs of transaction 0x/],
    [2, 'does not answer', 'fail', /no second node answers/],
    [3, 'works', 'work', /no second node answers: .*it lacks the logs of transaction 0x/],
    [3, 'does not answer', 'fail', /no second node answers/],
  ] as const)(
    'is not paid out if one of %i nodes vouches for it and no other does, which %s',
    async (count, _what, mode, told) => {
      const { pool, thief, dishonest, invented } = await startPoolWithInventedMoney()
      const liar = await startUnreliableNode(pool.anvil.rpcUrl)
      const others: UnreliableNode[] = []
      while (others.length < count - 1) others.push(await startUnreliableNode(pool.anvil.rpcUrl))
      close.push(...[liar, ...others].map((node) => node.close))
      const block = await pool.client.getBlock({ blockTag: 'finalized' })
      const log = {
        address: pool.contracts.usdt,
        topics: [
          toEventSelector('Transfer(address,address,uint256)'),
          pad(dishonest.address),
          pad(pool.contracts.vault),
        ],
        data: pad(numberToHex(INVENTED)),
        removed: false,
        blockNumber: numberToHex(block.number),
        blockHash: block.hash,
        transactionHash: invented,
        transactionIndex: '0x0',
        logIndex: '0x0',
      }
      liar.changeAnswer = ({ method, params }, answer) =>
        method === 'eth_getTransactionReceipt' && params[0] === invented ? { result: { logs: [log] } } : answer
      for (const other of others) other.mode = mode
      const urls = [liar, ...others].map(({ rpcUrl }) => rpcUrl)
      const signer = await pool.startSigner({ CHAIN_RPC_URL: urls.join() })
      const id = await pool.request(thief, 'USDT', INVENTED)
      await waitUntil(async () => expect(await pool.readiness(signer)).toMatch(told))
      expect(await pool.payout(id)).toMatchObject({ ended: null, releaseNumber: null })
    },
  )
})

describe('money that arrived and is credited to another member', { timeout: 120_000 }, () => {
  it('is not paid out: neither another member’s deposit nor the balance of a false cold storage address', async () => {
    for (const how of ['deposit of another', 'cold storage of a thief'] as const) {
      const pool = await startPayingPool({ wallets: 2 })
      const [honest, dishonest] = pool.wallets as [PrivateKeyAccount, PrivateKeyAccount]
      const running = await pool.startWorker()
      const thief = await pool.addPayingMember(dishonest, { USDT: 100_000_000n })
      await running.close()
      const worker = connectDatabase(pool.database.urlOf('lode_worker'), { name: 'stolen' })
      const isCold = how === 'cold storage of a thief'
      const to = isCold ? dishonest.address : pool.contracts.vault
      const tx: Hex = await pool.transfer(honest, 'USDT', INVENTED, to)
      await pool.mine(5)
      const { logs, blockNumber } = await pool.client.getTransactionReceipt({ hash: tx })
      const key = `chain:${pool.contracts.chainId}:${tx}:${logs[0]?.logIndex}` as const
      const amount = { asset: 'USDT', amount: units('USDT', INVENTED) } as const
      if (isCold)
        await sql`
          insert into lode.pool_address (address, role, since_block)
          values (${bytesOf(dishonest.address)}, 'cold', ${blockNumber})`.execute(worker.db)
      const [outcome] = await post(worker.db, [
        isCold
          ? {
              type: 'suspenseDeposit',
              key,
              moves: [{ ...amount, from: 'custody:cold', to: { kind: 'suspense:address', address: honest.address } }],
            }
          : {
              type: 'deposit',
              key,
              moves: [
                {
                  ...amount,
                  from: 'custody:vault',
                  to: { kind: 'available', member: thief.id, line: { type: 'transferIn', operation: tx } },
                },
              ],
            },
      ])
      expect(outcome?.outcome).toBe('posted')
      const head = await pool.client.getBlock({ blockTag: 'finalized' })
      await sql`
        update lode.chain_state set posted_number = ${head.number}, posted_hash = ${bytesOf(head.hash as Hex)},
               posted_time = to_timestamp(${Number(head.timestamp)}), booked_number = ${head.number}`.execute(worker.db)
      const signer = await pool.startSigner()
      const id = await pool.request(thief, 'USDT', AMOUNT)
      await waitUntil(async () =>
        expect(await pool.readiness(signer), how).toMatch(isCold ? /cold storage .* did not name/ : /another owner/),
      )
      // The chain has the log. So the posting stops payouts, but nobody can undo it as if there were no log.
      const { rows } = await sql`select key from lode.missing_log`.execute(pool.db)
      expect(rows, how).toEqual([])
      expect(await pool.payout(id)).toMatchObject({ releaseNumber: null })
      await signer.close()
      await worker.close()
      await pool.close()
    }
  })
})

describe('a deposit that is posted while the payouts are proven', { timeout: 120_000 }, () => {
  const close: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const one of close.splice(0).toReversed()) await one()
  })

  /** A member with a requested payout, and a second deposit from the same wallet that only the test posts. */
  async function startPoolWithRequest() {
    const pool = await startPayingPool({ wallets: 1 })
    close.push(pool.close)
    const [wallet] = pool.wallets as [PrivateKeyAccount]
    const running = await pool.startWorker()
    const member = await pool.addPayingMember(wallet, { USDT: 1_000_000_000n })
    await running.close()
    const id = await pool.request(member, 'USDT', AMOUNT)
    const worker = connectDatabase(pool.database.urlOf('lode_worker'), { name: 'test' })
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    close.push(worker.close, node.close)

    /** Returns the chain transaction of a new deposit that is final. */
    async function deposit(): Promise<Hex> {
      const tx = await pool.transfer(wallet, 'USDT', AMOUNT, pool.contracts.vault)
      await pool.mine(5)
      return tx
    }

    /** Posts the deposit as the worker does, together with the final block. */
    async function postDeposit(tx: Hex) {
      const { logs } = await pool.client.getTransactionReceipt({ hash: tx })
      const head = await pool.client.getBlock({ blockTag: 'finalized' })
      return worker.db.transaction().execute(async (trx) => {
        await sql`
          update lode.chain_state set posted_number = ${head.number}, posted_hash = ${bytesOf(head.hash as Hex)},
                 posted_time = to_timestamp(${Number(head.timestamp)}), booked_number = ${head.number}`.execute(trx)
        return post(trx, [
          {
            type: 'deposit',
            key: `chain:${pool.contracts.chainId}:${tx}:${logs[0]?.logIndex}`,
            moves: [
              {
                asset: 'USDT',
                amount: units('USDT', AMOUNT),
                from: 'custody:vault',
                to: { kind: 'available', member: member.id, line: { type: 'transferIn', operation: tx } },
              },
            ],
          },
        ])
      })
    }

    const startSigner = async () => {
      const signer = await pool.startSigner({ CHAIN_RPC_URL: `${pool.anvil.rpcUrl},${node.rpcUrl}` })
      close.push(signer.close)
    }
    return { pool, id, node, deposit, postDeposit, startSigner }
  }

  it('delays no payout that was requested before it', async () => {
    const { pool, id, node, deposit, postDeposit, startSigner } = await startPoolWithRequest()
    const tx = await deposit()
    let posting: ReturnType<typeof postDeposit> | null = null
    node.changeAnswer = async ({ method }, answer) => {
      if (method === 'eth_getTransactionReceipt') posting ??= postDeposit(tx)
      await posting
      return answer
    }
    await startSigner()
    await pool.waitUntilSigned(id)
    expect(await posting).toMatchObject([{ outcome: 'posted' }])
  })

  it('delays no payout even if every turn meets one whose block became final after the turn began', async () => {
    const { pool, id, node, deposit, postDeposit, startSigner } = await startPoolWithRequest()
    let posts = 0
    let posting: Promise<unknown> | null = null
    // The signer asks this node for a balance of the vault after it has read the last final block.
    node.changeAnswer = async ({ method }, answer) => {
      if (method !== 'eth_call' || posting !== null) return answer
      posts += 1
      posting = deposit().then(postDeposit)
      await posting.finally(() => {
        posting = null
      })
      return answer
    }
    await startSigner()
    await pool.waitUntilSigned(id)
    expect(posts).toBeGreaterThan(0)
  })
})

describe('an invented deposit that is undone while the payouts are proven', { timeout: 120_000 }, () => {
  it('still stops them, because this proof does not check who undid it', async () => {
    const pool = await startPayingPool({ wallets: 1 })
    const [wallet] = pool.wallets as [PrivateKeyAccount]
    const running = await pool.startWorker()
    const member = await pool.addPayingMember(wallet, { USDT: 100_000_000n })
    await running.close()
    const worker = connectDatabase(pool.database.urlOf('lode_worker'), { name: 'stolen' })
    const signer = connectDatabase(pool.database.urlOf('lode_signer'), { name: 'test' })
    const readPosted = () => readVersions(signer.db, PROVEN_ACCOUNTS)
    const amount = { asset: 'USDT', amount: units('USDT', INVENTED) } as const
    const own = { kind: 'available', member: member.id } as const
    const key = `chain:${pool.contracts.chainId}:${toHex(randomBytes(32))}:0` as const
    await post(worker.db, [
      {
        type: 'deposit',
        key,
        moves: [{ ...amount, from: 'custody:vault', to: { ...own, line: { type: 'transferIn', operation: key } } }],
      },
    ])
    const withoutReversal = await readPosted()
    await withoutCauseChecks(pool.db, () =>
      post(worker.db, [
        {
          type: 'reverse',
          key: 'correction:stolen',
          moves: [{ ...amount, from: { ...own, line: { type: 'reversal', operation: key } }, to: 'custody:vault' }],
        },
      ]),
    )
    await pool.db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx)
      await sql`
        insert into lode.correction (id, kind, decision_id, asset, amount, key, purpose, answers)
        select ${randomUUID()}, 'reverse', 1, 'USDT', ${INVENTED}, 'correction:stolen', 'stolen', id
        from lode.ledger_transaction where key = ${key}`.execute(trx)
    })
    const withReversal = await readPosted()

    const node = createNode(nodeAt(pool.anvil.rpcUrl))
    const finality = { kind: 'finalized' } as const
    const { finalized } = await node.head(finality)
    const agreed = await agreeOnChain(node, [], { own: finalized, finality })
    const config = readOperatorConfig({ ...pool.environment, DATABASE_URL: pool.database.ownerUrl })
    if (!config.ok) throw new Error(config.error.join())
    const chain = { contracts: config.value.contracts, id: config.value.chainId }
    const proveWith = (undecided: string | null) =>
      createProof(chain, { checkAirdrop: async () => null, checkCorrection: async () => undecided }).prove
    await expect(proveWith(null)(agreed, signer.db, withoutReversal)).rejects.toThrow(`the ledger has deposit ${key}`)
    await expect(proveWith('nobody signed it')(agreed, signer.db, withReversal)).rejects.toThrow('nobody signed it')
    await proveWith(null)(agreed, signer.db, withReversal)
    for (const one of [signer, worker, pool]) await one.close()
  })
})

describe('an airdrop without a promotion', { timeout: 120_000 }, () => {
  it('stops all payouts if it is in the ledger', async () => {
    const pool = await startPayingPool({ wallets: 1 })
    await pool.startWorker()
    const [wallet] = pool.wallets as [PrivateKeyAccount]
    const thief = await pool.addPayingMember(wallet, { USDT: 100_000_000n })
    const signer = await pool.startSigner()
    const order = randomUUID()
    // The trigger would refuse the airdrop. The owner of the database can disable the trigger.
    await sql`alter table lode.ledger_transaction disable trigger check_cause`.execute(pool.db)
    const [outcome] = await post(pool.api, [
      {
        type: 'airdropForActive',
        member: thief.id,
        key: `order:${order}:airdrop`,
        moves: [
          {
            asset: 'BTN',
            amount: units('BTN', 10n ** 22n),
            from: 'reserve:airdrop',
            to: { kind: 'available', member: thief.id, line: { type: 'airdropForActive', operation: order } },
          },
        ],
      },
    ])
    expect(outcome?.outcome).toBe('posted')
    const id = await pool.request(thief, 'USDT', AMOUNT)
    await waitUntil(async () =>
      expect(await pool.readiness(signer)).toMatch(/airdropForActive .* there is no such promotion/),
    )
    expect(await pool.payout(id)).toMatchObject({ releaseNumber: null })
    await signer.close()
    await pool.close()
  })
})

describe('the airdrop of an appointment', { timeout: 120_000 }, () => {
  it('is paid out if two operators decided it, and stops all payouts if they did not', async () => {
    const pool = await startPayingPool({ wallets: 2 })
    const { alice, bob, ceremony } = pool.operators
    await pool.startWorker()
    const [appointed, dishonest] = pool.wallets as [PrivateKeyAccount, PrivateKeyAccount]
    const expert = await pool.addPayingMember(appointed, {})
    const thief = await pool.addPayingMember(dishonest, {})
    await sql`select lode.place_member(${expert.id})`.execute(pool.db)
    const signer = await pool.startSigner({ OPERATORS_CEREMONY: ceremony })

    const identity = { pool: pool.contracts.vault, chainId: pool.contracts.chainId }
    const operators = createOperators({ ...identity, ceremony })
    const plans = createPlans({ decimals: { USDT: 6, BTN: 18, BTC: 8 }, operators })
    const asked = await proposeExpert(pool.db, { operators, plans }, appointed.address)
    if (!asked.ok) throw new Error(asked.error)
    await signInTurn(pool.db, identity, asked.value.proposal, [alice, bob], async (trx) => {
      await wakeForDecisions(trx)
      return ok(null)
    })
    const airdrop = (await plans.inForce(pool.db))?.agentAirdrop ?? 0n
    await waitUntil(async () => expect((await readBalances(pool.db, expert.id)).BTN.available).toBe(airdrop))
    const held = airdrop - pool.terms.BTN.fee
    expect(await pool.waitUntilEnded(await pool.request(expert, 'BTN', held))).toMatchObject({ ended: 'final' })

    // A thief with two database roles. The database accepts the appointment, because it cannot verify a signature.
    const desk = connectDatabase(pool.database.urlOf('lode_operator'), { name: 'stolen' })
    const worker = connectDatabase(pool.database.urlOf('lode_worker'), { name: 'stolen' })
    await inventExpert({ desk: desk.db, worker: worker.db }, identity, {
      member: thief.id,
      address: dishonest.address,
      airdrop,
      sign: (text) => [{ ...alice, signature: alice.sign(text) }, invalidSignatureOf(bob)],
    })
    const id = await pool.request(thief, 'BTN', held)
    await waitUntil(async () =>
      expect(await pool.readiness(signer)).toMatch(/airdropForAgent .* two operators of that time have not signed/),
    )
    await pool.finalize()
    expect(await pool.payout(id)).toMatchObject({ ended: null, releaseNumber: null })
    for (const one of [desk, worker, signer, pool]) await one.close()
  })
})

describe('the signer’s proof', { timeout: 60_000 }, () => {
  it('can be written by the signer only', async () => {
    const pool = await startPayingPool({ wallets: 0 })
    for (const role of ['lode_api', 'lode_worker', 'lode_operator'] as const) {
      const connection = connectDatabase(pool.database.urlOf(role), { name: 'stolen' })
      await expect(sql`insert into lode.proof values (1, 1)`.execute(connection.db)).rejects.toThrow(
        'permission denied',
      )
      await connection.close()
    }
    await pool.close()
  })
})
