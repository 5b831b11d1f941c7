import { argon2Sync, createHash, randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { units } from '@lode/kernel'
import { createStackOperators } from '@lode/scripts/operators'
import { freePort } from '@lode/scripts/process'
import { examplePlanFile, type ServerSettings, startApi } from '@lode/scripts/server'
import { connectDatabase, migrate, post, type Transaction } from '@lode/server'
import pg from 'pg'
import { getAddress } from 'viem'
import { insertTeam } from './team-history.ts'
import { urlAs } from './tuned-postgres.ts'

const CHAIN = 31_337
/** The fund password of every member of a bench. */
export const PASSWORD = 'bench1'
/** The total price of all five levels of the example plan, in smallest units. */
const ALL_LEVELS = 3_100n * 10n ** 6n
/** These addresses are never called: a payment from the balance needs no chain. */
const CONTRACTS = {
  vault: address('1001'),
  usdt: address('1002'),
  btn: address('1003'),
  btc: address('1004'),
  btcPriceFeed: address('1005'),
  btnPriceFeed: address('1006'),
  firstBlock: 0,
} as const

export type Buyer = {
  readonly member: number
  readonly account: string
  readonly sessionId: string
  readonly token: string
  readonly tokenHash: string
  /** Nearest first. The first one is also the inviter. */
  readonly above: readonly number[]
}

/** Buyers with a normal password hash, and buyers with a hash that costs almost nothing. */
type Buyers = { readonly real: Buyer[]; readonly cheap: Buyer[] }

type Options = {
  readonly ownerUrl: string
  readonly sponsors: readonly number[]
  /** How many buyers of each kind to create. */
  readonly wanted: { readonly real: number; readonly cheap: number }
}

/** The settings of an api that a bench calls without limits. */
export const settingsOf = (ownerUrl: string, apiPort: number): ServerSettings => ({
  profile: 'test',
  ownerUrl,
  rolePassword: 'none',
  contracts: CONTRACTS,
  apiPort,
  workerPort: 0,
  signerPort: 0,
  chain: { id: CHAIN, rpcUrl: 'http://127.0.0.1:9', name: 'Lode Bench' },
  publicOrigin: `http://127.0.0.1:${apiPort}`,
  nonceSecret: 'a secret of this run only, long enough',
  extraEnvironment: { RATE_LIMITS: 'off', LOG_LEVEL: 'error' },
})

/** Prepares what every pool of a run starts from: operators who have published the example plan. */
export async function preparePoolTemplate(ownerUrl: string, folder: string): Promise<void> {
  await migrate({ ownerUrl, profile: 'production' })
  const operators = createStackOperators(join(folder, 'operators'), settingsOf(ownerUrl, 0))
  await operators.appoint()
  await operators.publish(examplePlanFile)
}

/**
 * Opens a pool in which promotions can be ordered, on a prepared database. It has a team, loaded in bulk and checked,
 * in which all inviters have the highest level, so that each purchase gives a reward to the five members above. It has
 * a real api process, and buyers with a session, a fund password and a sufficient balance, deposited through the
 * ledger.
 */
export async function openPromotionPool({ ownerUrl, sponsors, wanted }: Options) {
  const hasInvited = new Set(sponsors)
  await insertTeam(ownerUrl, sponsors, (member) => (hasInvited.has(member) ? 5 : 0))

  const settings = settingsOf(ownerUrl, await freePort())
  const api = await startApi(settings)

  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const leaves = sponsors.flatMap((_, index) => (hasInvited.has(index + 1) ? [] : [index + 1]))
  const chosen = shuffled(leaves)
    .filter((member) => findMembersAbove(member, sponsors).length === 5)
    .slice(0, wanted.real + wanted.cheap)
    .map((member) => buyerOf(member, sponsors))
  const buyers: Buyers = { real: chosen.slice(0, wanted.real), cheap: chosen.slice(wanted.real) }
  await openSessions(client, chosen)
  await givePasswords(client, settings.publicOrigin, buyers)
  await deposit(ownerUrl, chosen)
  await client.query('vacuum analyze')

  return {
    api,
    client,
    ownerUrl,
    buyers,
    /** Buys the next level from the balance alone. Returns the order's id. */
    async promote(buyer: Buyer, level = 1): Promise<{ id: string; key: string }> {
      const key = randomUUID()
      const { data } = await call(settings.publicOrigin, '/promotion/order', buyer, {
        key,
        planVersion: 1,
        level,
        balancePart: String(50 * 2 ** level),
        password: PASSWORD,
      })
      if (data.status !== 1) throw new Error(`an order that is paid at once is not settled: ${JSON.stringify(data)}`)
      return { id: data.id, key }
    },
    async read(buyer: Buyer, path: string): Promise<void> {
      const parameters = new URLSearchParams({ account: buyer.account, _t: String(Date.now()) })
      const response = await fetch(`${settings.publicOrigin}/api${path}?${parameters}`, {
        headers: { authorization: `Bearer ${buyer.token}` },
      })
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${path} was answered ${response.status}: ${text}`)
    },
    async close(): Promise<void> {
      await client.end()
      await api.stop()
    },
  }
}

function address(end: string): `0x${string}` {
  return `0x${end.padStart(40, '0')}`
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Every member is directly below its inviter, so the path up the tree is the path of invitations. */
function findMembersAbove(member: number, sponsors: readonly number[]): number[] {
  const above: number[] = []
  for (let at = sponsors[member - 1] ?? 0; at > 0 && above.length < 5; at = sponsors[at - 1] ?? 0) above.push(at)
  return above
}

function buyerOf(member: number, sponsors: readonly number[]): Buyer {
  const token = sha256(`token of ${member}`).toString('base64url')
  return {
    member,
    above: findMembersAbove(member, sponsors),
    token,
    tokenHash: sha256(token).toString('hex'),
    account: getAddress(`0x${sha256(String(member)).subarray(0, 20).toString('hex')}`),
    sessionId: sha256(`session of ${member}`)
      .toString('hex')
      .slice(0, 32)
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  }
}

function shuffled(members: readonly number[]): number[] {
  const left = members.slice()
  for (let place = left.length - 1; place > 0; place -= 1) {
    const other = Math.floor(Math.random() * (place + 1))
    ;[left[place], left[other]] = [left[other] ?? 0, left[place] ?? 0]
  }
  return left
}

/** Creates sessions that count as just used for the whole run, because renewing a session is not measured. */
async function openSessions(client: pg.Client, buyers: readonly Buyer[]): Promise<void> {
  await client.query(
    `insert into lode.session (id, token_hash, member_id, mode, last_action_at)
     select id, hash, member, 'full', now() + interval '1 day'
     from unnest($1::uuid[], $2::bytea[], $3::bigint[]) as given (id, hash, member)`,
    [
      buyers.map(({ sessionId }) => sessionId),
      buyers.map(({ tokenHash }) => `\\x${tokenHash}`),
      buyers.map(({ member }) => member),
    ],
  )
}

/** One buyer chooses the password through the api, which hashes it normally. The others get a copy of that hash. */
async function givePasswords(client: pg.Client, origin: string, { real, cheap }: Buyers): Promise<void> {
  const [first] = real
  if (!first) throw new Error('there is no buyer to choose a password')
  const setupCode = '0'.repeat(16)
  await client.query('insert into lode.setup_code (member_id, code_hash) values ($1, $2)', [
    first.member,
    sha256(setupCode),
  ])
  await call(origin, '/account/fund-password', first, { setupCode, newPassword: PASSWORD })
  const { rows } = await client.query<{ hash: string }>('select hash from lode.protection where member_id = $1', [
    first.member,
  ])
  const give = (members: readonly Buyer[], hash: string) =>
    client.query(
      `insert into lode.protection (member_id, hash, chosen_at) select member, $2, now() from unnest($1::bigint[]) member`,
      [members.map(({ member }) => member), hash],
    )
  await give(real.slice(1), rows[0]?.hash ?? '')
  await give(cheap, cheapHash())
}

/** A hash of the password that costs almost nothing to verify. */
export function cheapHash(): string {
  const cost = { parallelism: 1, memory: 8, passes: 1 }
  const nonce = randomBytes(16)
  const tag = argon2Sync('argon2id', { ...cost, message: PASSWORD, nonce, tagLength: 32 })
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${text(nonce)}$${text(tag)}`
}

async function deposit(ownerUrl: string, buyers: readonly Buyer[]): Promise<void> {
  const { db, close } = connectDatabase(urlAs(ownerUrl, 'lode_worker'), { name: 'bench', max: 1 })
  const keyOf = (number: number) => `chain:${CHAIN}:0x${number.toString(16).padStart(64, '0')}:0` as const
  const reserve: Transaction = {
    type: 'reserveFunding',
    key: keyOf(0),
    moves: [
      { asset: 'BTN', amount: units('BTN', 10n ** 30n), from: 'custody:vault', to: 'reserve:airdrop' },
      { asset: 'BTN', amount: units('BTN', 10n ** 30n), from: 'custody:vault', to: 'reserve:promotion' },
    ],
  }
  const deposits = buyers.map(({ member }): Transaction => {
    const key = keyOf(member)
    const to = { kind: 'available', member: BigInt(member), line: { type: 'transferIn', operation: key } } as const
    return {
      type: 'deposit',
      key,
      moves: [{ asset: 'USDT', amount: units('USDT', ALL_LEVELS), from: 'custody:vault', to }],
    }
  })
  const outcomes = await post(db, [reserve])
  for (let at = 0; at < deposits.length; at += 500) outcomes.push(...(await post(db, deposits.slice(at, at + 500))))
  await close()
  if (outcomes.some(({ outcome }) => outcome !== 'posted')) throw new Error('not every buyer got a balance')
}

type Answered = { readonly data: { readonly id: string; readonly status: number } }

async function call(origin: string, path: string, { account, token }: Buyer, input: object): Promise<Answered> {
  const response = await fetch(`${origin}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ account, ...input }),
  })
  if (response.status !== 200) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Answered
}
