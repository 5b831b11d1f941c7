import { sql } from 'kysely'
import type { BitcoinNode, OutputAnswer } from '../../platform/bitcoin/bitcoin-node.ts'
import type { Database } from '../../platform/db/database.ts'

/** How many fundings one run looks at. A day usually has one. */
const BATCH = 50
export const SATOSHI_DECIMALS = 8

type Funding = {
  readonly tx: Buffer
  readonly log_index: number
  readonly block_number: bigint
  readonly bitcoin_txid: Buffer
  readonly bitcoin_output: number
}

/**
 * Looks for the Bitcoin outputs that unused fundings name, and stores what the node says. An output that was not found is
 * looked for again in every run. Returns how many are still not found.
 */
export async function checkEvidence(db: Database, node: BitcoinNode, btcDecimals: number): Promise<number> {
  const { rows } = await sql<Funding>`
    select given.tx, given.log_index, given.block_number, given.bitcoin_txid,
           given.bitcoin_output::int as bitcoin_output
    from lode.unused_funding join lode.dividend_funding given using (tx, log_index)
      left join lode.evidence_check looked using (tx, log_index)
    where looked.result is distinct from 'found'
    order by looked.at nulls first limit ${BATCH}`.execute(db)
  let notFound = 0
  for (const funding of rows) {
    const answer = await node.readOutput(funding.bitcoin_txid.toString('hex'), funding.bitcoin_output)
    const result = judgeOutput(answer, await sumFundings(db, funding), btcDecimals)
    if (result !== 'found') notFound += 1
    await storeResult(db, funding, result, answer.state === 'found' ? answer.value : null)
  }
  return notFound
}

/**
 * The sum of this funding and all earlier ones that name the same output. There are several if the vault's administrator
 * has reinstated it. The output can be named in either byte order of its transaction id, as in the vault.
 */
async function sumFundings(db: Database, funding: Funding): Promise<bigint> {
  const { block_number, log_index, bitcoin_txid, bitcoin_output } = funding
  const { rows } = await sql<{ amount: string }>`
    select sum(amount)::text as amount from lode.dividend_funding
    where bitcoin_txid in (${bitcoin_txid}, ${Buffer.from(bitcoin_txid).reverse()})
      and bitcoin_output = ${bitcoin_output}
      and (block_number, log_index) <= (${block_number}, ${log_index})`.execute(db)
  return BigInt(rows[0]?.amount ?? 0)
}

/** Fundings pass on a mining payout, so all that name the same payout cannot be more than it. */
export function judgeOutput(answer: OutputAnswer, funded: bigint, btcDecimals: number): OutputAnswer['state'] | 'less' {
  if (answer.state !== 'found') return answer.state
  const isEnough = answer.value * 10n ** BigInt(btcDecimals) >= funded * 10n ** BigInt(SATOSHI_DECIMALS)
  return isEnough ? 'found' : 'less'
}

async function storeResult(db: Database, { tx, log_index }: Funding, result: string, value: bigint | null) {
  await sql`
    insert into lode.evidence_check (tx, log_index, result, bitcoin_value)
    values (${tx}, ${log_index}, ${result}, ${value === null ? null : String(value)})
    on conflict (tx, log_index) do update
    set result = excluded.result, bitcoin_value = excluded.bitcoin_value, at = lode.now()`.execute(db)
}
